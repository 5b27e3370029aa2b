// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import Foundation

/// Bytes that are gathered first and read later. What lies on a disk may fail; what is in memory does not.
protocol ByteStore {
    var count: Int { get }
    /// Adds bytes behind the last; where that fails, the store holds what it held before.
    mutating func append(_ bytes: [UInt8]) throws(FileError)
    /// Forgets all but the first bytes.
    mutating func truncate(to count: Int)
    /// All bytes, in the order in which they came.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) throws(FileError) -> Result
}

/// Bytes in memory.
struct ByteArray: ByteStore {
    private var bytes: [UInt8] = []

    var count: Int { bytes.count }

    mutating func append(_ bytes: [UInt8]) { self.bytes += bytes }

    mutating func truncate(to count: Int) { bytes.removeSubrange(count...) }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes(body)
    }
}

/// Bytes on the disk, in a file without a name, which is gone with the store or the process.
final class ByteFile: ByteStore {
    private let path: String
    private let descriptor: Int32
    private(set) var count = 0

    /// An empty store in a folder.
    init(in folder: URL) throws(FileError) {
        var template = Array(folder.appendingPathComponent(".arsim-XXXXXX").path.utf8CString)
        descriptor = mkstemp(&template)
        path = folder.path
        guard descriptor >= 0 else { throw .cannotWrite(file: path, reason: String(cString: strerror(errno))) }
        unlink(template)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func append(_ bytes: [UInt8]) throws(FileError) {
        var start = 0
        while start < bytes.count {
            let written = bytes.withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress! + start, $0.count - start, off_t(count + start))
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw .cannotWrite(file: path, reason: String(cString: strerror(errno))) }
            start += written
        }
        count += bytes.count
    }

    func truncate(to count: Int) {
        precondition((0...self.count).contains(count), "there are \(self.count) bytes, not \(count)")
        self.count = count
    }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) throws(FileError) -> Result {
        guard count > 0 else { return body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        let address = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let address, address != MAP_FAILED else {
            throw .cannotOpen(file: path, reason: String(cString: strerror(errno)))
        }
        defer { munmap(address, count) }
        return body(UnsafeRawBufferPointer(start: address, count: count))
    }
}
