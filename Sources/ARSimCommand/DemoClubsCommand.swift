// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct DemoClubsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clubs",
        abstract: "Point the camera at football clubs' emblems, and be told each club's name, facts and colours.",
        discussion: """
            A hundred clubs are known that do not exist. The folder given with --output receives clubs.artargets, the \
            database; trace.jsonl; and pictures/ with what was recognised a second apart. Each emblem is named once, when it \
            is met. Where the input has a truth, recall, wrong names and the errors of poses are printed.
            """)

    @Argument(help: "A recording's folder, a scene's file, or the name of one that `arsim scenes` lists.")
    var input: SessionInput = SessionInput(shippedScene: "clubs")
    @Option(help: "tracked: poses are found from pictures and inertial samples; pinned: they are the truth's.")
    var mode: PoseMode = .tracked
    @Option(name: .shortAndLong, help: "The folder of the results.") var output = "out/demo-clubs"
    @Option(help: ArgumentHelp("The width of the emblems on cards; others are measured.", valueName: "metres"))
    var width = 0.1
    @Option(help: ArgumentHelp("How many of the hundred clubs are known.", valueName: "n"))
    var clubs = 100
    @OptionGroup var settings: SceneSettings

    func validate() throws {
        try require(width, within: 0.001...100, of: "--width")
        guard 1...100 ~= clubs else { throw ValidationError("--clubs must be 1 to 100, not \(clubs)") }
    }

    func run() throws {
        let folder = URL(fileURLWithPath: output)
        let (trace, file) = (
            folder.appendingPathComponent("trace.jsonl"), folder.appendingPathComponent("clubs.artargets")
        )
        let database = try buildDatabase(file, besides: input.url)
        let search = ImageTargetSearch(
            databases: [("clubs", database)], maximumCount: clubs, estimatesScale: true)
        let replay = try SessionReplay(
            input, settings: settings.set, mode: mode, configuration: SessionConfiguration(imageTargets: search))
        var tally = TargetTally()
        let session = try replay.run(
            trace: trace, pictures: folder.appendingPathComponent("pictures"), showing: .targets
        ) { frame in
            tally.count(frame)
            return []
        }
        guard !tally.entries.isEmpty else { throw CameToNothing.noEmblemNamed(frames: session.counts.frames) }
        for line in lines(about: tally) { print(line) }
        try printErrors(of: trace, source: replay.source)
        print("database    \(file.relativePath)")
        print("trace       \(trace.relativePath)")
    }

    /// The emblems as the program knows them, written and opened again as an app would.
    private func buildDatabase(_ file: URL, besides input: URL) throws -> TargetDatabase {
        try Outputs(files: [file]).prepare(besides: [input])
        var progress = ProgressBar("learning emblems", total: 2 * clubs)
        defer { progress.finish() }
        let references = (0..<clubs).map { number in
            progress.show(number)
            return InventedClub(number: number).reference(physicalWidth: width)
        }
        try TargetDatabase(building: references) { progress.show(clubs + $0) }.write(to: file)
        return try TargetDatabase(opening: file, isVerified: true)
    }

    /// Each club once, in the order in which their emblems were met.
    private func lines(about tally: TargetTally) -> [String] {
        var told: Set<String> = []
        let met = tally.entries.filter { told.insert($0.target.identity.name).inserted }
        return ["emblems     \(met.count) met in \(counted(tally.frameCount, "frame")), after seconds:"]
            + met.map { entry in
                let record = entry.target.target.record
                func word(_ key: String) -> String {
                    switch record[key] {
                    case .string(let text): text
                    case .integer(let number): String(number)
                    case .list(let items):
                        items.map { if case .string(let text) = $0 { text } else { $0.text } }
                            .joined(separator: " ")
                    default: "unknown"
                    }
                }
                let seconds = "\((entry.firstSeconds * 100).rounded() / 100)".leftPadded(to: 7)
                return "\(seconds)  \(word("name").padding(toLength: 14, withPad: " ", startingAt: 0)) founded "
                    + "\(word("founded")), \(word("web_page")), \(word("colors")), painted \(word("theme")) "
                    + "with text \(word("text"))"
            }
    }

    /// What the truth says of it; without a truth, nothing.
    private func printErrors(of trace: URL, source: any SensorSource & TruthSource) throws {
        guard let truth = try? Trajectory(truthOf: source), !truth.poses.isEmpty else { return }
        let evaluation = try ComparisonOptions.parse([]).compare(trace, with: TruthInput(input, source: source))
        guard let targets = evaluation.world?.targets else { return }
        let text = EvaluationText(EvaluationReport([.init(name: trace.path, evaluation: evaluation)]))
        for line in text.summary(of: targets) { print(line) }
    }
}
