// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

/// Databases of image targets: made, judged and tried.
struct TargetsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "targets", abstract: "Build, score and try databases of image targets.",
        subcommands: [TargetsBuildCommand.self, TargetsScoreCommand.self, TargetsTryCommand.self])
}

struct TargetsBuildCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "build", abstract: "Build a database of pictures.",
        discussion: """
            PICTURES is a folder of PNG, JPEG, PGM or PPM files, each named after its target, or a list: a CSV table with \
            the columns name, picture and, where it is known, width_m, or JSON: \
            {"arsim_targets": 1, "targets": [{"name": …, "picture": …, "width_m": …}]}. Paths begin at the list's own \
            folder. All other columns or keys are kept as the target's record.
            """)

    @Argument(help: ArgumentHelp("A folder of pictures, or a list in CSV or JSON.", valueName: "pictures"))
    var pictures: String
    @Option(name: .shortAndLong, help: ArgumentHelp("The database's file.", valueName: "file")) var output: String
    @Option(help: ArgumentHelp("The width of prints for which the list states none.", valueName: "metres"))
    var width: Double?

    func validate() throws {
        if let width { try require(width, within: 0.001...100, of: "--width") }
    }

    func run() throws {
        let (place, file) = (URL(fileURLWithPath: pictures), URL(fileURLWithPath: output))
        guard FileManager.default.fileExists(atPath: place.path) else {
            throw MissingInput(input: pictures, expected: "a folder of pictures, or a list")
        }
        try Outputs(files: [file]).prepare(besides: [place])
        let list = try ReferenceList(contentsOf: place)
        var progress = ProgressBar("building", total: list.entries.count)
        defer { progress.finish() }
        var builder = try TargetDatabaseBuilder(file: file)
        for entry in list.entries {
            var reference = try entry.reference()
            reference.physicalWidth = reference.physicalWidth ?? width
            try builder.add(reference)
            progress.show(builder.targetCount)
        }
        try builder.finish()
        let database = try TargetDatabase(opening: file, isVerified: true)
        progress.finish()
        let bytes = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
        print("database    \(counted(database.targets.count, "target")), \((bytes + 1023) / 1024) KiB")
        let unsized = database.targets.count { $0.physicalSize == nil }
        if unsized > 0 { print("width       not stated for \(unsized): their size is measured in the world") }
        for name in database.neverNamed {
            print("never named \(name): hardly more than a four-sided figure; see arsim targets score, and add detail")
        }
        print("file        \(file.relativePath)")
    }
}
