// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation
import TestSupport
import Testing

@testable import ARWorld

/// A corrected map: everything gets new coordinates, and nothing moves for the eye.
@Suite struct CorrectionTests {
    @Test(arguments: 0..<100) func whatIsSeenStaysWhereItIsSeen(number: Int) throws {
        var random = TestRandom(case: number)
        let worldFromCamera = RigidTransform(rotation: random.rotation(), translation: random.vector3())
        let correction = WorldCorrection(
            worldFromOldWorld: RigidTransform(rotation: random.rotation(), translation: 10 * random.vector3()))
        // Two metres ahead, well away from edge-on.
        let attitude = Rotation(rotationVector: Vector3(random.uniform(0.5...1.5), random.uniform(), 0))
        let inFront = worldFromCamera * RigidTransform(rotation: attitude, translation: Vector3(0, 0, -2))
        var world = World()
        for anchor in everyKind(isTracked: true, worldFromAnchor: inFront) { world.add(anchor) }
        let plane = samplePlane("plane", worldFromAnchor: inFront)
        world.addAnchor(named: "on the plane", at: inFront, on: plane)
        let before = world.update(with: sampleFrame(worldFromCamera: worldFromCamera))

        world.correct(by: correction)
        let after = world.update(
            with: sampleFrame(worldFromCamera: correction.worldFromOldWorld * worldFromCamera))
        #expect(after.correction == correction)
        #expect(after.changes.updated == before.anchors.map(\.identifier))
        #expect(after.changes.added.isEmpty && after.changes.removed.isEmpty)
        for (old, new) in zip(before.anchors, after.anchors) {
            let oldInCamera = before.frame.worldFromCamera.inverse * old.worldFromAnchor
            let newInCamera = after.frame.worldFromCamera.inverse * new.worldFromAnchor
            expectClose(oldInCamera, newInCamera, radians: 1e-13, metres: 1e-13)
        }
        for _ in 0..<20 {
            let point = NormalizedImagePoint(random.uniform(0...1), random.uniform(0...1))
            let hit = before.hitTest(point, types: .existingPlane).first
            let hitAfter = after.hitTest(point, types: .existingPlane).first
            // Along the plane, a rounded digit decides whether it is met.
            guard let hit, hit.distance < 20 else { continue }
            #expect(abs(hit.distance - (try #require(hitAfter)).distance) < 1e-9 * hit.distance)
        }
    }

    @Test func correctionsWaitForTrackingAndAddUp() throws {
        let up = WorldCorrection(worldFromOldWorld: RigidTransform(translation: Vector3(0, 1, 0)))
        let turn = WorldCorrection(
            worldFromOldWorld: RigidTransform(rotation: Rotation(rotationVector: Vector3(0, .pi / 2, 0))))
        var world = World()
        let old = world.addAnchor(at: RigidTransform(translation: Vector3(1, 0, 0)))
        world.correct(by: up)
        let young = world.addAnchor(at: RigidTransform(translation: Vector3(1, 0, 0)))
        world.correct(by: turn)
        let new = world.addAnchor(at: RigidTransform(translation: Vector3(1, 0, 0)))
        let lost = world.update(with: sampleFrame(worldFromCamera: .identity, state: .limited(.relocalizing)))
        #expect(lost.anchors.isEmpty && lost.correction == nil)
        let snapshot = world.update(with: sampleFrame(worldFromCamera: .identity))
        #expect(snapshot.correction == turn.after(up))
        func place(_ anchor: UserAnchor) throws -> Point3 {
            try #require(snapshot.anchor(anchor.identifier)).worldFromAnchor.translation
        }
        // A quarter turn about +Y takes x to −z.
        #expect((try place(old) - Vector3(0, 1, -1)).length < 1e-15)
        #expect((try place(young) - Vector3(0, 0, -1)).length < 1e-15)
        #expect((try place(new) - Vector3(1, 0, 0)).length == 0)
        #expect(world.update(with: sampleFrame(worldFromCamera: .identity)).correction == nil)
    }

    @Test(arguments: 0..<30) func aCorrectionAndItsInverseLeaveTheWorldAsItWas(number: Int) {
        var random = TestRandom(case: number)
        let frame = sampleFrame(worldFromCamera: .identity)
        let worldFromOldWorld = RigidTransform(rotation: random.rotation(), translation: random.vector3())
        var world = World()
        for anchor in everyKind(isTracked: true, worldFromAnchor: random.rigidTransform()) { world.add(anchor) }
        let before = world.update(with: frame)
        world.correct(by: WorldCorrection(worldFromOldWorld: worldFromOldWorld))
        _ = world.update(with: frame)
        world.correct(by: WorldCorrection(worldFromOldWorld: worldFromOldWorld.inverse))
        let after = world.update(with: frame)
        for (old, new) in zip(before.anchors, after.anchors) {
            let tolerance = 1e-13 * (1 + old.worldFromAnchor.translation.length)
            expectClose(old.worldFromAnchor, new.worldFromAnchor, radians: 1e-13, metres: tolerance)
        }
    }

    /// Of two worlds that see the same, one is corrected half-way: it goes on to find the same planes, elsewhere.
    @Test func planesAreFoundWhereTheMapWasCorrected() throws {
        var random = TestRandom()
        let sample = SampleRoom(&random)
        var room = SyntheticRoom(sample.panels, random: random)
        let correction = WorldCorrection(
            worldFromOldWorld: RigidTransform(
                rotation: Rotation(rotationVector: Vector3(0, 0.7, 0)), translation: Vector3(2, 0.5, -1)))
        var (world, corrected) = (World(findingPlanesWith: PlaneFinder()), World(findingPlanesWith: PlaneFinder()))
        var planes: [(PlaneAnchor, PlaneAnchor)] = []
        for number in 0..<90 {
            let frame = room.frame(at: sample.aroundTable(at: Double(number) / SyntheticRoom.framesPerSecond))
            if number == 45 { corrected.correct(by: correction) }
            let other = number < 45 ? frame : correction.worldFromOldWorld * frame
            planes = Array(zip(world.update(with: frame).planes, corrected.update(with: other).planes))
        }
        #expect(!planes.isEmpty)
        for (plane, other) in planes {
            #expect(plane.identifier == other.identifier)
            #expect(plane.boundary.count == other.boundary.count)
            expectClose(
                correction.worldFromOldWorld * plane.worldFromAnchor, other.worldFromAnchor, radians: 1e-9, metres: 1e-9
            )
        }
    }
}
