// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles

/// A table of comma-separated values whose first row names the columns (RFC 4180): fields in quotes may hold commas, line
/// ends and doubled quotes.
struct CSVTable {
    private let rows: [[DocumentNode]]
    private let file: String

    /// Reads a table of bytes that are UTF-8; errors name the file.
    init(_ bytes: [UInt8], file: String) throws(DocumentError) {
        var reader = CSVReader(bytes, file: file)
        rows = try reader.rows()
        self.file = file
    }

    /// The rows behind the first as records, a key for each field that is not empty; at least one.
    /// - Parameter required: columns that there must be.
    func records(required: [String]) throws(DocumentError) -> [DocumentNode] {
        guard let head = rows.first, let first = head.first else {
            throw DocumentError(file: file, line: 1, column: 1, found: "nothing", expected: "a row that names columns")
        }
        var names: [String] = []
        for field in head {
            let name = try field.string()
            guard !name.isEmpty, !names.contains(name) else { throw field.error(expected: "a name for each column") }
            names.append(name)
        }
        for name in required where !names.contains(name) {
            throw first.error(expected: "columns with one named \"\(name)\"")
        }
        guard rows.count > 1 else { throw first.error(expected: "rows behind the columns' names") }
        var records: [DocumentNode] = []
        for row in rows.dropFirst() {
            guard row.count == names.count, let start = row.first else {
                throw DocumentError(
                    file: file, line: row[0].line, column: 1, found: "\(row.count) fields",
                    expected: "\(names.count), one for each column")
            }
            let entries = zip(names, row).filter { if case .string("") = $0.1.content { false } else { true } }
            records.append(
                DocumentNode(
                    .record(entries.map { (key: $0.0, value: $0.1) }), file: file, line: start.line, column: 1))
        }
        return records
    }
}

/// Takes a table apart.
private struct CSVReader {
    private let bytes: [UInt8]
    private let file: String
    private var position = 0
    private var line = 1
    private var lineStart = 0

    private static let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
    private static let (lineFeed, carriageReturn) = (UInt8(ascii: "\n"), UInt8(ascii: "\r"))

    init(_ bytes: [UInt8], file: String) {
        // A byte-order mark is no part of the first name.
        self.bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes.dropFirst(3)) : bytes
        self.file = file
    }

    /// All rows that are not blank.
    mutating func rows() throws(DocumentError) -> [[DocumentNode]] {
        var rows: [[DocumentNode]] = []
        while position < bytes.count {
            let row = try row()
            if row.count == 1, case .string("") = row[0].content { continue }
            rows.append(row)
        }
        return rows
    }

    private mutating func row() throws(DocumentError) -> [DocumentNode] {
        var fields = [try field()]
        while position < bytes.count, bytes[position] == Self.comma {
            position += 1
            fields.append(try field())
        }
        if position < bytes.count { skipLineEnd() }
        return fields
    }

    private mutating func field() throws(DocumentError) -> DocumentNode {
        let (startLine, column) = (line, position - lineStart + 1)
        let isQuoted = position < bytes.count && bytes[position] == Self.quote
        let text = isQuoted ? try quoted(startLine, column) : plain()
        return DocumentNode(.string(text), file: file, line: startLine, column: column)
    }

    private mutating func plain() -> String {
        let start = position
        while position < bytes.count, ![Self.comma, Self.lineFeed, Self.carriageReturn].contains(bytes[position]) {
            position += 1
        }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quoted(_ startLine: Int, _ column: Int) throws(DocumentError) -> String {
        var content: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == Self.quote {
                guard position < bytes.count, bytes[position] == Self.quote else {
                    try checkFieldEnd()
                    return String(decoding: content, as: UTF8.self)
                }
                position += 1
            } else if byte == Self.lineFeed {
                beginLine()
            }
            content.append(byte)
        }
        throw DocumentError(
            file: file, line: startLine, column: column, found: "a quote that is never closed",
            expected: "a closing one")
    }

    /// Behind a closing quote the field ends.
    private func checkFieldEnd() throws(DocumentError) {
        guard position < bytes.count, ![Self.comma, Self.lineFeed, Self.carriageReturn].contains(bytes[position])
        else { return }
        throw DocumentError(
            file: file, line: line, column: position - lineStart + 1, found: "more behind a closing quote",
            expected: "a comma or the line's end")
    }

    private mutating func beginLine() {
        line += 1
        lineStart = position
    }

    private mutating func skipLineEnd() {
        if bytes[position] == Self.carriageReturn { position += 1 }
        if position < bytes.count, bytes[position] == Self.lineFeed { position += 1 }
        beginLine()
    }
}
