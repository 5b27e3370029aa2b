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
            pictures/frame_000030.png and so on: the camera's picture with planes, axes, pen and strokes drawn over it.
            """)

    @OptionGroup var replay: ReplayOptions
    @Option(name: .shortAndLong, help: "The folder of the results.") var output: String

    func run() throws {
        let folder = URL(fileURLWithPath: output)
        let session = try replay.run(
            trace: folder.appendingPathComponent("trace.jsonl"), pictures: folder.appendingPathComponent("pictures"),
            others: Outputs(folders: [folder]))
        try SummaryPrinter(session: session).print(asJSON: replay.json)
    }
}
