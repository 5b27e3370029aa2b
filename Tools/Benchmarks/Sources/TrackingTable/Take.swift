// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

/// A session that is tracked: a scene, rendered while it is tracked or recorded once for all.
struct Take: Sendable {
    /// What its recording is called.
    let name: String
    /// What is to be seen.
    let scene: Scene
}

/// Where takes come from.
struct Studio: Sendable {
    /// Where recordings are kept; `nil` to render every time.
    let recordings: URL?

    /// A source of a take's pictures and samples, with its truth. A recording that is wanted and missing is made first.
    func open(_ take: Take) throws -> any SensorSource & TruthSource {
        guard let recordings else { return try render(take) }
        let folder = recordings.appendingPathComponent(take.name)
        if !FileManager.default.fileExists(atPath: folder.path) { try record(take, to: folder) }
        if let recorded = try? String(contentsOf: Self.sceneFile(in: folder), encoding: .utf8),
            recorded != take.scene.yaml
        {
            throw OtherScene(recording: folder)
        }
        return try Recording(opening: folder)
    }

    /// Beside a recording lies the scene of which it was made: scenes change, and recordings do not.
    private static func sceneFile(in folder: URL) -> URL { folder.appendingPathComponent("scene.yaml") }

    /// A recording shows another scene than it should.
    private struct OtherScene: Error, CustomStringConvertible {
        let recording: URL

        var description: String {
            "\(recording.path) was made of another scene, seed or motion than is to be tracked: remove it, and it is made "
                + "anew"
        }
    }

    private func render(_ take: Take) throws -> GrayPictures {
        GrayPictures(of: try SceneSession(scene: take.scene, threads: 1))
    }

    /// Renders a take into its folder, which appears only when the recording is complete.
    private func record(_ take: Take, to folder: URL) throws {
        let unfinished = folder.appendingPathExtension("unfinished")
        try? FileManager.default.removeItem(at: unfinished)
        try FileManager.default.createDirectory(
            at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
        let source = try render(take)
        let progress = FrameProgress("\(take.name): recorded", total: source.expectedFrameCount)
        try RecordingWriter.record(
            source, truth: source, to: unfinished,
            session: SessionDescription(
                device: "simulated camera", madeBy: "TrackingTable, scene \(take.scene.name)",
                interfaceOrientation: source.rig.interfaceOrientation), progress: progress.show)
        try Data(take.scene.yaml.utf8).write(to: Self.sceneFile(in: unfinished))
        try FileManager.default.moveItem(at: unfinished, to: folder)
    }
}

/// A source whose pictures are grey, as a phone's camera delivers the luminance apart from the colours.
///
/// The tracker makes them grey anyway; recordings thereby take a third of the room and of the time.
struct GrayPictures: SensorSource, TruthSource {
    private let base: any SensorSource & TruthSource

    init(of base: any SensorSource & TruthSource) { self.base = base }

    var rig: SensorRig { base.rig }
    var expectedFrameCount: Int? { base.expectedFrameCount }
    var longestDelayNanoseconds: Int64? { base.longestDelayNanoseconds }
    var declaredPlanes: [DeclaredPlane] { [] }

    func sessionTruth() throws -> SessionTruth { SessionTruth(camera: try base.sessionTruth().camera) }
    func makeStream() throws -> any SensorStream { GrayStream(of: try base.makeStream()) }
    func makeFrameStamps() throws -> any FrameStamps { try base.makeFrameStamps() }
    func makeTruthStream() throws -> any TruthStream { try base.makeTruthStream() }
}

/// A stream whose pictures are grey.
struct GrayStream: SensorStream {
    private var base: any SensorStream

    init(of base: any SensorStream) { self.base = base }

    mutating func next() throws -> SensorEvent? {
        guard let event = try base.next() else { return nil }
        guard case .frame(var frame) = event else { return event }
        frame.image = frame.image.gray
        return .frame(frame)
    }
}
