// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct DemoFacesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faces", abstract: "Put a box around each face that turns with the head.",
        discussion: """
            The folder given with --output receives trace.jsonl and pictures/ with the boxes a second apart: white and rounded, \
            turned by roll and yaw with perspective, each with the number that its face keeps. Where the input has a truth, \
            recall, false boxes, changes of numbers and the errors of the angles are printed.
            """)

    @Argument(help: "A recording's folder, a scene's file, or the name of one that `arsim scenes` lists.")
    var input: SessionInput = SessionInput(shippedScene: "faces")
    @Option(help: "pinned: poses of the camera are the truth's; tracked: they are found. Faces are found either way.")
    var mode: PoseMode = .pinned
    @Option(name: .shortAndLong, help: "The folder of the results.") var output = "out/demo-faces"
    @OptionGroup(title: "Models") var files: FaceCascades
    @OptionGroup var settings: SceneSettings

    func run() throws {
        let folder = URL(fileURLWithPath: output)
        let trace = folder.appendingPathComponent("trace.jsonl")
        let replay = try SessionReplay(
            input, settings: settings.set, mode: mode,
            configuration: SessionConfiguration(planeDetection: nil, faces: FaceSearch(try files.models())))
        var roll = FaceRoll()
        let session = try replay.run(
            trace: trace, pictures: folder.appendingPathComponent("pictures"), showing: .faces
        ) { frame in
            roll.note(frame)
            return []
        }
        guard !roll.entries.isEmpty else { throw CameToNothing.noFaceFound(frames: session.counts.frames) }
        print("frames      \(session.counts.frames)")
        for line in roll.lines { print(line) }
        try printErrors(of: trace, source: replay.source)
        print("trace       \(trace.relativePath)")
    }

    /// What the truth says of it; without a truth, nothing.
    private func printErrors(of trace: URL, source: any SensorSource & TruthSource) throws {
        guard try !Trajectory(truthOf: source).poses.isEmpty else { return }
        let evaluation = try ComparisonOptions.parse([]).compare(trace, with: TruthInput(input, source: source))
        guard let faces = evaluation.world?.faces else { return }
        let text = EvaluationText(EvaluationReport([.init(name: trace.path, evaluation: evaluation)]))
        for line in text.about(faces) { print(line) }
    }
}

/// The faces that a session has followed.
private struct FaceRoll {
    struct Entry {
        let id: Int
        var seenCount = 0
        var heldCount = 0
        var rolls = Range()
        var yaws = Range()
    }

    /// The least and the greatest of some angles.
    struct Range {
        var least = Double.infinity
        var greatest = -Double.infinity

        mutating func include(_ angle: Double?) {
            guard let angle else { return }
            least = min(least, angle)
            greatest = max(greatest, angle)
        }

        var text: String {
            func degrees(_ angle: Double) -> String { "\(Int((angle * 180 / .pi).rounded()))°" }
            return least <= greatest ? "\(degrees(least)) to \(degrees(greatest))" : "unknown"
        }
    }

    /// In the order of their numbers.
    private(set) var entries: [Entry] = []

    mutating func note(_ frame: SessionFrame) {
        for tracked in frame.faces ?? [] {
            let index =
                entries.firstIndex { $0.id == tracked.id }
                ?? {
                    entries.append(Entry(id: tracked.id))
                    return entries.count - 1
                }()
            entries[index].seenCount += tracked.isSeen ? 1 : 0
            entries[index].heldCount += tracked.isSeen ? 0 : 1
            guard tracked.isSeen else { continue }
            entries[index].rolls.include(tracked.face.angles.roll)
            entries[index].yaws.include(tracked.face.angles.yaw)
        }
    }

    var lines: [String] {
        entries.sorted { $0.id < $1.id }.map { entry in
            "face \(entry.id)      seen in \(counted(entry.seenCount, "frame")), held in \(entry.heldCount), roll "
                + "\(entry.rolls.text), yaw \(entry.yaws.text)"
        }
    }
}
