// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct MutateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mutate", abstract: "Apply faults to a recording: what goes wrong, when, by how much.",
        discussion: """
            FAULTS is a YAML file with a list of faults; --fault adds single ones. They are applied one after the other:

              arsim mutate recording faults.yaml -o broken
              arsim mutate recording -o dark --fault "darkness: {from_s: 2, to_s: 4, light: 0.1}"

            The new recording keeps the exact list, seeds included, in session.json. The article Faults describes every \
            fault: \(Fault.names.joined(separator: ", ")).
            """)

    @Argument(help: "The recording's folder.") var input: String
    @Argument(help: "A YAML file with a list of faults.") var faults: String?
    @Option(name: .shortAndLong, help: "The folder of the new recording.") var output: String
    @Option(
        name: .customLong("fault"),
        help: ArgumentHelp("A fault, after those of the file. Can be repeated.", valueName: "yaml"))
    var singleFaults: [String] = []
    @Option(help: "The number from which faults without a seed of their own draw what is random.") var seed: UInt64 = 0
    @Flag(help: "Print the counts as JSON.") var json = false

    func validate() throws {
        guard faults != nil || !singleFaults.isEmpty else {
            throw ValidationError("no fault to apply: name a file of faults, or give --fault")
        }
    }

    func run() throws {
        let list = try readFaults()
        let recording = try Recording(opening: URL(fileURLWithPath: input))
        let mutation = try mutate(recording, by: list)
        guard mutation.frameCount > 0 else { throw CameToNothing.nothingLeft(input: input) }
        try MutationReport(mutation, output: output).print(asJSON: json)
    }

    private func readFaults() throws -> [Fault] {
        var list: [Fault] = []
        if let faults {
            let text = try YamlReader.text(of: URL(fileURLWithPath: faults))
            list = try Fault.list(YamlReader.read(text, file: faults))
        }
        for (index, text) in singleFaults.enumerated() {
            list.append(try Fault(YamlReader.read(text, file: "--fault number \(index + 1)")))
        }
        return list
    }

    private func mutate(_ recording: Recording, by list: [Fault]) throws -> Mutation {
        var progress = ProgressBar("mutating", total: recording.frameCount)
        defer { progress.finish() }
        return try RecordingWriter.mutate(
            recording, faults: list, seed: seed, to: URL(fileURLWithPath: output)
        ) { progress.show($0) }
    }
}

/// Prints what faults did: a line each for people, or JSON for programs.
private struct MutationReport: Encodable {
    struct Effect: Encodable {
        let fault: String
        let frames: [String: Int]
        let inertialSamples: [String: Int]
        let userEvents: [String: Int]

        enum CodingKeys: String, CodingKey {
            case fault, frames
            case inertialSamples = "inertial_samples"
            case userEvents = "user_events"
        }
    }

    let frames: Int
    let faults: [Effect]
    let recording: String

    init(_ mutation: Mutation, output: String) {
        frames = mutation.frameCount
        faults = mutation.faults.map {
            Effect(
                fault: $0.fault.name, frames: $0.counts.frames.inWords,
                inertialSamples: $0.counts.samples.inWords, userEvents: $0.counts.userEvents.inWords)
        }
        recording = output
    }

    func print(asJSON: Bool) throws {
        if asJSON {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
            return Swift.print(String(decoding: try encoder.encode(self), as: UTF8.self))
        }
        let width = max(11, faults.map(\.fault.count).max() ?? 0) + 1
        func line(_ title: String, _ text: String) {
            Swift.print(title.padding(toLength: width, withPad: " ", startingAt: 0) + text)
        }
        for effect in faults { line(effect.fault, effect.inWords) }
        line("given", counted(frames, "frame"))
        line("recording", recording)
    }
}

extension MutationReport.Effect {
    /// For example `12 frames dropped, 40 inertial samples changed`.
    fileprivate var inWords: String {
        let parts = [("frame", frames), ("inertial sample", inertialSamples), ("user event", userEvents)].flatMap {
            thing, counts in counts.sorted { $0.key < $1.key }.map { "\(counted($0.value, thing)) \($0.key)" }
        }
        return parts.isEmpty ? "no event changed" : parts.joined(separator: ", ")
    }
}

extension FaultCounts.Tally {
    /// What was done, and to how many; without what was done to none.
    fileprivate var inWords: [String: Int] {
        [
            "changed": changed, "dropped": dropped, "doubled": doubled, "delayed": delayed, "restamped": restamped,
            "added": added,
        ].filter { $0.value > 0 }
    }
}
