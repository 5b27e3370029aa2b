// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

/// The databases in which image targets are looked for.
struct TargetDatabases: ParsableArguments {
    @Option(
        name: .customLong("targets"),
        help: ArgumentHelp(
            "Look for the image targets of a database; may be given several times.", valueName: "database"))
    var files: [String] = []
    @Option(help: ArgumentHelp("How many image targets are shown at most at one time.", valueName: "n"))
    var maximumTargets = 20

    func validate() throws {
        guard maximumTargets >= 1 else {
            throw ValidationError("--maximum-targets must be 1 or more, not \(maximumTargets)")
        }
    }

    /// The databases, each named after its file; `nil` without any.
    func open() throws -> [(name: String, database: TargetDatabase)]? {
        files.isEmpty ? nil : try Self.open(files)
    }

    static func open(_ files: [String]) throws -> [(name: String, database: TargetDatabase)] {
        var databases: [(name: String, database: TargetDatabase)] = []
        for file in files.map({ URL(fileURLWithPath: $0) }) {
            let name = file.deletingPathExtension().lastPathComponent
            guard !databases.contains(where: { $0.name == name }) else {
                throw ValidationError("two databases are called '\(name)': rename a file")
            }
            databases.append((name, try TargetDatabase(opening: file, isVerified: true)))
        }
        return databases
    }

    /// What a session looks for; `nil` without databases.
    func search(interval: Int = 1) throws -> ImageTargetSearch? {
        try open().map { ImageTargetSearch(databases: $0, maximumCount: maximumTargets, interval: interval) }
    }
}

extension TargetRecognizer {
    /// A recogniser that knows these databases.
    init(_ databases: [(name: String, database: TargetDatabase)]) {
        self.init()
        for entry in databases { activate(entry.database, as: entry.name) }
    }
}
