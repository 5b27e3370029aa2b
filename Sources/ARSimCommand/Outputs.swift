// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation

/// The places that a command writes to, made ready before its work begins: minutes of replaying must not end at a
/// folder that does not exist, nor at the input.
struct Outputs {
    /// Files that are written, each whole or not at all. Their folders are made.
    var files: [URL] = []
    /// Folders that receive files. They are made.
    var folders: [URL] = []

    /// Checks that the places are neither each other nor an input, and makes the folders.
    func prepare(besides inputs: [URL] = []) throws {
        var taken: [String: String] = [:]
        for input in inputs { taken[input.resolvedPath] = inputs.count == 1 ? "the input" : "an input" }
        for place in files + folders {
            if let owner = taken.updateValue("another output", forKey: place.resolvedPath) {
                throw ValidationError("'\(place.relativePath)' is \(owner): choose another place for the output")
            }
        }
        for folder in folders + files.map({ $0.deletingLastPathComponent() }) {
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            } catch {
                throw UnusableOutput(place: folder, found: folder.reasonWhyNoFolder)
            }
            guard access(folder.path, W_OK) == 0 else {
                throw UnusableOutput(place: folder, found: "a folder in which nothing can be written")
            }
        }
        for file in files where file.isFolder { throw UnusableOutput(place: file, found: "a folder, not a file") }
    }
}

/// A place that cannot be written to.
struct UnusableOutput: Error, CustomStringConvertible {
    let place: URL
    let found: String

    var description: String {
        "\(place.path): found \(found), expected a place to write to; choose another one for the output"
    }
}

extension URL {
    /// The path by which one place is told from another, whatever links and dots lead to it.
    fileprivate var resolvedPath: String { standardizedFileURL.resolvingSymlinksInPath().path }

    /// The system's words for why no folder can be made here.
    fileprivate var reasonWhyNoFolder: String {
        guard access(path, F_OK) != 0 else { return "a file, not a folder" }
        return mkdir(path, 0o777) == 0 ? "no folder" : String(cString: strerror(errno)).lowercased()
    }
}
