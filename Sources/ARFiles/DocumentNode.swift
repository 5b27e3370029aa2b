// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A value of a structured text file (JSON or YAML) that knows where it stands, so that an error can say so.
public struct DocumentNode: Sendable {
    /// What a value is.
    public enum Content: Sendable {
        /// Nothing: `null`, or a key without value.
        case null
        /// `true` or `false`.
        case bool(Bool)
        /// A number, as it is written.
        case number(String)
        /// A text.
        case string(String)
        /// A list.
        case list([DocumentNode])
        /// Keys with values, in the file's order.
        case record([(key: String, value: DocumentNode)])
    }

    /// What the value is.
    public let content: Content
    /// The file, for errors.
    public let file: String
    /// The line, from 1.
    public let line: Int
    /// The column, from 1, in characters of one byte.
    public let column: Int

    /// A value at a place.
    public init(_ content: Content, file: String, line: Int, column: Int) {
        self.content = content
        self.file = file
        self.line = line
        self.column = column
    }

    /// The error that something else was expected here.
    public func error(expected: String) -> DocumentError {
        DocumentError(file: file, line: line, column: column, found: found, expected: expected)
    }

    /// The value in a few words.
    public var found: String {
        switch content {
        case .null: "nothing"
        case .bool(let value): "\(value)"
        case .number(let text): text
        case .string(let text): "\"\(text)\""
        case .list(let items): "a list of \(items.count)"
        case .record(let entries): "a record of \(entries.count)"
        }
    }
}

// MARK: - Typed access

extension DocumentNode {
    /// The value of a key, or `nil` where the key is missing or its value is nothing.
    public func value(_ key: String) throws(DocumentError) -> DocumentNode? {
        guard case .record(let entries) = content else { throw error(expected: "a record with the key \"\(key)\"") }
        guard let value = entries.first(where: { $0.key == key })?.value else { return nil }
        if case .null = value.content { return nil }
        return value
    }

    /// The value of a key that must be there.
    public func required(_ key: String) throws(DocumentError) -> DocumentNode {
        guard let value = try value(key) else { throw error(expected: "the key \"\(key)\"") }
        return value
    }

    /// Whether the value is nothing.
    public var isNull: Bool { if case .null = content { true } else { false } }

    /// The keys and values of a record.
    public func entries() throws(DocumentError) -> [(key: String, value: DocumentNode)] {
        guard case .record(let entries) = content else { throw error(expected: "a record") }
        return entries
    }

    /// Checks that a record has no keys but these: a misspelt key is an error, not a default.
    public func check(keys known: [String]) throws(DocumentError) {
        for (key, value) in try entries() where !known.contains(key) {
            throw DocumentError(
                file: file, line: value.line, column: value.column, found: "the key \"\(key)\"",
                expected: "one of the keys " + known.joined(separator: ", "))
        }
    }

    /// The items of a list, of which there must be `count` where that is given.
    public func items(count: Int? = nil) throws(DocumentError) -> [DocumentNode] {
        guard case .list(let items) = content, count == nil || items.count == count else {
            throw error(expected: count.map { "a list of \($0)" } ?? "a list")
        }
        return items
    }

    /// The text.
    public func string() throws(DocumentError) -> String {
        guard case .string(let text) = content else { throw error(expected: "a text") }
        return text
    }

    /// The finite number.
    public func double() throws(DocumentError) -> Double {
        guard case .number(let text) = content, let value = NumberText.double(Array(text.utf8)[...]), value.isFinite
        else { throw error(expected: "a number") }
        return value
    }

    /// The whole number.
    public func int64() throws(DocumentError) -> Int64 {
        guard case .number(let text) = content, let value = NumberText.int64(Array(text.utf8)[...]) else {
            throw error(expected: "a whole number")
        }
        return value
    }

    /// The truth value.
    public func bool() throws(DocumentError) -> Bool {
        guard case .bool(let value) = content else { throw error(expected: "true or false") }
        return value
    }

    /// The numbers of a list, of which there must be `count` where that is given.
    public func doubles(count: Int? = nil) throws(DocumentError) -> [Double] {
        var numbers: [Double] = []
        for item in try items(count: count) { numbers.append(try item.double()) }
        return numbers
    }

    /// The case of an enumeration that the text names.
    public func choice<Choice: RawRepresentable<String> & CaseIterable>(
        of type: Choice.Type
    ) throws(DocumentError) -> Choice {
        guard case .string(let text) = content, let choice = Choice(rawValue: text) else {
            throw error(expected: "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }
}

/// A structured text file that is not what it should be, and where.
public struct DocumentError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file.
    public var file: String
    /// The line, from 1.
    public var line: Int
    /// The column, from 1.
    public var column: Int
    /// What stands there.
    public var found: String
    /// What should stand there.
    public var expected: String

    /// An error at a place.
    public init(file: String, line: Int, column: Int, found: String, expected: String) {
        self.file = file
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
    }

    public var description: String { "\(file):\(line):\(column): found \(found), expected \(expected)" }
}
