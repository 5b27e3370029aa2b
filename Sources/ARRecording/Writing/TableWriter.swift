// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing
import Foundation

/// Writes a table whose rows have stamps that increase.
final class TableWriter {
    let name: String
    private let writer: FileWriter
    private let allowsEqualStamps: Bool
    private var last: Timestamp?

    init(
        _ layout: RecordingLayout, _ name: String, header: String? = nil, allowsEqualStamps: Bool = false
    ) throws(RecordingError) {
        self.name = name
        self.allowsEqualStamps = allowsEqualStamps
        do {
            writer = try FileWriter(creating: layout.url(name))
            if let header { try writer.write(header + "\n") }
        } catch {
            throw RecordingError(error, name: name)
        }
    }

    /// Appends a row; it reaches the disk with the next ``flush()``.
    func append(_ row: String, at timestamp: Timestamp) throws(RecordingError) {
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
