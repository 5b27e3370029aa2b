// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

struct SceneTruthTests {
    /// A white print and a card on a black floor, a head above them, and a camera that looks down on all.
    private static let yaml = """
        format: arsim-scene/1
        name: truth
        summary: Things to recognise.
        seed: 4
        duration_s: 1
        camera: {size_px: [320, 240], rate_hz: 30, focal_px: [250, 250], principal_point_px: [159.5, 119.5]}
        camera_path:
          interval_s: 1
          waypoints:
            - {position_m: [0, 0.6, 0.3], look_at_m: [0, 0, 0]}
            - {position_m: [0.05, 0.6, 0.35], look_at_m: [0.02, 0, 0], roll_rad: 0.1}
        materials:
          - {name: black, kind: plain, color_srgb: [0.02, 0.02, 0.02]}
          - {name: emblem, kind: emblem, emblem: 5, width_px: 64}
          - {name: card, kind: card, payload: "a card"}
          - {name: face, kind: face, face: 1, surroundings: head}
        quads:
          - {name: floor, center_m: [0, 0, 0], size_m: [2, 2], material: black}
        prints:
          - {name: print, center_m: [-0.1, 0.001, 0], turn_rad: 0.3, size_m: [0.12, 0.12], border_m: 0.01, material: emblem}
          - {name: card, center_m: [0.12, 0.001, 0.05], turn_rad: -0.4, size_m: [0.063, 0.088], border_m: 0, material: card}
        planes:
          - {name: ground, surface: floor, classification: floor}
        """

    private static func session(_ change: (inout Scene) -> Void = { _ in }) throws -> SceneSession {
        var scene = try Scene(yaml: yaml, file: "truth")
        change(&scene)
        return try SceneSession(scene: scene, threads: 1)
    }

    private static func truth(_ session: SceneSession, atFrame number: Int = 0) throws -> FrameTruth {
        var truths = session.makeTruthStream()
        return try #require(try truths.truth(at: session.timestamp(ofFrame: number)))
    }

    /// What is printed lies, pixel by pixel, inside of the truth's corners, and fills them.
    @Test func cornersBoundWhatThePictureShows() throws {
        let session = try Self.session()
        let camera = session.makeCamera()
        for frame in [0, 14, 29] {
            _ = session.image(ofFrame: frame, by: camera)
            let objects = camera.renderer.objects
            let target = try #require(Self.truth(session, atFrame: frame).targets.first)
            let outline = Polygon2(target.corners.pixels.compactMap { $0?.vector })
            let number = try #require(session.stage.object(named: "print")).objectNumbers.lowerBound
            let pixels = objects.indices.filter { objects[$0] == number }
            // A pixel belongs to what its centre sees; centres on the rim may fall to either side.
            #expect(pixels.allSatisfy { outline.grown(by: 0.01).contains(Point2(Double($0 % 320), Double($0 / 320))) })
            #expect(abs(Double(pixels.count) - outline.area) < 0.02 * outline.area)
        }
    }

    @Test func everyThingIsThere() throws {
        let truth = try Self.truth(Self.session())
        #expect(truth.targets.map(\.name) == ["print"])
        #expect(truth.targets.map(\.picture) == ["emblem-5"])
        #expect(truth.rectangles.map(\.name) == ["print", "card"])
        #expect(truth.codes.map(\.payload) == ["a card"])
        #expect(truth.planes.map(\.name) == ["ground"])
        #expect(truth.targets.allSatisfy { $0.corners.visibleFraction == 1 })
    }

    /// The corners' order: with the print's top away from the camera, clockwise in the picture from the top left.
    @Test func cornersStartAtTheTopLeft() throws {
        let session = try Self.session { $0.prints[0].turnRadians = 0 }
        let target = try #require(Self.truth(session).targets.first)
        let expected = [Vector2(-0.5, -0.5), Vector2(0.5, -0.5), Vector2(0.5, 0.5), Vector2(-0.5, 0.5)]
        for (corner, place) in zip(target.corners.inWorld, expected) {
            let inTarget = target.worldFromTarget.inverse * corner
            #expect((inTarget - Vector3(place.x * 0.12, 0, place.y * 0.12)).length < 1e-12)
        }
        let pixels = target.corners.pixels.compactMap { $0 }
        #expect(pixels[0].x < pixels[1].x && pixels[0].y < pixels[3].y)
    }

    /// The rectangle is the sheet, border included; the code lies inside of its card.
    @Test func rectanglesAndCodesAreWhereTheyArePrinted() throws {
        let truth = try Self.truth(Self.session())
        let sheet = truth.rectangles[0].corners.inWorld
        #expect(abs((sheet[1] - sheet[0]).length - 0.14) < 1e-12)
        let card = Polygon2(truth.rectangles[1].corners.pixels.compactMap { $0?.vector })
        #expect(truth.codes[0].corners.pixels.allSatisfy { $0.map { card.contains($0.vector) } ?? false })
    }

