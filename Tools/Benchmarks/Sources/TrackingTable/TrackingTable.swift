// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

/// Measures the tracker on recorded motions in rendered scenes, and prints what came out as a table in Markdown.
@main
struct TrackingTable: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Track recorded motions in rendered scenes and print how accurate it was.",
        discussion: """
            Errors are those that remain after alignment of heading and position over all frames with a pose. Columns \
            show the mean over the seeds and, in parentheses, the worst. Run it from the repository's root.
            """)

    @Option(help: "How many seeds each motion is tracked with, from 1 on.") var seeds = 5
    @Option(help: "How many seconds of each motion are tracked at most.") var duration: Double?
    @Option(help: ArgumentHelp("Only these motions.", valueName: "name,name")) var motions: String?
    @Option(help: "Keep recordings in this folder and make those that are missing, instead of rendering every time.")
    var recordings: String?
    @Option(help: "How many sessions are tracked at a time.") var jobs = 1
    @Option(help: "Write the figures of every run to this file.") var json: String?
    @Option(help: "The folder of the recorded motions; by default motion in $ARSIM_DATA or in ../shared/data.")
    var motionFolder: String?

    func run() throws {
        let plan = try makePlan()
        let (text, runs) = try AccuracyTable(plan: plan).measure()
        print(text)
        try writeJSON(runs)
    }

    func validate() throws {
        guard seeds > 0, jobs > 0, duration ?? 1 >= 1 else {
            throw ValidationError("seeds and jobs are at least 1, and so is the duration")
        }
    }

    private func makePlan() throws -> Plan {
        let wanted = motions?.split(separator: ",").map(String.init)
        let known = Motion.all.map(\.name)
        if let unknown = wanted?.first(where: { !known.contains($0) }) {
            throw ValidationError("no motion is called '\(unknown)'; there are \(known.joined(separator: ", "))")
        }
        let data = ProcessInfo.processInfo.environment["ARSIM_DATA"] ?? "../shared/data"
        return Plan(
            motions: Motion.all.filter { wanted?.contains($0.name) ?? true }, seeds: (1...seeds).map(UInt64.init),
            longest: duration, motionFolder: URL(fileURLWithPath: motionFolder ?? data + "/motion"),
            studio: Studio(
                recordings: recordings.map { URL(fileURLWithPath: $0) },
                renderingThreads: jobs == 1 ? nil : max(1, ProcessInfo.processInfo.activeProcessorCount / jobs)),
            workers: Workers(count: jobs))
    }

    private func writeJSON(_ runs: some Encodable) throws {
        guard let json else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try encoder.encode(runs).write(to: URL(fileURLWithPath: json))
    }
}
