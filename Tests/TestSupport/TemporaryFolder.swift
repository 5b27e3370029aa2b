// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A folder for one test's files, removed with the value.
public final class TemporaryFolder: Sendable {
    /// The folder.
    public let url: URL

    /// Makes a new, empty folder.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("arsim-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A file or folder in it.
    public func callAsFunction(_ path: String) -> URL { url.appendingPathComponent(path) }

    /// Writes a text file in it.
    public func write(_ text: String, to path: String) throws { try Data(text.utf8).write(to: self(path)) }

    /// The names in a subfolder, sorted.
    public func names(in path: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: self(path).path).sorted()
    }
}
