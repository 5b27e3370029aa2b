// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Why a file cannot be read or written as bytes or lines.
public enum FileError: Error, Hashable, Sendable {
    /// The file cannot be opened.
    case cannotOpen(file: String, reason: String)
    /// Reading stopped.
    case cannotRead(file: String, reason: String)
    /// Writing, or giving the file its final name, failed.
    case cannotWrite(file: String, reason: String)
    /// A line of a text file is longer than ``LineReader/longestLine`` bytes: it is no text file.
    case lineTooLong(file: String, line: Int)

    /// The system's words for the last failure of a call.
    static var systemReason: String { String(cString: strerror(errno)) }

    /// Why Foundation failed to read a file: in the system's words where it gives any.
    package static func reason(_ error: any Error, file: URL) -> String {
        guard access(file.path, R_OK) == 0 else { return systemReason }
        return file.isFolder ? String(cString: strerror(EISDIR)) : (error as NSError).localizedDescription
    }
}

extension FileError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .cannotOpen(let file, let reason):
            "\(file): cannot be opened: \(reason); check the path and its permissions"
        case .cannotRead(let file, let reason): "\(file): cannot be read: \(reason)"
        case .cannotWrite(let file, let reason):
            "\(file): cannot be written: \(reason); check the disk's space and the folder's permissions"
        case .lineTooLong(let file, let line):
            "\(file):\(line): a line is longer than \(LineReader.longestLine) bytes; give a text file"
        }
    }
}
