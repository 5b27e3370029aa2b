// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing
import Foundation

/// A unit of time in a recipe.
enum RecipeTimeUnit: String, CaseIterable, Sendable {
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"
    case nanoseconds = "ns"

    /// The unit is 10 to this power of nanoseconds.
    var decimalPlaces: Int {
        switch self {
        case .seconds: 9
        case .milliseconds: 6
        case .microseconds: 3
        case .nanoseconds: 0
        }
    }
}

/// A text table that a recipe names, and what its columns are.
struct RecipeTable: Sendable {
    /// How the columns are found.
    enum Columns: Sendable {
        /// By position: a name for each column, `_` for those that are not used.
        case positions([String])
        /// By the names in the file's first line: our name, the file's.
        case header([(key: String, value: String)])
    }

    static let keys = ["file", "columns", "time_unit", "time_offset_ns"]

    let file: String
    let columns: Columns
    let timeUnit: RecipeTimeUnit
    /// Is added to the file's stamps.
    let timeOffset: Int64

    /// Reads the keys `file`, `columns`, `time_unit` and `time_offset_ns`.
    /// - Parameters:
    ///   - needed: columns that must be named.
    ///   - extraKeys: keys of the record that belong to somebody else.
    init(_ node: DocumentNode, needed: [String], extraKeys: [String] = []) throws(DocumentError) {
        try node.check(keys: Self.keys + extraKeys)
        file = try node.required("file").string()
        timeUnit = try node.value("time_unit")?.choice(of: RecipeTimeUnit.self) ?? .nanoseconds
        timeOffset = try node.value("time_offset_ns")?.int64() ?? 0
        let columnsNode = try node.required("columns")
        var names: [String] = []
        if case .record(let entries) = columnsNode.content {
            var header: [(key: String, value: String)] = []
            for (key, value) in entries { header.append((key, try value.string())) }
            columns = .header(header)
            names = header.map(\.key)
        } else {
            for item in try columnsNode.items() { names.append(try item.string()) }
            columns = .positions(names)
        }
        for name in needed where !names.contains(name) {
            throw columnsNode.error(expected: "a column \"\(name)\"")
        }
    }

    /// Whether the table has a column of that name.
    func has(_ name: String) -> Bool {
        switch columns {
        case .positions(let names): names.contains(name)
        case .header(let entries): entries.contains { $0.key == name }
        }
    }
}

/// A row of a recipe's table.
struct RecipeRow {
    let fields: CsvFields
    private let positions: [String: Int]
    private let table: RecipeTable

    init(_ fields: CsvFields, positions: [String: Int], table: RecipeTable) {
        self.fields = fields
        self.positions = positions
        self.table = table
    }

    /// The row's instant.
    func timestamp() throws(RecordingError) -> Timestamp {
        try fields.timestamp(position("time"), decimalPlacesOfUnit: table.timeUnit.decimalPlaces)
            .advanced(byNanoseconds: table.timeOffset)
    }

    /// The numbers of columns.
    func numbers(_ names: [String]) throws(RecordingError) -> [Double] {
        var numbers: [Double] = []
        for name in names { numbers.append(try fields.double(position(name))) }
        return numbers
    }

    /// The text of a column.
    func text(_ name: String) -> String { fields.text(position(name)) }

    /// Whether none of the columns has a value.
    func isEmpty(_ names: [String]) -> Bool { names.allSatisfy { fields.fields[position($0)].isEmpty } }

    private func position(_ name: String) -> Int {
        guard let position = positions[name] else { preconditionFailure("the recipe's table has no column \(name)") }
        return position
    }
}

/// Reads a recipe's table row by row.
final class RecipeTableReader {
    private let table: RecipeTable
    private let reader: LineReader
    private var positions: [String: Int] = [:]
    private var columnCount = 0

    init(_ table: RecipeTable, in folder: URL) throws(RecordingError) {
        self.table = table
        do {
            reader = try LineReader(folder.appendingPathComponent(table.file))
        } catch {
            throw RecordingError(error, name: table.file)
        }
        switch table.columns {
        case .positions(let names):
            for (position, name) in names.enumerated() where name != "_" { positions[name] = position }
        case .header(let entries):
            try findColumns(entries)
        }
        columnCount = (positions.values.max() ?? 0) + 1
    }

    /// The next row, or `nil` at the end.
    func next() throws(RecordingError) -> RecipeRow? {
        while let line = try nextLine() {
            guard !line.isBlank, line.bytes.first != UInt8(ascii: "#") else { continue }
            let fields = try CsvFields(line, file: table.file, columns: columnCount...Int.max)
            return RecipeRow(fields, positions: positions, table: table)
        }
        return nil
    }

    private func nextLine() throws(RecordingError) -> TextLine? {
        do { return try reader.next() } catch { throw RecordingError(error, name: table.file) }
    }

    /// Finds the columns by their names in the first line, which may start with `#`.
    private func findColumns(_ entries: [(key: String, value: String)]) throws(RecordingError) {
        guard let header = try nextLine() else {
            throw RecordingError(
                .recipe, file: table.file, line: 1, found: "an empty file", expected: "a line of column names")
        }
        let fields = CsvFields(header, file: table.file)
        let names = fields.fields.indices.map { fields.text($0) }
        for (key, value) in entries {
            guard let position = names.firstIndex(where: { $0 == value || $0 == "#" + value }) else {
                throw RecordingError(
                    .recipe, file: table.file, line: 1, found: "the columns " + names.joined(separator: ", "),
                    expected: "a column \"\(value)\"")
            }
            positions[key] = position
        }
    }
}
