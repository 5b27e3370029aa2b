// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct RollingShutterTests {
    static let lenses: [Scene.CameraSettings.Lens] = Scene.CameraSettings.Lens.allCases

    /// A chessboard before a camera that moves and turns fast.
    private static func session(
        lens: Scene.CameraSettings.Lens = .pinhole, readoutMilliseconds: Double,
        change: (inout Scene) -> Void = { _ in }
    ) throws -> SceneSession {
        var scene = try Chessboard.scene()
        scene.camera = Scene.CameraSettings()
        scene.camera.pixelFormat = .gray8
        scene.camera.transfer = .linear
        scene.camera.lens = lens
        switch lens {
        case .pinhole: break
        case .radialTangential: scene.camera.distortion = [-0.28, 0.07, 2e-4, -1e-4, 0]
        case .equidistant:
            scene.camera.distortion = [-0.01, 0.004, 0, 0]
            scene.camera.focalPixels = Vector2(300, 300)
        }
        scene.camera.readoutMilliseconds = readoutMilliseconds
        let height = lens == .equidistant ? 0.27 : 0.44
        let places = [(-0.10, -0.09, 0.0), (-0.02, 0.05, 0.25), (0.08, -0.03, -0.1), (-0.05, 0.06, 0.3)]
        scene.cameraPath.intervalSeconds = 0.12
        scene.cameraPath.waypoints = places.map { position, target, roll in
            var waypoint = Scene.Waypoint()
            waypoint.position = Point3(position, height, 0.12)
            waypoint.lookAt = Point3(target / 2, 0, target / 3)
            waypoint.rollRadians = roll
            return waypoint
        }
        scene.durationSeconds = 0.36
        change(&scene)
        return try SceneSession(scene: scene, threads: 2)
    }

    /// Corners that OpenCV finds lie within 0.05 px of where they are projected: with a global shutter, with a readout of
    /// a tenth of the frame interval, and with one of nearly all of it, which moves the corners by more than 5 px.
    @Test(arguments: lenses, [0, 3.333, 30])
    func cornersAreWhereTheyAreProjected(lens: Scene.CameraSettings.Lens, readout: Double) throws {
        let session = try Self.session(lens: lens, readoutMilliseconds: readout)
        let camera = session.makeCamera()
        for frame in [3, 6, 9] {
            let time = session.timestamp(ofFrame: frame)
            let image = session.image(ofFrame: frame, by: camera).softened
            let errors = try #require(Chessboard.errors(in: image) { session.project($0, inFrameAt: time) })
            #expect(errors.map(\.length).max() ?? .infinity < 0.05, "\(lens) \(readout) ms, frame \(frame)")
            let mean: Vector2 = errors.reduce(.zero, +) / 35
            #expect(mean.length < 0.015)
        }
    }

    /// The board moves so much between the first row and the last that a global projection would be far off.
    @Test func theMotionMatters() throws {
        let session = try Self.session(readoutMilliseconds: 30)
        let worst = [3, 6, 9].map { frame in
            let time = session.timestamp(ofFrame: frame)
            let opticalFromWorld =
                RigidTransform.opticalFromCamera
                * session.worldFromCamera(at: time.seconds(since: SceneSession.start)).inverse
            return Chessboard.corners.map { corner in
                guard let rolling = session.project(corner, inFrameAt: time),
                    let global = session.camera.camera.project(opticalFromWorld * corner)
                else { return 0 }
                return rolling.distance(to: global)
            }.max() ?? 0
        }
        #expect(worst.max() ?? 0 > 5)
    }

    /// A projected point is where the camera is in its row: the row's own pose projects it to the same pixel.
    @Test func theRowsPoseProjectsThere() throws {
        let session = try Self.session(lens: .radialTangential, readoutMilliseconds: 30)
        var random = TestRandom()
        for _ in 0..<200 {
            let seconds = random.uniform(0.02...0.34)
            let point = Point3(random.uniform(-0.1...0.1), random.uniform(-0.05...0.05), random.uniform(-0.1...0.1))
            let time = SceneSession.timestamp(atSeconds: seconds)
            let pixel = try #require(session.project(point, inFrameAt: time))
            guard (0...479).contains(pixel.y) else { continue }
            let rowSeconds =
                time.seconds(since: SceneSession.start) + 0.030 * (pixel.y / 479 - 0.5)
            let opticalFromWorld =
                RigidTransform.opticalFromCamera * session.worldFromCamera(at: rowSeconds).inverse
            let again = try #require(session.camera.camera.project(opticalFromWorld * point))
            #expect(again.distance(to: pixel) < 1e-6)
        }
    }

    /// What moves with the camera stays in its pixel; what stands still is the same as a moving point that rests.
    @Test func movingPoints() throws {
        let session = try Self.session(readoutMilliseconds: 30)
        let time = session.timestamp(ofFrame: 5)
        let inCamera = Point3(0.05, -0.04, -0.5)
        let carried = try #require(session.project(inFrameAt: time) { session.worldFromCamera(at: $0) * inCamera })
        let expected = try #require(
            session.camera.camera.project(RigidTransform.opticalFromCamera * inCamera))
        #expect(carried.distance(to: expected) < 1e-9)
        let point = Point3(0.03, 0, 0.02)
        #expect(session.project(inFrameAt: time) { _ in point } == session.project(point, inFrameAt: time))
    }

    @Test func nothingIsProjectedBehindTheCameraOrFasterThanTheShutter() throws {
        let session = try Self.session(readoutMilliseconds: 30)
        let time = session.timestamp(ofFrame: 5)
        #expect(session.project(Point3(0, 2, 0), inFrameAt: time) == nil)
        for speed in [1.01, 2, 10] {
            #expect(Self.crossing(session, time, speed: speed) == nil)
        }
    }

    /// Where a point is that moves down the picture at a speed against the shutter's, and is at the row 229 when the
    /// middle row is exposed.
    private static func crossing(_ session: SceneSession, _ time: Timestamp, speed: Double) -> PixelPoint? {
        let instant = time.seconds(since: SceneSession.start)
        let focal = session.camera.camera.intrinsics.fy
        return session.project(inFrameAt: time) { seconds in
            let row = 229 + speed * (seconds - instant) * 479 / 0.030
            return session.worldFromCamera(at: seconds) * Point3(0, (239.5 - row) / focal, -1)
        }
    }

    /// As long as rows overtake a point, one of them shows it; a point that comes towards them is met once however fast
    /// it is. At a speed v the row r is 229 + v (r − 239.5).
    @Test(arguments: [-20, -2, -1, -0.5, 0, 0.5, 0.7, 0.8, 0.9, 0.95])
    func aPointIsFoundUpToTheShuttersSpeed(speed: Double) throws {
        let session = try Self.session(readoutMilliseconds: 30)
        let pixel = try #require(Self.crossing(session, session.timestamp(ofFrame: 5), speed: speed))
        #expect(abs(pixel.y - (229 - 239.5 * speed) / (1 - speed)) < 1e-6)
    }

    @Test func theRigTellsTheReadout() throws {
        let session = try Self.session(readoutMilliseconds: 15.01)
        #expect(session.camera.readoutNanoseconds == 15_010_000)
        #expect(try Self.session(readoutMilliseconds: 0).camera.readoutNanoseconds == 0)
    }

    /// What moves is in each row where it is then: a fingertip that crosses the picture is where it is projected.
    @Test func aMovingHandIsRolled() throws {
        let session = try Self.session(readoutMilliseconds: 30) { scene in
            var finger = Scene.Finger()
            finger.plane = "ground"
            finger.strokes = [[Point2(-0.08, 0), Point2(0.08, 0)]]
            finger.startSeconds = 0.05
            finger.liftSeconds = 0.01
            finger.restSeconds = 0.01
            finger.speed = 1
            finger.headingRadians = 1.2
            scene.finger = finger
            // Nothing but the finger moves.
            scene.cameraPath.waypoints = scene.cameraPath.waypoints.map { _ in scene.cameraPath.waypoints[1] }
        }
        let hand = try #require(session.stage.object(named: "finger")).objectNumbers.lowerBound
        let finger = try #require(session.stage.finger)
        let camera = session.makeCamera()
        // In the middle of the stroke the finger is fastest: about 1900 px/s.
        let time = session.timestamp(ofFrame: 5)
        let tip = try #require(session.project(inFrameAt: time) { finger.worldFromHand(at: $0).translation })
        let objects = camera.rendering(of: session.shot(at: time)).objects
        let distances = objects.indices.filter { objects[$0] == hand }.map { index in
            PixelPoint(Double(index % 640), Double(index / 640)).distance(to: tip)
        }
        #expect(distances.min() ?? .infinity < 8)
    }
}
