// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A value to be written as JSON: sorted keys, shortest numbers that read back the same, no `-0`; hence the same bytes
/// for the same value.
public indirect enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// A finite number.
    case number(Double)
    /// A text.
    case string(String)
    /// A list.
    case list([JSONValue])
    /// Keys with values.
    case record([String: JSONValue])

    /// A list of numbers.
    public static func numbers(_ numbers: [Double]) -> JSONValue { .list(numbers.map { .number($0) }) }

    /// The value on one line.
    public var text: String {
        var text = ""
        write(to: &text, indentation: nil)
        return text
    }

    /// The value with a line for each key of its records; lists stay on one line.
    public var indentedText: String {
        var text = ""
        write(to: &text, indentation: 0)
        return text + "\n"
    }

    private func write(to text: inout String, indentation: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value):
            precondition(value.isFinite, "JSON has no number \(value)")
            text += NumberText.string(value)
        case .string(let value): Self.write(value, to: &text)
        case .list(let items): writeList(items, to: &text, indentation: indentation)
        case .record(let entries): writeRecord(entries, to: &text, indentation: indentation)
        }
    }

    private func writeList(_ items: [JSONValue], to text: inout String, indentation: Int?) {
        text += "["
        for (index, item) in items.enumerated() {
            if index > 0 { text += indentation == nil ? "," : ", " }
            item.write(to: &text, indentation: indentation)
        }
        text += "]"
    }

    private func writeRecord(_ entries: [String: JSONValue], to text: inout String, indentation: Int?) {
        let inner = indentation.map { $0 + 2 }
        func startLine(_ indentation: Int?) {
            if let indentation { text += "\n" + String(repeating: " ", count: indentation) }
        }
        text += "{"
        for (index, (key, value)) in entries.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { text += "," }
            startLine(inner)
            Self.write(key, to: &text)
            text += inner == nil ? ":" : ": "
            value.write(to: &text, indentation: inner)
        }
        if !entries.isEmpty { startLine(indentation) }
        text += "}"
    }

    private static func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\0"..<" ": text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
