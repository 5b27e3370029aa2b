// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Data recorded by others, which tests read where they exist and never require.
public enum RealData {
    /// The folder: the environment's `ARSIM_DATA`, else `shared/data` beside the package.
    public static let folder: URL =
        ProcessInfo.processInfo.environment["ARSIM_DATA"].map { URL(fileURLWithPath: $0) } ?? besideThePackage

    private static let besideThePackage =
        URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../shared/data").standardizedFileURL

    /// Whether there is one where the shipped scenes that replay recordings look for it.
    public static let isBesideThePackage = FileManager.default.fileExists(atPath: besideThePackage.path)

    /// A file or folder of it.
    public static func url(_ path: String) -> URL { folder.appendingPathComponent(path) }

    /// Whether a file or folder of it exists: the condition of a test that needs it.
    public static func has(_ path: String) -> Bool { FileManager.default.fileExists(atPath: url(path).path) }
}
