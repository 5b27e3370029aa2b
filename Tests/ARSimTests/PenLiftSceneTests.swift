// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation
import TestSupport
import Testing

/// Lifts that only the pictures show, from end to end: a rendered finger writes, the session's pen sees it rise.
@Suite(.tags(.slow), .whenSlowTestsRun) struct PenLiftSceneTests {
    /// A finger on the desk of the scene `draw` that makes two strokes, and rises by 3 cm between them; the camera hovers above it.
    private func twoStrokes() throws -> SceneSession {
        let package = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..").standardized
        let scene = """
            format: arsim-scene/1
            based_on: \(package.appendingPathComponent("Scenes/draw.yaml").path)
            name: two-strokes
            duration_s: 3.8
            camera_path:
              waypoints:
                - {at_s: 0, position_m: [-0.15, 1.19, 0.31], look_at_m: [0.01, 0.74, -0.02], roll_rad: 0.02}
                - {at_s: 2, position_m: [-0.12, 1.17, 0.29], look_at_m: [0.02, 0.74, -0.02], roll_rad: 0.00}
                - {at_s: 4, position_m: [-0.06, 1.15, 0.30], look_at_m: [0.03, 0.74, -0.01], roll_rad: -0.02}
            finger:
              plane: desk
              heading_rad: 0.75
              start_s: 0.2
              speed_m_per_s: 0.11
              lift_m: 0.03
              lift_s: 0.5
              rest_s: 0.1
              strokes_m:
                - [[-0.05, -0.05], [-0.05, 0.00], [-0.03, 0.03]]
                - [[0.02, -0.05], [0.02, 0.00], [0.04, 0.03]]
            """
        let folder = try TemporaryFolder()
        let file = folder("scene.yaml")
        try scene.write(to: file, atomically: true, encoding: .utf8)
        return try SceneSession(scene: Scene(contentsOf: file))
    }

    /// The drawing of the fingertip in the pictures, if a user presses the pen as it touches the desk for the first time, and never
    /// lets go.
    private func strokes(of source: some SensorSource & TruthSource, _ lift: SessionConfiguration.PenLift) throws
        -> [Stroke]
    {
        let configuration = SessionConfiguration(pen: .fingertip, penLift: lift)
        var session = try Session(pinned: source, configuration: configuration)
        while try session.next() != nil {}
        return session.drawing.strokes
    }

    /// Law: where lifts are seen, no stroke goes on from one true stroke to the next, and the second, by when the finger's usual width
    /// is known, is drawn over a third of its length; where only events count, one stroke goes on through the air.
    @Test func aLiftThatIsSeenPartsTheStrokes() throws {
        let scene = try twoStrokes()
        let truths = scene.groundTruthStrokes
        try #require(truths.count == 2)
        let source = try PressedOnce(scene)
        /// How much of a stroke is drawn while the finger truly makes another.
        func length(_ stroke: Stroke, during truth: GroundTruthStroke) -> Double {
            let times = stroke.points.map { $0.timestamp.seconds(since: SceneSession.start) }
            let drawn = zip(stroke.points, times).filter { (truth.startSeconds...truth.endSeconds).contains($0.1) }
            return zip(drawn, drawn.dropFirst()).reduce(0) { $0 + ($1.1.0.position - $1.0.0.position).length }
        }
        func isInBoth(_ stroke: Stroke) -> Bool { truths.allSatisfy { length(stroke, during: $0) > 0 } }
        let seen = try strokes(of: source, .seen)
        #expect(!seen.contains(where: isInBoth))
        #expect(3 * seen.reduce(0) { $0 + length($1, during: truths[1]) } > truths[1].length)
        #expect(try strokes(of: source, .events).count(where: isInBoth) == 1)
    }
}

/// A scene's session, rendered once, without what its user does after the first press.
private struct PressedOnce: SensorSource, TruthSource {
    private let scene: SceneSession
    private let events: [SensorEvent]

    init(_ scene: SceneSession) throws {
        self.scene = scene
        var (events, isPressed, stream) = ([SensorEvent](), false, scene.makeStream())
        while let event = try stream.next() {
            if case .user = event {
                if isPressed { continue }
                isPressed = true
            }
            events.append(event)
        }
        self.events = events
    }

    var rig: SensorRig { scene.rig }
    var expectedFrameCount: Int? { scene.expectedFrameCount }
    var declaredPlanes: [DeclaredPlane] { scene.declaredPlanes }
    func makeStream() -> any SensorStream { Stream(events: events[...]) }
    func makeTruthStream() -> any TruthStream { scene.makeTruthStream() }

    private struct Stream: SensorStream {
        var events: ArraySlice<SensorEvent>
        mutating func next() -> SensorEvent? { events.popFirst() }
    }
}
