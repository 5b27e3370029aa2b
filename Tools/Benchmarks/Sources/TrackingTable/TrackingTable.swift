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
            show the mean over the seeds and, in parentheses, the worst. From a seed the sensors' noise and errors are \
            drawn, and the surfaces' patterns, too. The tables of accuracy and of wrong calibrations are printed, and \
            their figures are written, again and again, with all that is done. Run it from the repository's root.
            """)

    @Option(help: "How many seeds each motion is tracked with, from 1 on.") var seeds = 5
    @Flag(
        help: """
            Let all seeds see the same surfaces: each motion is rendered once, which takes a fifth of the time. What \
            pictures do to a tracker is then in all of them, and the bounds of consistency, which assume errors of which \
            none tells of another, are crossed more often than they say.
            """)
    var sharedSurfaces = false
    @Option(help: "How many seconds of each motion are tracked at most.") var duration: Double?
    @Option(help: ArgumentHelp("Only these motions.", valueName: "name,name")) var motions: String?
    @Option(
        help: """
            Keep recordings in this folder, a fifth of a megabyte a frame and seed, and make those that are missing, \
            instead of rendering every time.
            """)
    var recordings: String?
    @Option(help: "How many threads do the work, each on a session of its own where there are enough.") var jobs = 1
    @Option(help: "Write the figures of every run to this file.") var json: String?
    @Option(help: "The folder of the recorded motions; by default motion in $ARSIM_DATA or in ../shared/data.")
    var motionFolder: String?

    @Flag(
        help: """
            Track each motion once more with 3 % focal length, 3° and 2 cm between camera and inertial sensor, and 40 ms \
            between their clocks wrong in its calibration.
            """)
    var perturbCalibration = false
    @Option(help: "Begin so many times in the middle of a motion, for four seconds.") var starts: Int?
    @Flag(help: "Track the scenes table-top and room-walk with each kind of fault.") var faults = false

    func run() throws {
        let plan = try makePlan()
        let command = self
        if perturbCalibration {
            try CalibrationTable(plan: plan).measure { try command.show((text: $0, runs: $1)) }
        } else if let starts {
            try show(StartTable(plan: plan, count: starts).measure())
        } else if faults {
            try show(FaultTable(plan: plan).measure())
        } else {
            try AccuracyTable(plan: plan).measure { try command.show((text: $0, runs: $1)) }
        }
    }

    func validate() throws {
        guard seeds > 0, jobs > 0, duration ?? 1 >= 1, starts ?? 1 > 0 else {
            throw ValidationError("seeds, jobs and starts are at least 1, and so is the duration")
        }
        guard [perturbCalibration, starts != nil, faults].count(where: { $0 }) <= 1 else {
            throw ValidationError("choose one of --perturb-calibration, --starts and --faults")
        }
        guard !sharedSurfaces || (starts == nil && !faults) else {
            throw ValidationError("--shared-surfaces is not for --starts and --faults")
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
            ownSurfaces: !sharedSurfaces, longest: duration,
            motionFolder: URL(fileURLWithPath: motionFolder ?? data + "/motion"),
            studio: Studio(
                recordings: recordings.map { URL(fileURLWithPath: $0) }),
            workers: Workers(count: jobs))
    }

    private func show(_ measured: (text: String, runs: some Encodable)) throws {
        print(measured.text, terminator: "\n\n")
        // Whoever stops the work has what was done.
        fflush(nil)
        guard let json else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        try encoder.encode(measured.runs).write(to: URL(fileURLWithPath: json))
    }
}
