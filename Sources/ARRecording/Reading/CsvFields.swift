// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing

/// The values of one line of a table: separated by commas, or by blanks where the line has no comma.
struct CsvFields {
    let fields: [ArraySlice<UInt8>]
    let line: Int
    let file: String

    init(_ line: TextLine, file: String) {
        let isComma = line.bytes.contains(UInt8(ascii: ","))
        fields =
            isComma
            ? line.bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map(Self.trimmed)
            : line.bytes.split(whereSeparator: Self.isBlank)
        self.line = line.number
        self.file = file
    }

    /// The values of a line that must have as many as the table has columns.
    init(_ line: TextLine, file: String, columns: ClosedRange<Int>) throws(RecordingError) {
        self.init(line, file: file)
        guard columns.contains(fields.count) else {
            let expected =
                columns.count == 1 ? "\(columns.lowerBound)" : "\(columns.lowerBound) to \(columns.upperBound)"
            throw RecordingError(
                .columnCount, file: file, line: self.line, found: "\(fields.count) columns",
                expected: "\(expected) columns")
        }
    }

    /// The stamp in a column, in whole nanoseconds.
    func timestamp(_ column: Int) throws(RecordingError) -> Timestamp {
        guard let nanoseconds = NumberText.int64(fields[column]) else {
            throw RecordingError(
                .badNumber, file: file, line: line, found: "\"\(text(column))\" in column \(column + 1)",
                expected: "a stamp in whole nanoseconds")
        }
        return Timestamp(nanoseconds: nanoseconds)
    }

    /// The stamp in a column, which counts a unit of 10 to the power of `decimalPlacesOfUnit` nanoseconds.
    func timestamp(_ column: Int, decimalPlacesOfUnit: Int) throws(RecordingError) -> Timestamp {
        guard let nanoseconds = NumberText.nanoseconds(fields[column], decimalPlacesOfUnit: decimalPlacesOfUnit) else {
            throw RecordingError(
                .badNumber, file: file, line: line, found: "\"\(text(column))\" in column \(column + 1)",
                expected: "a stamp")
        }
        return Timestamp(nanoseconds: nanoseconds)
    }

    /// The finite numbers in columns.
    func doubles(_ columns: Range<Int>) throws(RecordingError) -> [Double] {
        var numbers: [Double] = []
        for column in columns { numbers.append(try double(column)) }
        return numbers
    }

    /// The finite number in a column.
    func double(_ column: Int) throws(RecordingError) -> Double {
        guard let value = NumberText.double(fields[column]) else {
            throw RecordingError(
                .badNumber, file: file, line: line, found: "\"\(text(column))\" in column \(column + 1)",
                expected: "a number")
        }
        guard value.isFinite else {
            throw RecordingError(
                .notFinite, file: file, line: line, found: "\(text(column)) in column \(column + 1)",
                expected: "a finite number")
        }
        return value
    }

    /// The text in a column.
    func text(_ column: Int) -> String { String(decoding: fields[column], as: UTF8.self) }

    private static func trimmed(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var field = field.drop(while: isBlank)
        while let last = field.last, isBlank(last) { field.removeLast() }
        return field
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
}
