// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation
import TestSupport
import Testing

@Suite struct SessionTests {
    private typealias Moment = ScriptedSource.Moment

    /// A camera that moves `step` metres along x from frame to frame.
    private func sweep(frames: Int = 21, step: Double = 0.02) -> [Moment] {
        (0..<frames).map { Moment(cameraOverTable: Point2(Double($0) * step - 0.2, 0)) }
    }

    private func replay(
        _ moments: [Moment], _ configuration: SessionConfiguration = SessionConfiguration()
    ) throws -> (session: Session, frames: [SessionFrame]) {
        var session = try Session(pinned: ScriptedSource(moments: moments), configuration: configuration)
        var frames: [SessionFrame] = []
        while let frame = try session.next() { frames.append(frame) }
        return (session, frames)
    }

    @Test func everyFrameIsReplayedWithItsTruePose() throws {
        let moments = sweep()
        let (session, frames) = try replay(moments)
        #expect(session.counts.frames == moments.count)
        #expect(session.counts.framesWithPose == moments.count)
        #expect(session.counts.imuSamples == moments.count)
        #expect(frames.map(\.index) == Array(0..<moments.count))
        for (frame, moment) in zip(frames, moments) {
            #expect(frame.mode == .pinned)
            #expect(frame.trackingState == .normal)
            #expect(moment.cameraOverTable.map(ScriptedSource.lookingDown) == frame.worldFromCamera)
        }
    }

    @Test func declaredPlanesAreAddedWithTheFirstPose() throws {
        let (_, frames) = try replay([Moment()] + sweep(frames: 2))
        #expect(frames.map(\.world.planes.count) == [0, 1, 1])
        #expect(frames.map(\.world.changes.added.count) == [0, 1, 0])
        #expect(frames[1].world.planes[0].name == "table")
        #expect(frames[1].world.planes[0].classification == .table)
    }

