// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct SceneSessionTests {
    private static func session(threads: Int = 2, change: (inout Scene) -> Void = { _ in }) throws -> SceneSession {
        var scene = try Scene(yaml: smallScene, file: "small")
        change(&scene)
        return try SceneSession(scene: scene, threads: threads)
    }

    private static func events(of session: SceneSession) throws -> [SensorEvent] {
        var stream = session.makeStream()
        var events: [SensorEvent] = []
        while let event = try stream.next() { events.append(event) }
        return events
    }

    @Test func sameBytes() throws {
        let first = try Self.events(of: Self.session(threads: 1))
        #expect(try Self.events(of: Self.session(threads: 1)) == first)
        #expect(try Self.events(of: Self.session(threads: 2)) == first)
        #expect(try Self.events(of: Self.session(threads: 7)) == first)
    }

    @Test func streamsAreRepeatable() throws {
        let session = try Self.session()
        #expect(try Self.events(of: session) == Self.events(of: session))
    }

    @Test func theSeedChangesOnlyWhatIsRandom() throws {
        func change(_ seed: UInt64) -> (inout Scene) -> Void {
            { scene in
                scene.seed = seed
                scene.materials[0].kind = .noise
            }
        }
        let (first, second) = (try Self.session(change: change(1)), try Self.session(change: change(2)))
        #expect(try Self.events(of: first) != Self.events(of: second))
        #expect(first.groundTruthStrokes == second.groundTruthStrokes)
    }

    @Test func eventsComeInOrder() throws {
        let session = try Self.session()
        let events = try Self.events(of: session)
        let frames = events.compactMap { if case .frame(let frame) = $0 { frame } else { nil } }
        #expect(frames.count == 20 && session.expectedFrameCount == 20)
        let stamps: [Int64] = (0..<20).map { (number: Int64) -> Int64 in 1_000_000_000 + number * 100_000_000 }
        #expect(frames.map(\.timestamp.nanoseconds) == stamps)
        #expect(zip(events, events.dropFirst()).allSatisfy { $0.timestamp <= $1.timestamp })
        let touches = events.compactMap { if case .user(let event) = $0 { event.action } else { nil } }
        #expect(touches == [.penDown, .penUp])
        // The finger comes down from 0.1 s to 0.3 s: the touch comes before the frame of that instant.
        let down = try #require(events.firstIndex { if case .user = $0 { true } else { false } })
        #expect(events[down].timestamp == Timestamp(nanoseconds: 1_300_000_000))
        #expect(events[down + 1].timestamp == Timestamp(nanoseconds: 1_300_000_000))
    }

    @Test func truthIsConsistent() throws {
        let session = try Self.session()
        var truths = session.makeTruthStream()
        let camera = session.camera
        var wasVisible = false
        for number in 0..<20 {
            let time = session.timestamp(ofFrame: number)
            let truth = try #require(try truths.truth(at: time))
            let tip = try #require(truth.fingertip)
            #expect(truth.timestamp == time)
            let opticalFromWorld = RigidTransform.opticalFromCamera * truth.worldFromCamera.inverse
            let pixel = try #require(camera.camera.project(opticalFromWorld * tip.positionInWorld))
            #expect(try #require(tip.pixel).distance(to: pixel) < 1e-9)
            #expect(
                tip.isPenDown
                    == (session.groundTruthStrokes[0].startSeconds...session.groundTruthStrokes[0].endSeconds)
                    .contains(time.seconds(since: SceneSession.start)))
            // While it draws it is on the floor.
            if tip.isPenDown { #expect(abs(tip.positionInWorld.y) < 1e-12) }
            wasVisible = wasVisible || tip.isVisible
        }
        #expect(wasVisible)
        #expect(try truths.truth(at: Timestamp(nanoseconds: 9_000_000_000)) == nil)
    }

    /// Where the camera is can be asked for alone.
    @Test func theCamerasTruthIsThatOfTheFrame() throws {
        let session = try Self.session()
        var (whole, alone) = (session.makeTruthStream(), session.makeTruthStream())
        for number in 0..<20 {
            let time = session.timestamp(ofFrame: number)
            let (known, pose) = try (whole.truth(at: time), alone.cameraTruth(at: time))
            let (truth, camera) = try (#require(known), #require(pose))
            #expect(camera.timestamp == truth.timestamp)
            #expect(camera.worldFromCamera == truth.worldFromCamera)
            #expect(camera.fingertip == nil && camera.planes.isEmpty)
        }
        #expect(try alone.cameraTruth(at: Timestamp(nanoseconds: 9_000_000_000)) == nil)
    }

    /// The truth's pixel is where the picture has the fingertip: the hand is there, and nothing of it is far beyond.
    @Test func thePictureShowsTheTipWhereTheTruthSays() throws {
        let session = try Self.session { scene in
            scene.camera.size = ImageSize(width: 320, height: 240)
            scene.camera.focalPixels = Vector2(250, 250)
            scene.camera.principalPointPixels = Vector2(159.5, 119.5)
        }
        let hand = try #require(session.stage.object(named: "finger")).objectNumbers.lowerBound
        let camera = session.makeCamera()
        var truths = session.makeTruthStream()
        for number in [0, 3, 5, 8] {
            let time = session.timestamp(ofFrame: number)
            let pixel = try #require(try truths.truth(at: time)?.fingertip?.pixel)
            let objects = camera.rendering(of: session.shot(at: time)).objects
            let distances = objects.indices.filter { objects[$0] == hand }.map { index in
                PixelPoint(Double(index % 320), Double(index / 320)).distance(to: pixel)
            }
            // The point that touches is under the finger's end, which is 7 mm in radius: about 3 px here.
            #expect(distances.min() ?? .infinity < 3)
            // The finger points to the left, so that all of the hand lies to its right.
            let leftmost = objects.indices.filter { objects[$0] == hand }.map { $0 % 320 }.min() ?? 0
            #expect(abs(Double(leftmost) - pixel.x) < 5)
        }
    }

    @Test func aHiddenTipIsNotVisible() throws {
        // A box between the camera, at (0, 0.6, 0.4), and the tip, at the origin.
        let hidden = try Self.session { scene in
            var box = Scene.Box()
            box.name = "lid"
            box.center = Point3(0.02, 0.3, 0.2)
            box.size = Vector3(0.3, 0.02, 0.3)
            box.material = "squares"
            scene.boxes = [box]
        }
        var (hiddenTruths, openTruths) = (hidden.makeTruthStream(), try Self.session().makeTruthStream())
        let outside = try Self.session { $0.cameraPath.waypoints[0].lookAt = Point3(3, 0, 0) }
        var outsideTruths = outside.makeTruthStream()
        let time = hidden.timestamp(ofFrame: 4)
        #expect(try hiddenTruths.truth(at: time)?.fingertip?.isVisible == false)
        #expect(try openTruths.truth(at: time)?.fingertip?.isVisible == true)
        #expect(try outsideTruths.truth(at: hidden.timestamp(ofFrame: 0))?.fingertip?.isVisible == false)
    }

    @Test func strokesAreDrawnFromEndToEnd() throws {
        let session = try Self.session { scene in
            scene.finger?.strokes = [
                [Point2(0, 0), Point2(0.03, 0.02), Point2(0.06, 0)], [Point2(0.1, 0), Point2(0.1, 0.03)],
            ]
            scene.finger?.speed = 0.2
        }
        let strokes = session.groundTruthStrokes
        #expect(strokes.count == 2)
        #expect(strokes[0].pointsInPlane.first == Point2(0, 0))
        #expect((try #require(strokes[0].pointsInPlane.last) - Point2(0.06, 0)).length < 1e-12)
        #expect(abs(strokes[1].length - 0.03) < 1e-12)
        #expect(
            zip(strokes[0].pointsInPlane, strokes[0].pointsInPlane.dropFirst()).allSatisfy { ($1 - $0).length < 5e-4 })
        #expect(strokes[0].endSeconds < strokes[1].startSeconds)
        // The tip at the beginning and at the end of a stroke, and on the curve between.
        var truths = session.makeTruthStream()
        for stroke in strokes {
            let curve = session.pointsInWorld(of: stroke)
            for (fraction, expected) in [(0.0, curve.first), (1.0, curve.last)] {
                let seconds = mix(stroke.startSeconds, stroke.endSeconds, fraction)
                let tip = try truths.truth(at: SceneSession.timestamp(atSeconds: seconds))?.fingertip?.positionInWorld
                #expect(try (#require(tip) - #require(expected)).length < 1e-6)
            }
        }
        let middle = SceneSession.timestamp(atSeconds: mix(strokes[0].startSeconds, strokes[0].endSeconds, 0.37))
        let tip = try #require(try session.makeTruth(at: middle)?.fingertip?.positionInWorld)
        let distance = session.pointsInWorld(of: strokes[0]).map { ($0 - tip).length }.min()
        #expect(distance ?? 1 < 1e-4)
    }

    @Test func planesAreDeclared() throws {
        let planes = try Self.session().declaredPlanes
        #expect(planes.map(\.name) == ["ground"])
        #expect(planes[0].classification == .floor)
        #expect(planes[0].boundary == [Point2(-1, 1), Point2(1, 1), Point2(1, -1), Point2(-1, -1)])
    }

    @Test func outlinesBecomeCounterClockwise() throws {
        let corners = [Point2(0, 0), Point2(1, 0), Point2(0, 1)]
        for outline in [corners, corners.reversed()] {
            let planes = try Self.session { $0.planes[0].outline = outline }.declaredPlanes
            let boundary = planes[0].boundary
            // Seen from above, with x to the right, z points down the page.
            let area = (boundary[1] - boundary[0]).cross(boundary[2] - boundary[0])
            #expect(area < 0)
        }
    }
}

extension SceneSession {
    fileprivate func makeTruth(at time: Timestamp) throws -> FrameTruth? {
        var stream = makeTruthStream()
        return try stream.truth(at: time)
    }
}
