// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A buffered writer of a file under its final name: for files that are read while they grow.
///
/// What was written before the last ``flush()`` survives the end of the process.
public final class FileWriter {
    /// The file's path.
    public let path: String
    private var descriptor: Int32
    private var buffer: [UInt8] = []
    private static let bufferSize = 1 << 16

    /// Starts a new, empty file, in place of what had the name.
    public convenience init(creating file: URL) throws(FileError) {
        let descriptor = open(file.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw .cannotWrite(file: file.path, reason: FileError.systemReason) }
        self.init(path: file.path, owning: descriptor)
    }

    /// Writes to an open file, which is closed with the writer.
    init(path: String, owning descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
        buffer.reserveCapacity(Self.bufferSize)
    }

    deinit { if descriptor >= 0 { Glibc.close(descriptor) } }

    /// Appends bytes.
    public func write(_ bytes: some Sequence<UInt8>) throws(FileError) {
        buffer.append(contentsOf: bytes)
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Appends a text in UTF-8.
    public func write(_ text: String) throws(FileError) { try write(text.utf8) }

    /// Hands everything written so far to the system.
    public func flush() throws(FileError) {
        var start = 0
        while start < buffer.count {
            let written = buffer.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + start, $0.count - start) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .cannotWrite(file: path, reason: FileError.systemReason) }
            start += written
        }
        buffer.removeAll(keepingCapacity: true)
    }

    /// Flushes and closes; nothing can be written afterwards.
    public func close() throws(FileError) {
        try flush()
        let status = Glibc.close(descriptor)
        descriptor = -1
        guard status == 0 else { throw .cannotWrite(file: path, reason: FileError.systemReason) }
    }
}
