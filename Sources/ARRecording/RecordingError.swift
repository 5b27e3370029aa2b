// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles

/// A rule of the recording format that a recording breaks, and where.
///
/// Reading throws the first one; ``RecordingValidator`` lists them all.
public struct RecordingError: Error, Hashable, Sendable {
    /// The rule that is broken.
    public var rule: Rule
    /// The file, relative to the recording's folder.
    public var file: String
    /// The line, from 1, in text files.
    public var line: Int?
    /// The column, from 1, in JSON and YAML files.
    public var column: Int?
    /// What is there.
    public var found: String
    /// What should be there.
    public var expected: String

    /// A broken rule at a place.
    public init(
        _ rule: Rule, file: String, line: Int? = nil, column: Int? = nil, found: String, expected: String
    ) {
        self.rule = rule
        self.file = file
        self.line = line
        self.column = column
        self.found = found
        self.expected = expected
    }

    /// An error or a warning, as the rule says.
    public var severity: Severity { rule.severity }

    /// What to do about it.
    public var advice: String { rule.advice }

    /// How bad a broken rule is.
    public enum Severity: String, Hashable, Sendable {
        /// Reading fails, or gives wrong values.
        case error
        /// Reading works, but something is not as its maker meant it.
        case warning
        /// Nothing is wrong, or it is so on purpose.
        case information
    }
}

extension RecordingError: CustomStringConvertible {
    /// Where, what, what else was expected, what to do.
    public var description: String {
        let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
        return "\(file)\(place): found \(found), expected \(expected); \(advice)"
    }
}

extension RecordingError {
    /// The error that a JSON or YAML file is not what it should be.
    init(_ error: DocumentError) {
        self.init(
            .malformedDocument, file: error.file, line: error.line, column: error.column, found: error.found,
            expected: error.expected)
    }

    /// The error that a file's bytes or lines cannot be read.
    init(_ error: FileError, name: String) {
        switch error {
        case .cannotOpen(_, let reason):
            self.init(.missingFile, file: name, found: reason, expected: "a file that can be read")
        case .cannotRead(_, let reason):
            self.init(.unreadableFile, file: name, found: reason, expected: "a file on a healthy disk")
        case .cannotWrite(_, let reason):
            self.init(.unwritableFile, file: name, found: reason, expected: "a file that can be written")
        case .lineTooLong(_, let line):
            self.init(
                .unreadableFile, file: name, line: line, found: "a line of more than \(LineReader.longestLine) bytes",
                expected: "a text file")
        }
    }
}

/// Runs reading code whose errors are ``DocumentError``s.
func reading<Result>(_ body: () throws(DocumentError) -> Result) throws(RecordingError) -> Result {
    do { return try body() } catch { throw RecordingError(error) }
}
