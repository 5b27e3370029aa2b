// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A file that appears whole or not at all.
///
/// Bytes go to a temporary name in the same folder; ``commit()`` gives the file its name, in place of what had it.
/// Without `commit` (an error was thrown, or the process ended) the old file stays as it was.
public final class AtomicFile {
    private let target: String
    private let writer: FileWriter
    private var isCommitted = false

    /// Starts the file that will have that name.
    public init(replacing file: URL) throws(FileError) {
        target = file.path
        let folder = file.deletingLastPathComponent()
        var attempt = 0
        while true {
            let name = ".\(file.lastPathComponent).\(getpid()).\(attempt).partial"
            let path = folder.appendingPathComponent(name).path
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 {
                writer = FileWriter(path: path, owning: descriptor)
                return
            }
            guard errno == EEXIST else { throw .cannotWrite(file: file.path, reason: FileError.systemReason) }
            attempt += 1
        }
    }

    deinit { if !isCommitted { unlink(writer.path) } }

    /// Appends bytes.
    public func write(_ bytes: some Sequence<UInt8>) throws(FileError) { try writer.write(bytes) }

    /// Appends a text in UTF-8.
    public func write(_ text: String) throws(FileError) { try writer.write(text) }

    /// Gives the file its name. Nothing can be written afterwards.
    public func commit() throws(FileError) {
        try writer.close()
        guard rename(writer.path, target) == 0 else {
            throw .cannotWrite(file: target, reason: FileError.systemReason)
        }
        isCommitted = true
    }
}
