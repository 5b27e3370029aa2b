// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Why pictures cannot become a database, or a file is none.
public enum TargetDatabaseError: Error, Hashable, Sendable {
    /// A target has no name.
    case nameMissing
    /// Two targets have one name.
    case nameTaken(name: String)
    /// A picture is smaller than features are.
    case pictureTooSmall(name: String, found: ImageSize, leastSide: Int)
    /// A picture is more than eight times as long as wide.
    case pictureTooNarrow(name: String, found: ImageSize)
    /// A width that no print has.
    case widthOutOfRange(name: String, found: Double)
    /// There is too little in a picture to recognise it by.
    case tooFewFeatures(name: String, found: Int)
    /// A database with that target would have more of something than its file can count.
    case databaseFull(name: String, found: Int, of: String, most: Int)
    /// The file cannot be read.
    case cannotOpen(file: String, reason: String)
    /// The file is something else.
    case notADatabase(file: String)
    /// The file was written by another version of arsim.
    case unknownVersion(file: String, found: UInt32, expected: UInt32)
    /// The file ends too early or too late.
    case wrongSize(file: String, found: Int, expected: UInt64)
    /// The file's bytes contradict themselves.
    case damaged(file: String, offset: Int, reason: String)
}

extension TargetDatabaseError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .nameMissing: "a target has no name; give each picture a name of its own"
        case .nameTaken(let name): "two targets are called \"\(name)\"; give each picture a name of its own"
        case .pictureTooSmall(let name, let found, let leastSide):
            "\(name): the picture is \(found), expected at least \(leastSide) pixels each way; give a larger picture"
        case .pictureTooNarrow(let name, let found):
            "\(name): the picture is \(found), expected no more than 8 times as long as wide; cut it into several targets"
        case .widthOutOfRange(let name, let found):
            "\(name): the print's width is \(found) m, expected a positive number below 1,000,000; check the unit"
        case .tooFewFeatures(let name, let found):
            "\(name): \(found) features, expected at least 12; give a picture with more structure, or with less margin"
        case .databaseFull(let name, let found, let what, let most):
            "\(name): with it there were \(found) \(what), expected at most \(most); put it into another database"
        case .cannotOpen(let file, let reason):
            "\(file): cannot be opened: \(reason); check the path and its permissions"
        case .notADatabase(let file): "\(file): is no database of image targets; build one with `arsim targets build`"
        case .unknownVersion(let file, let found, let expected):
            "\(file): version \(found), expected \(expected); build the database again with this arsim"
        case .wrongSize(let file, let found, let expected):
            "\(file): \(found) bytes, expected \(expected); copy or build the file again"
        case .damaged(let file, let offset, let reason):
            "\(file): at byte \(offset): \(reason); copy or build the file again"
        }
    }
}
