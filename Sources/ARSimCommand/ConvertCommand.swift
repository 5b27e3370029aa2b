// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

extension TrajectoryFormat: ExpressibleByArgument {}

struct ConvertCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert", abstract: "Turn foreign logs into a recording, or a trajectory into another format.",
        discussion: """
            INPUT decides what is made:

              a recipe (YAML)   a recording of the logs that the recipe describes; they lie in the folder --data
              a recording       the same recording written anew, its pictures as PNG files
              a trajectory      a TUM or EuRoC trajectory in the other format, or in that of --format

            Recipes for two public data sets lie in Tools/recipes; the article Recipes describes their keys.
            """)

    @Argument(help: "A recipe's file, a recording's folder, or a trajectory's file.") var input: String
    @Option(name: .shortAndLong, help: "The recording's folder, or the trajectory's file.") var output: String
    @Option(help: ArgumentHelp("Where the files that a recipe names lie.", valueName: "folder")) var data: String = "."
    @Option(help: "The trajectory's format; without it, the output's extension decides: .csv is EuRoC, others TUM.")
    var format: TrajectoryFormat?

    private var source: URL { URL(fileURLWithPath: input) }
    private var target: URL { URL(fileURLWithPath: output) }

    func run() throws {
        switch try kindOfInput() {
        case .recipe:
            let recipe = try Recipe(reading: source)
            try report("frame") { progress in
                try recipe.makeRecording(from: URL(fileURLWithPath: data), to: target, progress: progress)
            }
        case .recording:
            let recording = try Recording(opening: source)
            try report("frame") { progress in
                try RecordingWriter.convert(recording, to: target, progress: progress)
            }
        case .trajectory:
            try Outputs(files: [target]).prepare(besides: [source])
            let byExtension: TrajectoryFormat = target.pathExtension == "csv" ? .euroc : .tum
            try report("pose") { _ in
                try TrajectoryConversion.convert(source, to: target, format: format ?? byExtension)
            }
        }
    }

    private enum KindOfInput { case recipe, recording, trajectory }

    private func kindOfInput() throws -> KindOfInput {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: source.path, isDirectory: &isDirectory) else {
            throw MissingInput(input: input, expected: "a recipe, a recording's folder, or a trajectory")
        }
        if isDirectory.boolValue { return .recording }
        return ["yaml", "yml"].contains(source.pathExtension) ? .recipe : .trajectory
    }

    private func report(_ thing: String, _ convert: ((Int) -> Void) throws -> Int) throws {
        let count = try showingProgress(convert)
        print("converted   " + counted(count, thing))
        print("output      \(output)")
    }

    private func showingProgress(_ convert: ((Int) -> Void) throws -> Int) throws -> Int {
        var progress = ProgressBar("converting", total: nil)
        defer { progress.finish() }
        return try convert { progress.show($0) }
    }
}
