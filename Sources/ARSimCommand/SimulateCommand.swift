// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import ArgumentParser
import Foundation

struct SimulateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate", abstract: "Render a scene into a recording, with its truth.",
        discussion: """
            The recording is a folder in the EuRoC layout: other visual-inertial systems read it as it is. The truth \
            of every frame stands in truth.jsonl, apart from what a tracker may see; pictures of it, where they are \
            wanted, in truth/depth (16 bits, millimetres along the optical axis, 0 for nothing) and truth/objects (16 \
            bits, the ids that truth.json lists).
            """)

    @Argument(help: "A scene's file, or the name of one that `arsim scenes` lists.") var scene: SessionInput
    @Option(name: .shortAndLong, help: "The folder of the recording.") var output: String
    @Option(
        help: ArgumentHelp(
            "Write pictures of each frame's truth: \(TruthPictureKinds.words).", valueName: "kind,kind"))
    var truthPictures: TruthPictureKinds?
    @OptionGroup var settings: SceneSettings

    func run() throws {
        var session = try SceneSession(scene: scene.scene(settings.set))
        session.truthPictures = truthPictures?.kinds ?? []
        let frameCount = try record(session)
        print("recorded    \(counted(frameCount, "frame")), with the truth of each")
        if let fit = session.trajectoryFit { print("trajectory  \(fit.inWords)") }
        print("recording   \(output)")
    }

    private func record(_ session: SceneSession) throws -> Int {
        var progress = ProgressBar("rendering", total: session.expectedFrameCount)
        defer { progress.finish() }
        let source = try session.faulted()
        return try RecordingWriter.record(
            source, truth: source, to: URL(fileURLWithPath: output),
            session: SessionDescription(
                device: "simulated camera", madeBy: "arsim simulate, scene \(session.scene.name)",
                interfaceOrientation: session.rig.interfaceOrientation, declaredPlanes: session.declaredPlanes)
        ) { progress.show($0) }
    }
}

/// Kinds of truth pictures, as they stand on the command line: `depth,objects`.
struct TruthPictureKinds: ExpressibleByArgument {
    let kinds: Set<TruthPictureKind>

    init?(argument: String) {
        let kinds = argument.split(separator: ",").map { TruthPictureKind(rawValue: String($0)) }
        guard !kinds.isEmpty, !kinds.contains(nil) else { return nil }
        self.kinds = Set(kinds.compactMap { $0 })
    }

    static let words = TruthPictureKind.allCases.map(\.rawValue).joined(separator: ",")
    static let allValueStrings = TruthPictureKind.allCases.map(\.rawValue) + [words]
}

extension TrajectoryFit {
    /// How well the motion follows the file's poses.
    fileprivate var inWords: String {
        String(
            format: "off by %.3g mm and %.3g° (RMS), smooth above %.3g Hz and %.3g Hz", positionResidual * 1e3,
            rotationResidualRadians * 180 / .pi, positionCutoffInHertz, rotationCutoffInHertz)
    }
}
