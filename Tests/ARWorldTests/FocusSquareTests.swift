// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import ARWorld
import Foundation
import TestSupport
import Testing

@Suite struct FocusSquareTests {
    private let viewport = Viewport(size: ViewSize(width: 640, height: 480), orientation: .landscapeRight)
    private let center = ViewPoint(321.5, 238.5)

    /// A camera tilted down by that part of a right angle, turned by that yaw.
    private func camera(tilt: Double, yaw: Double = 0, roll: Double = 0, at position: Point3 = .zero) -> RigidTransform
    {
        RigidTransform(
            rotation: Rotation(EulerAngles(pitch: -tilt * .pi / 2, yaw: yaw, roll: roll)), translation: position)
    }

    @Test func thePlaceIsTheAverageOfTheLastEight() throws {
        var random = TestRandom()
        let hits = (0..<20).map { _ in random.vector3() }
        var square = FocusSquare()
        for (count, hit) in hits.enumerated() {
            square.update(with: hit, on: nil, worldFromCamera: .identity)
            let recent = hits.prefix(count + 1).suffix(8)
            let average = recent.reduce(.zero, +) / Double(recent.count)
            expectClose(try #require(square.worldFromSquare).translation, average, tolerance: 1e-15)
        }
    }

    @Test func theScaleGrowsWithTheDistance() {
        #expect(FocusSquare.scale(atDistance: 0.35) == 0.5)
        #expect(abs(FocusSquare.scale(atDistance: 0.7) - 1) < 1e-15, "both rules meet")
        #expect(FocusSquare.scale(atDistance: 0.7.nextDown) <= 1)
        #expect(FocusSquare.scale(atDistance: 2) == 1.325)
        var square = FocusSquare()
        square.update(with: Point3(0, -2, 0), on: nil, worldFromCamera: .identity)
        #expect(square.scale == 1.325)
    }

    @Test(arguments: 0..<50) func aLevelCameraGivesItsYaw(number: Int) {
        var random = TestRandom(case: number)
        let yaw = random.uniform(-3...3)
        let camera = camera(tilt: random.uniform(-0.649...0.649), yaw: yaw, roll: random.uniform(-3...3))
        #expect(abs(FocusSquare.yaw(for: camera) - yaw) < 1e-9)
    }

    @Test(arguments: 0..<50) func aSteepCameraGivesTheAngleOfItsPicture(number: Int) {
        var random = TestRandom(case: number)
        let turned = random.uniform(-3...3)
        // An upright phone: the sensor's x axis leads down the screen, which is towards the user.
        let camera = camera(tilt: random.uniform(0.751...0.99), yaw: turned, roll: -.pi / 2)
        let angle = FocusSquare.yaw(for: camera)
        let axes = camera.rotation
        let (x, y) = (axes * Vector3(1, 0, 0), axes * Vector3(0, 1, 0))
        #expect(abs(angle - atan2(x.x, y.x)) < 1e-12)
        // The picture's axes are foreshortened on the ground, by sin 67.5° at first: at most 2.3°.
        #expect(abs(remainder(angle - turned, 2 * .pi)) < 0.04)
    }

    @Test(arguments: 0..<200) func theSquareTurnsSteadilyWhileTheCameraTilts(number: Int) {
        var random = TestRandom(case: number)
        // In any of the four orientations, held askew by up to 40°: at 45° the rule does not know which way to turn.
        let roll = Double(number % 4) * .pi / 2 + random.uniform(-0.7...0.7)
        let yaw = random.uniform(-3...3)
        let angles = (0...600).map {
            FocusSquare.yaw(for: camera(tilt: 0.6 + 0.2 * Double($0) / 600, yaw: yaw, roll: roll))
        }
        for (angle, next) in zip(angles, angles.dropFirst()) {
            // Up to quarter turns, which a square does not show. Over 300 steps it turns by 45° at most, and with the camera.
            #expect(abs(remainder(next - angle, .pi / 2)) < 0.01)
        }
    }

    @Test func halfWayTheAnglesAreBlendedByHalf() {
        let camera = camera(tilt: 0.7, yaw: 0.2, roll: -.pi / 2 + 0.3)
        let (x, y) = (camera.rotation * Vector3(1, 0, 0), camera.rotation * Vector3(0, 1, 0))
        let expected = (0.2 + atan2(x.x, y.x)) / 2
        #expect(abs(FocusSquare.yaw(for: camera) - expected) < 1e-9)
    }

    @Test func aKnownPlaneClosesTheSquareAndFlashesOnce() {
        var square = FocusSquare()
        #expect(square.state == .hidden && square.outline.isEmpty)
        let (table, floor) = (samplePlane("table"), samplePlane("floor"))
        let steps: [(PlaneAnchor?, FocusSquare.State, Bool)] = [
            (nil, .open, false), (table, .closed(on: table.identifier), true),
            (table, .closed(on: table.identifier), false), (floor, .closed(on: floor.identifier), true),
            (nil, .open, false), (table, .closed(on: table.identifier), false),
        ]
        for (plane, state, flash) in steps {
            square.update(with: .zero, on: plane, worldFromCamera: lookingDown(from: 1))
            #expect(square.state == state)
            #expect(square.hasFoundNewPlane == flash)
        }
    }

    @Test func theOutlineIsOpenAtTheSidesOrClosed() {
        var square = FocusSquare()
        square.update(with: .zero, on: nil, worldFromCamera: RigidTransform(translation: Vector3(0, 0.7, 0)))
        func length(_ outline: [Segment2]) -> Double { outline.reduce(0) { $0 + ($1.end - $1.start).length } }
        #expect(square.outline.count == 8)
        #expect(abs(length(square.outline) - 8 * 0.2 * 0.17) < 1e-12)
        square.update(with: .zero, on: samplePlane("table"), worldFromCamera: camera(tilt: 1, at: Point3(0, 0.7, 0)))
        #expect(square.outline.count == 4)
        #expect(abs(length(square.outline) - 4 * 0.97 * 0.17) < 1e-12)
    }

    @Test func onAWallTheSquareHangsUpright() throws {
        let wall = samplePlane(
            "wall",
            worldFromAnchor: RigidTransform(
                rotation: Rotation(rotationVector: Vector3(-.pi / 2, 0, 0)), translation: Vector3(0, 0, -2)))
        var square = FocusSquare()
        square.update(with: Point3(0, -1, 0), on: nil, worldFromCamera: .identity)
        square.update(with: Point3(0.5, 0.5, -2), on: wall, worldFromCamera: .identity)
        let worldFromSquare = try #require(square.worldFromSquare)
        #expect(square.alignment == .vertical)
        expectClose(worldFromSquare.translation, Point3(0.5, 0.5, -2), tolerance: 1e-15)
        // This wall's own normal leads away from the camera.
        expectClose(worldFromSquare.rotation * Vector3(0, 1, 0), Vector3(0, 0, 1), tolerance: 1e-12)
        expectClose(worldFromSquare.rotation * Vector3(0, 0, -1), Vector3(0, 1, 0), tolerance: 1e-12)
    }

    @Test func theSquareFollowsTheMiddleOfTheView() throws {
        var square = FocusSquare()
        let tracked = sampleFrame(worldFromCamera: lookingDown(from: 1))
        var lost = tracked
        lost.trackingState = .limited(.excessiveMotion)
        square.update(with: WorldSnapshot(frame: tracked, planes: []), at: center, in: viewport)
        #expect(square.state == .hidden, "nothing is there")
        let table = samplePlane("table")
        square.update(with: WorldSnapshot(frame: tracked, planes: [table]), at: center, in: viewport)
        #expect(square.state == .closed(on: table.identifier))
        let place = try #require(square.worldFromSquare)
        expectClose(place.translation, .zero, tolerance: 1e-12)
        square.update(with: WorldSnapshot(frame: lost, planes: [table]), at: center, in: viewport)
        #expect(square.state == .hidden && square.worldFromSquare == place)
        // The plane is gone: the square slides on at its height.
        square.update(with: WorldSnapshot(frame: tracked, planes: []), at: center, in: viewport)
        #expect(square.state == .open)
    }
}
