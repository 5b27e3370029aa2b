// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A line of a text file.
public struct TextLine: Sendable {
    /// The line's number, from 1.
    public let number: Int
    /// The bytes, without the line's end (`\n` or `\r\n`) and without the byte-order mark of a first line.
    public let bytes: ArraySlice<UInt8>
    /// Whether a line's end follows; only a file's last line can lack it.
    public let isTerminated: Bool

    /// The line as text; bytes that are no UTF-8 become U+FFFD.
    public var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the line consists of blanks only.
    public var isBlank: Bool { bytes.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }
}

/// Reads a text file line by line; memory stays flat however long the file is.
public final class LineReader {
    /// The longest line that is read, in bytes.
    public static let longestLine = 1 << 24

    /// The file's path.
    public let path: String
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    private var lineNumber = 0
    private static let chunkSize = 1 << 16

    /// Opens a text file.
    public init(_ file: URL) throws(FileError) {
        path = file.path
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .cannotOpen(file: path, reason: FileError.systemReason) }
    }

    deinit { close(descriptor) }

    /// The next line, or `nil` at the end. An empty rest after the last line's end is no line.
    public func next() throws(FileError) -> TextLine? {
        var searched = position
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { position = end + 1 }
                return makeLine(position..<end, isTerminated: true)
            }
            if isAtEnd {
                guard position < buffer.count else { return nil }
                defer { position = buffer.count }
                return makeLine(position..<buffer.count, isTerminated: false)
            }
            let pending = buffer.count - position
            guard pending <= Self.longestLine else { throw .lineTooLong(file: path, line: lineNumber + 1) }
            try refill()
            searched = pending
        }
    }

    private func makeLine(_ range: Range<Int>, isTerminated: Bool) -> TextLine {
        var range = range
        if lineNumber == 0, buffer[range].starts(with: [0xef, 0xbb, 0xbf]) {
            range = range.lowerBound + 3..<range.upperBound
        }
        if let last = range.last, buffer[last] == UInt8(ascii: "\r") { range = range.lowerBound..<last }
        lineNumber += 1
        return TextLine(number: lineNumber, bytes: buffer[range], isTerminated: isTerminated)
    }

    /// Drops what was given out and appends the file's next bytes.
    private func refill() throws(FileError) {
        let pending = buffer.count - position
        let capacity = pending + Self.chunkSize
        var count = 0
        let next = [UInt8](unsafeUninitializedCapacity: capacity) { target, initialized in
            for offset in 0..<pending { target[offset] = buffer[position + offset] }
            repeat {
                count = read(descriptor, target.baseAddress! + pending, Self.chunkSize)
            } while count < 0 && errno == EINTR
            initialized = pending + max(count, 0)
        }
        guard count >= 0 else { throw .cannotRead(file: path, reason: FileError.systemReason) }
        isAtEnd = count == 0
        buffer = next
        position = 0
    }
}
