// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import ARWorld
import Foundation
import TestSupport
import Testing

@Suite struct TrackedRaycastTests {
    private let down = Ray(origin: Point3(0, 1, 0), unitDirection: Vector3(0, -1, 0))

    private func snapshot(planeAt height: Double) -> WorldSnapshot {
        WorldSnapshot(
            frame: sampleFrame(worldFromCamera: lookingDown(from: 1)),
            planes: [
                samplePlane("table", worldFromAnchor: RigidTransform(translation: Vector3(0, height, 0)))
            ])
    }

    /// A surface of which each frame shows other points, so that each frame's estimate is a little off.
    private func snapshot(pointsAt height: Double, _ random: inout TestRandom) -> WorldSnapshot {
        var frame = sampleFrame(worldFromCamera: lookingDown(from: 1))
        frame.featurePoints =
            SampleSurface(
                worldFromSurface: RigidTransform(translation: Vector3(0, height, 0)), size: Vector2(0.6, 0.6),
                pointCount: 60, deviation: 0.01
            ).points(&random)
        return WorldSnapshot(frame: frame, planes: [])
    }

    private func raycast(_ target: RaycastQuery.Target) -> TrackedRaycast {
        TrackedRaycast(RaycastQuery(ray: down, allowing: target, alignment: .any))
    }

    @Test func onlyChangesAreReported() {
        var raycast = raycast(.existingPlaneGeometry)
        #expect(raycast.update(with: snapshot(planeAt: 2)) == nil, "nothing below")
        #expect(raycast.result == nil)
        #expect(raycast.update(with: snapshot(planeAt: 0))?.distance == 1)
        #expect(raycast.update(with: snapshot(planeAt: 0)) == nil)
        #expect(raycast.update(with: snapshot(planeAt: 0.0004)) == nil)
        // What was reported last counts, so that small steps add up.
        #expect(raycast.update(with: snapshot(planeAt: 0.0008))?.distance == 1 - 0.0008)
        #expect(raycast.update(with: snapshot(planeAt: 2)) == nil, "the last result stays")
        #expect(raycast.result?.distance == 1 - 0.0008)
    }

    @Test func anExistingPlaneIsFollowedWithoutLag() {
        var raycast = raycast(.existingPlaneGeometry)
        for step in 0..<50 {
            let height = 0.002 * Double(step)
            #expect(raycast.update(with: snapshot(planeAt: height))?.distance == 1 - height)
        }
    }

    @Test(arguments: 0..<20) func anEstimatedSurfaceIsKnownBetterWithEveryFrame(number: Int) throws {
        var random = TestRandom(case: number)
        var raycast = raycast(.estimatedPlane)
        var single: [Double] = []
        for _ in 0..<TrackedRaycast.memory {
            let snapshot = snapshot(pointsAt: 0, &random)
            single += snapshot.raycast(raycast.query).map { $0.distance - 1 }
            _ = raycast.update(with: snapshot)
        }
        let result = try #require(raycast.result)
        #expect(result.anchor == nil)
        let scatter = (single.reduce(0) { $0 + $1 * $1 } / Double(single.count)).squareRoot()
        // The mean of 30 is off by scatter / √30, and by what is too little to be reported.
        #expect(abs(result.distance - 1) < 3.5 * scatter / 30.0.squareRoot() + TrackedRaycast.leastMove)
        expectClose(result.worldFromHit.translation, down.point(at: result.distance), tolerance: 1e-12)
    }

    @Test func aSurfaceThatTurnsOutToBeElsewhereIsTakenAtOnce() throws {
        var random = TestRandom()
        var raycast = raycast(.estimatedPlane)
        for _ in 0..<40 { _ = raycast.update(with: snapshot(pointsAt: 0, &random)) }
        let higherResult = raycast.update(with: snapshot(pointsAt: 0.1, &random))
        let higher = try #require(higherResult)
        #expect(abs(higher.distance - 0.9) < 0.01)
        // A plane that was found is better than any estimate.
        let foundResult = raycast.update(with: snapshot(planeAt: 0.1))
        let found = try #require(foundResult)
        #expect(found.distance == 0.9 && found.anchor?.name == "table")
    }

    @Test func aStoppedRaycastIsSilent() {
        var raycast = raycast(.existingPlaneGeometry)
        _ = raycast.update(with: snapshot(planeAt: 0))
        raycast.stop()
        #expect(raycast.isStopped)
        #expect(raycast.update(with: snapshot(planeAt: 0.5)) == nil)
        #expect(raycast.result?.distance == 1)
    }

    @Test func aCorrectedWorldTakesTheRayAlong() throws {
        let table = samplePlane("table")
        var raycast = raycast(.existingPlaneGeometry)
        var world = World()
        world.add(.plane(table))
        _ = raycast.update(with: world.update(with: sampleFrame(worldFromCamera: lookingDown(from: 1))))
        let before = try #require(raycast.result)
        let correction = WorldCorrection(
            worldFromOldWorld: RigidTransform(
                rotation: Rotation(rotationVector: Vector3(0, 1, 0)), translation: Vector3(5, 2, -3)))
        world.correct(by: correction)
        let camera = correction.worldFromOldWorld * lookingDown(from: 1)
        let afterResult = raycast.update(with: world.update(with: sampleFrame(worldFromCamera: camera)))
        let after = try #require(afterResult)
        expectClose(
            after.worldFromHit, correction.worldFromOldWorld * before.worldFromHit, radians: 1e-14, metres: 1e-14)
        #expect(abs(after.distance - before.distance) < 1e-14)

        // Where nothing is met any more, what is known moves all the same.
        world.remove(table.identifier)
        world.correct(by: correction)
        let goneResult = raycast.update(with: world.update(with: sampleFrame(worldFromCamera: camera)))
        let gone = try #require(goneResult)
        expectClose(
            gone.worldFromHit, correction.worldFromOldWorld * after.worldFromHit, radians: 1e-14, metres: 1e-14)
        #expect(raycast.update(with: world.update(with: sampleFrame(worldFromCamera: camera))) == nil)
    }
}