    /// A box over half of the print hides half of it; behind the camera nothing is seen.
    @Test func whatIsHiddenIsNotSeen() throws {
        let covered = try Self.session { scene in
            scene.prints[0].turnRadians = 0
            var box = Scene.Box()
            box.name = "box"
            box.center = Point3(-0.04, 0.003, 0)
            box.size = Vector3(0.12, 0.002, 0.3)
            box.material = "black"
            scene.boxes = [box]
        }
        #expect(abs(try Self.truth(covered).targets[0].corners.visibleFraction - 0.5) < 0.07)
        let away = try Self.session { $0.prints[0].center = Point3(0, 0, 3) }
        let truth = try Self.truth(away).targets[0]
        #expect(truth.corners.visibleFraction == 0)
        #expect(truth.corners.pixels == [nil, nil, nil, nil])
        let turned = try Self.session { $0.prints[0].facing = Vector3(0, -1, 0) }
        #expect(try Self.truth(turned).targets[0].corners.visibleFraction == 0)
    }

    /// A head that faces the camera has no angles wherever in the picture it is; turned, it has those turns.
    @Test func facesTurnRelativeToTheLineOfSight() throws {
        var random = TestRandom()
        for _ in 0..<50 {
            let place = Vector3(random.uniform(-0.8...0.8), random.uniform(-0.6...0.6), -1)
            let sight = try #require(Rotation(from: Vector3(0, 0, -1), to: place))
            let angles = EulerAngles(
                pitch: random.uniform(-1...1), yaw: random.uniform(-1...1), roll: random.uniform(-1...1))
            let head = RigidTransform(rotation: sight * Rotation(angles), translation: place)
            let found = FaceTruth.angles(cameraFromHead: head)
            #expect(abs(found.yaw - angles.yaw) + abs(found.pitch - angles.pitch) < 1e-12)
            #expect(abs(found.roll - angles.roll) < 1e-12)
        }
    }

    @Test func aFaceHasABoxAroundIt() throws {
        let session = try Self.session { scene in
            scene.cameraPath.waypoints[0].position = Point3(0, 0.3, 1)
            scene.cameraPath.waypoints[0].lookAt = Point3(0, 0.3, 0)
            scene.cameraPath.waypoints[1] = scene.cameraPath.waypoints[0]
            var head = Scene.Head()
            head.name = "Ada"
            head.position = Point3(0.1, 0.35, 0)
            head.material = "face"
            scene.heads = [head]
        }
        let face = try #require(Self.truth(session).faces.first)
        let box = try #require(face.box)
        let center = try #require(
            session.project(Point3(0.1, 0.35, 0.09), inFrameAt: SceneSession.start))
        #expect((box.minimum.x...box.maximum.x).contains(center.x))
        #expect((box.minimum.y...box.maximum.y).contains(center.y))
        // From the brows to the chin some 15 cm, a metre away: 38 pixels; nothing hides it, but it bends away at its rim.
        #expect((30.0...48).contains(box.maximum.y - box.minimum.y))
        #expect(face.visibleFraction > 0.85)
    }

    /// The velocity is the derivative of the device's position; the biases are those in the samples.
    @Test func inertiaIsThatOfTheMotion() throws {
        let session = try Self.session { $0.imu = Scene.ImuSettings() }
        let step = 1e-5
        var truths = session.makeTruthStream()
        for number in 1..<28 {
            let time = session.timestamp(ofFrame: number)
            let inertia = try #require(try truths.truth(at: time)?.inertia)
            let seconds = time.seconds(since: SceneSession.start)
            let positions = [-step, step].map {
                session.worldFromImuMotion.worldFromBody(at: seconds + $0).translation
            }
            #expect(((positions[1] - positions[0]) / (2 * step) - inertia.velocityInWorld).length < 1e-7)
        }
        let readings = try #require(session.inertialSensor).makeReadings().map { $0 }
        let last = try #require(readings.last { $0.trueSeconds <= 0.9 + 1e-9 })
        var others = session.makeTruthStream()
        let truth = try #require(try others.truth(at: SceneSession.timestamp(atSeconds: 0.9))?.inertia)
        #expect(truth.gyroscopeBias == last.biases.gyroscope)
        #expect(truth.accelerometerBias == last.biases.accelerometer)
    }
}

extension Polygon2 {
    /// A convex polygon whose corners are moved away from its middle.
    fileprivate func grown(by margin: Double) -> Polygon2 {
        let middle = vertices.reduce(.zero, +) / Double(vertices.count)
        return Polygon2(vertices.map { $0 + margin * (($0 - middle).normalized() ?? .zero) })
    }
}
