// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing
import Foundation

/// Writes a table whose rows have stamps that increase, in the order of their stamps even where they are given late.
final class TableWriter {
    let name: String
    private let writer: FileWriter
    private let allowsEqualStamps: Bool
    private let longestDelay: Int64
    private var last: Timestamp?
    private var latest: Timestamp?
    /// Rows before which others may still come, in the order of their stamps.
    private var waiting: [(timestamp: Timestamp, row: String)] = []

    /// Starts a table.
    /// - Parameter longestDelay: how much later than its stamp a row may be given, in nanoseconds: so long each waits.
    init(
        _ layout: RecordingLayout, _ name: String, header: String? = nil, allowsEqualStamps: Bool = false,
        longestDelay: Int64 = 0
    ) throws(RecordingError) {
        self.name = name
        self.allowsEqualStamps = allowsEqualStamps
        self.longestDelay = longestDelay
        do {
            writer = try FileWriter(creating: layout.url(name))
            if let header { try writer.write(header + "\n") }
        } catch {
            throw RecordingError(error, name: name)
        }
    }

    /// Appends a row; it reaches the disk with the next ``flush()``, once no other can come before it.
    func append(_ row: String, at timestamp: Timestamp) throws(RecordingError) {
        guard longestDelay > 0 else { return try write(row, at: timestamp) }
        let index = waiting.lastIndex { $0.timestamp <= timestamp }.map { $0 + 1 } ?? 0
        waiting.insert((timestamp, row), at: index)
        latest = max(latest ?? timestamp, timestamp)
        while let first = waiting.first, let latest, latest.nanoseconds(since: first.timestamp) > longestDelay {
            try writeFirst()
        }
    }

    /// Writes every row that still waits: no other comes before it.
    func finish() throws(RecordingError) {
        while !waiting.isEmpty { try writeFirst() }
    }

    private func writeFirst() throws(RecordingError) {
        let (timestamp, row) = waiting.removeFirst()
        try write(row, at: timestamp)
    }

    private func write(_ row: String, at timestamp: Timestamp) throws(RecordingError) {
        if let last, timestamp < last || timestamp == last && !allowsEqualStamps {
            throw RecordingError(
                timestamp == last ? .duplicateStamp : .stampOrder, file: name, found: "\(timestamp) after \(last)",
                expected: "a later stamp")
        }
        last = timestamp
        do { try writer.write(row + "\n") } catch { throw RecordingError(error, name: name) }
    }

    func flush() throws(RecordingError) {
        do { try writer.flush() } catch { throw RecordingError(error, name: name) }
    }
}

extension RecordingLayout {
    /// Whether nothing would be overwritten.
    func isEmpty() throws(RecordingError) -> Bool {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) else { return true }
        guard isFolder.boolValue, let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            return false
        }
        return names.isEmpty
    }

    func makeFolder(_ name: String) throws(RecordingError) {
        do {
            try FileManager.default.createDirectory(at: url(name), withIntermediateDirectories: true)
        } catch {
            throw RecordingError(
                .unwritableFile, file: url(name).path, found: error.localizedDescription,
                expected: "a folder that can be made")
        }
    }

    /// Writes a small file, whole or not at all.
    func write(_ text: String, to name: String) throws(RecordingError) {
        do {
            let file = try AtomicFile(replacing: url(name))
            try file.write(text)
            try file.commit()
        } catch {
            throw RecordingError(error, name: name)
        }
    }
}