    @Test func theScreensCenterHitsWhereTheCameraLooks() throws {
        let (_, frames) = try replay(sweep())
        for frame in frames {
            let hit = try #require(
                frame.hitTest(frame.viewport.size.center, types: .existingPlaneUsingExtent).first)
            let below = frame.worldFromCamera.translation
            #expect((hit.worldFromHit.translation - Point3(below.x, 0, below.z)).length < 1e-12)
            #expect(abs(hit.distance - 0.5) < 1e-12)
        }
    }

    @Test func aSweepOfTheCenterDrawsOneStrokeOfItsLength() throws {
        let (session, _) = try replay(sweep())
        #expect(session.drawing.strokes.count == 1)
        #expect(abs(SessionSummary(session).drawnMetres - 0.4) < 1e-9)
        #expect(session.counts.penSamples == 21)
    }

    @Test func liftingThePenEndsTheStroke() throws {
        var moments = sweep()
        moments[5].action = .penUp
        moments[10].action = .penDown
        let (session, frames) = try replay(moments)
        #expect(frames.map { $0.pen?.isDown } == (0..<21).map { $0 < 5 || $0 >= 10 })
        #expect(session.drawing.strokes.count == 2)
        #expect(abs(SessionSummary(session).drawnMetres - (0.08 + 0.2)) < 1e-9)
        #expect(session.counts.userEvents == 2)
    }

    @Test func liftingThePenBetweenTwoFramesEndsTheStroke() throws {
        var moments = sweep()
        moments[7].action = .penDown
        let (session, _) = try replay(moments)
        #expect(session.drawing.strokes.count == 2)
        #expect(abs(SessionSummary(session).drawnMetres - (0.12 + 0.26)) < 1e-9)
    }

    @Test func aPenThatAlternatesBetweenPlanesDrawsOnEachOfThem() throws {
        let left = DeclaredPlane(
            name: "left", worldFromPlane: .identity, boundary: [[-1, 1], [0, 1], [0, -1], [-1, -1]])
        let right = DeclaredPlane(
            name: "right", worldFromPlane: .identity, boundary: [[0.01, 1], [1, 1], [1, -1], [0.01, -1]])
        let moments = (0..<40).map { Moment(cameraOverTable: Point2($0 % 2 == 0 ? -0.1 : 0.1, 0.01 * Double($0))) }
        var session = try Session(pinned: ScriptedSource(moments: moments, declaredPlanes: [left, right]))
        var names: [String?] = []
        while let frame = try session.next() { names.append(frame.pen?.plane.name) }
        #expect(names == (0..<40).map { $0 % 2 == 0 ? "left" : "right" })
        // Each visit is a dot, in the order of the visits.
        #expect(session.drawing.strokes.map(\.points.count) == [Int](repeating: 1, count: 40))
        #expect(
            session.drawing.strokes.map { $0.points[0].timestamp }.elementsEqual(
                session.drawing.strokes.map { $0.points[0].timestamp }.sorted()))
    }

    @Test func aLostPoseIsNotBridged() throws {
        var moments = sweep()
        moments[10].cameraOverTable = nil
        let (session, frames) = try replay(moments)
        #expect(frames[10].trackingState == .notAvailable)
        #expect(frames[10].worldFromCamera == frames[9].worldFromCamera)
        #expect(frames[10].hitTest(frames[10].viewport.size.center, types: .existingPlane).isEmpty)
        #expect(session.counts.framesWithPose == 20)
        #expect(session.drawing.strokes.count == 2)
    }

    @Test func leavingThePlaneEndsTheStroke() throws {
        let moments = [-0.3, -0.4, -0.6, -0.4, -0.3].map { Moment(cameraOverTable: Point2($0, 0)) }
        let (session, frames) = try replay(moments)
        #expect(frames.map { $0.pen != nil } == [true, true, false, true, true])
        #expect(session.drawing.strokes.count == 2)
    }

    @Test func theTrueFingertipDrawsWherePresent() throws {
        func moment(_ x: Double, down: Bool) -> Moment {
            let tip = FingertipTruth(
                positionInWorld: Point3(x, 0.001, 0.1), pixel: nil, isVisible: true, isPenDown: down)
            return Moment(cameraOverTable: .zero, fingertip: tip)
        }
        let (session, frames) = try replay([
            moment(0, down: false), moment(0.1, down: true), moment(0.2, down: true), moment(0.25, down: false),
        ])
        #expect(frames.map { $0.pen?.isDown } == [false, true, true, false])
        #expect(frames[2].pen?.position == Point2(0.2, 0.1))
        #expect(session.drawing.strokes.count == 1)
        #expect(abs(SessionSummary(session).drawnMetres - 0.1) < 1e-12)

        let (centred, _) = try replay(
            [moment(0, down: false), moment(0.1, down: true)], SessionConfiguration(pen: .screenCenter))
        #expect(centred.counts.penSamples == 2)
    }

    @Test(arguments: InterfaceOrientation.allCases)
    func turningTheInterfaceTurnsTheViewButNotTheWorld(orientation: InterfaceOrientation) throws {
        var moments = sweep(frames: 3)
        moments[1].action = .orientation(orientation)
        let (_, frames) = try replay(moments)
        let portrait = orientation == .portrait || orientation == .portraitUpsideDown
        #expect(frames[2].viewport.size == ViewSize(width: portrait ? 120 : 160, height: portrait ? 160 : 120))
        let hit = try #require(frames[2].hitTest(frames[2].viewport.size.center, types: .existingPlane).first)
        #expect((hit.worldFromHit.translation - Point3(-0.16, 0, 0)).length < 1e-12)
    }

    @Test func sameInputSameTrace() throws {
        var moments = sweep()
        moments[3].action = .penUp
        moments[12].cameraOverTable = nil
        let traces = try (0..<2).map { _ in try trace(of: moments) }
        #expect(traces[0] == traces[1])
    }

    @Test func theTraceSaysModeAndEveryFrame() throws {
        var moments = sweep(frames: 4)
        moments[0].cameraOverTable = nil
        let lines = try trace(of: moments).split(separator: "\n").map(String.init)
        #expect(lines.count == 5)
        #expect(
            lines[0]
                == #"{"arsim_trace":1,"image_size_px":[160,120],"interface_orientation":"landscapeRight","mode":"pinned","pen":"automatic"}"#
        )
        #expect(
            lines[1]
                == #"{"anchors_added":[],"anchors_removed":[],"anchors_updated":[],"center_hits":[],"frame":0,"time_ns":0,"tracking_state":"notAvailable"}"#
        )
        #expect(lines[2].contains(#""name":"table""#))
        #expect(lines[3].contains(#""anchors_added":[]"#))
        #expect(lines[3].contains(#""type":"existingPlaneUsingGeometry""#))
        #expect(lines[3].contains(#""tracking_state":"normal""#))
    }

    @Test func theTraceReadsBackToTheSameNumbers() throws {
        var random = TestRandom()
        let scales = [1e-300, 1e-17, 1, 1e6, 1e12]
        var moments = (0..<40).map { number in
            Moment(cameraOverTable: scales[number % scales.count] * random.vector2())
        }
        moments[0].cameraOverTable = Point2(-0.0, 0)
        let lines = try trace(of: moments).split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count == moments.count + 2 && lines.last == "")
        for (line, moment) in zip(lines.dropFirst(), moments) {
            let frame = try JSONDecoder().decode(ReadFrame.self, from: Data(line.utf8))
            let place = try #require(moment.cameraOverTable)
            let read = frame.world_from_camera.position_m
            #expect([read[0].bitPattern, read[2].bitPattern] == [place.x.bitPattern, place.y.bitPattern])
            #expect(frame.center_hits.allSatisfy { $0.distance_m == 0.5 || place.length > 1e5 })
        }
    }

    private struct ReadFrame: Decodable {
        struct Pose: Decodable { let position_m: [Double] }
        struct Hit: Decodable { let distance_m: Double }
        let world_from_camera: Pose
        let center_hits: [Hit]
    }

    private func trace(of moments: [Moment]) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        var session = try Session(pinned: ScriptedSource(moments: moments))
        let writer = try TraceWriter(creating: file, for: session)
        while let frame = try session.next() { try writer.append(frame) }
        try writer.finish()
        return try String(contentsOf: file, encoding: .utf8)
    }
}
