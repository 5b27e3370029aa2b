// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct ReplayCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay", abstract: "Replay a session: its trace, and a picture a second of what it knew.",
        discussion: """
            The folder given with --output receives trace.jsonl (a header, then one JSON object a frame) and \
            pictures/frame_000030.png and so on: the camera's picture with planes, axes, pen and strokes drawn over it, \
            and top-view.svg: planes, rectangles and the camera's way from above. \
            --planes, --rectangles, --codes, --targets and --faces choose what is drawn instead; rectangles, codes, image \
            targets and faces are looked for only where they are asked for.
            """)

    @OptionGroup var replay: ReplayOptions
    @Option(name: .shortAndLong, help: "The folder of the results.") var output: String
    @Flag(help: "Draw planes with their grids.") var planes = false
    @Flag(help: "Look for rectangles, and draw them with their sizes.") var rectangles = false
    @Flag(help: "Look for codes, and draw them with their payloads.") var codes = false
    @OptionGroup(title: "Image targets") var targets: TargetDatabases
    @OptionGroup(title: "Faces") var faces: FaceOptions
    @Option(help: ArgumentHelp("Look for rectangles and codes in every n-th frame.", valueName: "n")) var interval = 3

    func validate() throws {
        guard interval >= 1 else { throw ValidationError("--interval must be 1 or more, not \(interval)") }
    }

    /// What is looked for.
    private var search: PictureSearch {
        let cards = PictureSearch.cards
        return PictureSearch(
            rectangles: rectangles ? cards.rectangles : nil, codes: codes ? cards.codes : nil, interval: interval)
    }

    /// What is drawn: what was named, or else everything.
    private var parts: OverlayParts {
        let named: [(Bool, OverlayParts)] = [
            (planes, .planes), (rectangles, .rectangles), (codes, .codes), (!targets.files.isEmpty, .targets),
            (faces.faces, .faces),
        ]
        let chosen = named.filter(\.0).map(\.1)
        return chosen.isEmpty ? .all : chosen.reduce(.drawing) { $0.union($1) }
    }

    func run() throws {
        let folder = URL(fileURLWithPath: output)
        let topView = folder.appendingPathComponent("top-view.svg")
        var answers = SessionAnswers(mode: replay.mode.rawValue)
        let session = try replay.replay(searching: search, targets: targets.search(), faces: faces.search()).run(
            trace: folder.appendingPathComponent("trace.jsonl"), pictures: folder.appendingPathComponent("pictures"),
            others: Outputs(files: [topView], folders: [folder]), showing: parts
        ) {
            answers.frames.append(FrameAnswers($0))
            return []
        }
        let file = try AtomicFile(replacing: topView)
        try file.write(TopView(answers, title: replay.input.description).svg)
        try file.commit()
        try SummaryPrinter(session: session).print(asJSON: replay.json)
    }
}
