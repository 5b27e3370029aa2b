// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing
import Foundation

/// A row of one of a recording's tables.
struct TimedRow<Value> {
    let timestamp: Timestamp
    let value: Value
    let line: Int
    /// The rule that the row's stamp breaks, where it breaks one.
    let orderError: RecordingError?
}

/// Reads a table whose rows are lines with stamps, in the order of the stamps, one row at a time.
///
/// Blank lines and lines that start with `#` are no rows. After an error the next call goes on with the next row.
final class TimedTable<Value> {
    typealias Parser = (TextLine, String) throws(RecordingError) -> (timestamp: Timestamp, value: Value)

    let name: String
    private let reader: LineReader
    private let parse: Parser
    private let allowsEqualStamps: Bool
    private let dropsUnterminatedRow: Bool
    private var last: Timestamp?
    /// Whether the last row that was read lacks its line's end.
    private(set) var endedUnterminated = false

    /// Opens a table.
    /// - Parameters:
    ///   - allowsEqualStamps: whether rows may have the same stamp.
    ///   - dropsUnterminatedRow: whether a last row without a line's end is taken for half-written and left out.
    init(
        _ file: URL, name: String, allowsEqualStamps: Bool = false, dropsUnterminatedRow: Bool = false,
        parse: @escaping Parser
    ) throws(RecordingError) {
        do { reader = try LineReader(file) } catch { throw RecordingError(error, name: name) }
        self.name = name
        self.allowsEqualStamps = allowsEqualStamps
        self.dropsUnterminatedRow = dropsUnterminatedRow
        self.parse = parse
    }

    /// The next row, or `nil` at the end.
    func next() throws(RecordingError) -> TimedRow<Value>? {
        guard let row = try nextInAnyOrder() else { return nil }
        if let error = row.orderError { throw error }
        return row
    }

    /// The next row, wherever its stamp lies, or `nil` at the end.
    func nextInAnyOrder() throws(RecordingError) -> TimedRow<Value>? {
        while let line = try nextLine() {
            guard !line.isBlank, line.bytes.first != UInt8(ascii: "#") else { continue }
            if !line.isTerminated {
                guard !dropsUnterminatedRow else { return nil }
                endedUnterminated = true
            }
            let (timestamp, value) = try parse(line, name)
            return TimedRow(
                timestamp: timestamp, value: value, line: line.number,
                orderError: orderError(timestamp, line: line.number))
        }
        return nil
    }

    private func nextLine() throws(RecordingError) -> TextLine? {
        do { return try reader.next() } catch { throw RecordingError(error, name: name) }
    }

    /// Keeps the latest stamp, so that one row out of order is one error, not an error for every row after it.
    private func orderError(_ timestamp: Timestamp, line: Int) -> RecordingError? {
        if let last, timestamp < last {
            return RecordingError(
                .stampOrder, file: name, line: line, found: "\(timestamp) after \(last)", expected: "a later stamp")
        }
        if timestamp == last, !allowsEqualStamps {
            return RecordingError(
                .duplicateStamp, file: name, line: line, found: "\(timestamp) twice", expected: "a later stamp")
        }
        last = timestamp
        return nil
    }
}
