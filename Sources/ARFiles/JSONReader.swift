// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Reads JSON (RFC 8259) strictly, into values that know their line and column.
public struct JSONReader {
    private let bytes: ArraySlice<UInt8>
    private let file: String
    private var line: Int
    private var lineStart: Int
    private var position: Int
    private var depth = 0

    /// The value that the bytes spell; a file's text, or one line of a JSON Lines file, whose number is `line`.
    public static func read(_ bytes: ArraySlice<UInt8>, file: String, line: Int = 1) throws(DocumentError)
        -> DocumentNode
    {
        var reader = JSONReader(bytes: bytes, file: file, line: line)
        let node = try reader.readValue()
        reader.skipBlanks()
        guard reader.position == bytes.endIndex else { throw reader.error(expected: "the end of the text") }
        return node
    }

    private init(bytes: ArraySlice<UInt8>, file: String, line: Int) {
        self.bytes = bytes
        self.file = file
        self.line = line
        lineStart = bytes.startIndex
        position = bytes.startIndex
    }

    private mutating func readValue() throws(DocumentError) -> DocumentNode {
        skipBlanks()
        let (line, column) = (line, position - lineStart + 1)
        let content: DocumentNode.Content
        switch peek {
        case UInt8(ascii: "{"):
            content = .record(try nested { reader throws(DocumentError) in try reader.readRecord() })
        case UInt8(ascii: "["): content = .list(try nested { reader throws(DocumentError) in try reader.readList() })
        case UInt8(ascii: "\""): content = .string(try readString())
        case UInt8(ascii: "t"): content = .bool(try readWord("true", true))
        case UInt8(ascii: "f"): content = .bool(try readWord("false", false))
        case UInt8(ascii: "n"): content = try readWord("null", .null)
        default: content = .number(try readNumber())
        }
        return DocumentNode(content, file: file, line: line, column: column)
    }

    /// Deeper nesting than any of our files has would only exhaust the stack.
    private mutating func nested<Result>(
        _ read: (inout JSONReader) throws(DocumentError) -> Result
    ) throws(DocumentError) -> Result {
        guard depth < 64 else { throw error(expected: "at most 64 levels") }
        depth += 1
        defer { depth -= 1 }
        position += 1
        return try read(&self)
    }

    private mutating func readRecord() throws(DocumentError) -> [(key: String, value: DocumentNode)] {
        var entries: [(key: String, value: DocumentNode)] = []
        guard !accept("}") else { return [] }
        repeat {
            skipBlanks()
            guard peek == UInt8(ascii: "\"") else { throw error(expected: "a key in quotation marks") }
            let key = try readString()
            guard !entries.contains(where: { $0.key == key }) else {
                throw error(expected: "each key once: \"\(key)\"")
            }
            guard accept(":") else { throw error(expected: "\":\"") }
            entries.append((key, try readValue()))
        } while accept(",")
        guard accept("}") else { throw error(expected: "\",\" or \"}\"") }
        return entries
    }

    private mutating func readList() throws(DocumentError) -> [DocumentNode] {
        var items: [DocumentNode] = []
        guard !accept("]") else { return [] }
        repeat { items.append(try readValue()) } while accept(",")
        guard accept("]") else { throw error(expected: "\",\" or \"]\"") }
        return items
    }

    private mutating func readWord<Value>(_ word: StaticString, _ value: Value) throws(DocumentError) -> Value {
        let word = word.withUTF8Buffer { Array($0) }
        guard bytes[position...].starts(with: word) else { throw error(expected: "a value") }
        position += word.count
        return value
    }

    private mutating func readNumber() throws(DocumentError) -> String {
        let start = position
        acceptByte(UInt8(ascii: "-"))
        if !acceptByte(UInt8(ascii: "0")), skipDigits() == 0 {
            throw start == position ? error(expected: "a value") : error(expected: "a digit")
        }
        if acceptByte(UInt8(ascii: ".")), skipDigits() == 0 { throw error(expected: "a digit") }
        if acceptByte(UInt8(ascii: "e")) || acceptByte(UInt8(ascii: "E")) {
            if !acceptByte(UInt8(ascii: "+")) { acceptByte(UInt8(ascii: "-")) }
            if skipDigits() == 0 { throw error(expected: "a digit") }
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skipDigits() -> Int {
        let start = position
        while let byte = peek, NumberText.decimalDigit(byte) != nil { position += 1 }
        return position - start
    }

    private mutating func readString() throws(DocumentError) -> String {
        position += 1
        var text: [UInt8] = []
        while let byte = peek, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw error(expected: "the closing quotation mark") }
            position += 1
            if byte == UInt8(ascii: "\\") {
                text.append(contentsOf: String(try readEscape()).utf8)
            } else {
                text.append(byte)
            }
        }
        guard peek != nil else { throw error(expected: "the closing quotation mark") }
        position += 1
        guard let string = String(validating: text, as: UTF8.self) else { throw error(expected: "a text in UTF-8") }
        return string
    }

    private mutating func readEscape() throws(DocumentError) -> Unicode.Scalar {
        guard let byte = peek else { throw error(expected: "an escape") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return try readUnicodeEscape()
        default: throw error(expected: "one of the escapes \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")
        }
    }

    /// Four hexadecimal digits, or two such escapes that form a surrogate pair.
    private mutating func readUnicodeEscape() throws(DocumentError) -> Unicode.Scalar {
        let unit = try readHexadecimal()
        if let scalar = Unicode.Scalar(unit) { return scalar }
        guard unit < 0xdc00, acceptByte(UInt8(ascii: "\\")), acceptByte(UInt8(ascii: "u")),
            case let low = try readHexadecimal(), (0xdc00..<0xe000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xd800) << 10 + (low - 0xdc00))
        else { throw error(expected: "the second half of a surrogate pair") }
        return scalar
    }

    private mutating func readHexadecimal() throws(DocumentError) -> UInt32 {
        let digits = String(decoding: bytes[position...].prefix(4), as: UTF8.self)
        guard digits.utf8.count == 4, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16) else {
            throw error(expected: "four hexadecimal digits")
        }
        position += 4
        return value
    }

    // MARK: Bytes

    private var peek: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private mutating func accept(_ character: Unicode.Scalar) -> Bool {
        skipBlanks()
        return acceptByte(UInt8(ascii: character))
    }

    @discardableResult
    private mutating func acceptByte(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        position += 1
        return true
    }

    private mutating func skipBlanks() {
        while let byte = peek {
            if byte == UInt8(ascii: "\n") {
                line += 1
                lineStart = position + 1
            } else if byte != UInt8(ascii: " "), byte != UInt8(ascii: "\t"), byte != UInt8(ascii: "\r") {
                return
            }
            position += 1
        }
    }

    private func error(expected: String) -> DocumentError {
        let found =
            peek.map { $0 < 0x80 ? "\"\(Character(Unicode.Scalar($0)))\"" : "byte \($0)" } ?? "the end of the text"
        return DocumentError(
            file: file, line: line, column: position - lineStart + 1, found: found, expected: expected)
    }
}
