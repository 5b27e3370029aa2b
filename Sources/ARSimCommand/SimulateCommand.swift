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
            of every frame stands in truth.jsonl, apart from what a tracker may see.
            """)

    @Argument(help: "A scene's file, or the name of one that `arsim scenes` lists.") var scene: SessionInput
    @Option(name: .shortAndLong, help: "The folder of the recording.") var output: String
    @OptionGroup var settings: SceneSettings

    func run() throws {
        let frameCount = try record(SceneSession(scene: scene.scene(settings.set)))
        print("recorded    \(counted(frameCount, "frame")), with the truth of each")
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
