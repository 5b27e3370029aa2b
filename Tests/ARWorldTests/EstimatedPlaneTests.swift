// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import ARWorld
import Foundation
import TestSupport
import Testing

/// Surfaces estimated from feature points: found where the points carry them, and nowhere else.
@Suite struct EstimatedPlaneTests {
    private let both: HitTestResult.ResultType = [.estimatedHorizontalPlane, .estimatedVerticalPlane]

    private func snapshot(_ points: [EstimatedLandmark]) -> WorldSnapshot {
        var frame = sampleFrame(worldFromCamera: RigidTransform(translation: Vector3(0, 0.6, 0.6)))
        frame.featurePoints = points
        return WorldSnapshot(frame: frame, planes: [])
    }

    /// From the camera to a point of the world.
    private func ray(through point: Point3) -> Ray { Ray(from: Point3(0, 0.6, 0.6), through: point)! }

    private func wall(heading: Double) -> RigidTransform {
        RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0, heading, 0))
                * Rotation(rotationVector: Vector3(.pi / 2, 0, 0)), translation: Vector3(0, 0.6, -0.4))
    }

    @Test(arguments: 0..<100) func aTableIsMetWhereItIs(number: Int) throws {
        var random = TestRandom(case: number)
        let height = random.uniform(-0.3...0.3)
        let table = SampleSurface(
            worldFromSurface: RigidTransform(translation: Vector3(0, height, 0)), pointCount: 100)
        let ray = ray(through: Point3(random.uniform(-0.1...0.1), height, random.uniform(-0.1...0.1)))
        let hit = try #require(snapshot(table.points(&random)).hitTest(ray, types: both).first)
        #expect(hit.type == .estimatedHorizontalPlane)
        #expect(hit.anchor == nil && hit.anchorFromHit == nil && hit.localTransform == nil)
        #expect(hit.worldFromHit.rotation == .identity)
        // A handful of points, each 3 mm off.
        #expect(abs(hit.worldFromHit.translation.y - height) < 0.004)
        expectClose(hit.worldFromHit.translation, ray.point(at: hit.distance), tolerance: 1e-12)
    }

    @Test(arguments: 0..<100) func aWallIsMetWhereItIs(number: Int) throws {
        var random = TestRandom(case: number)
        let wall = SampleSurface(
            worldFromSurface: wall(heading: random.uniform(-0.8...0.8)), size: Vector2(1.2, 1.2), pointCount: 120)
        let target = wall.worldFromSurface * Point3(random.uniform(-0.1...0.1), 0, random.uniform(-0.1...0.1))
        let hit = try #require(snapshot(wall.points(&random)).hitTest(ray(through: target), types: both).first)
        #expect(hit.type == .estimatedVerticalPlane)
        #expect((hit.worldFromHit.translation - target).length < 0.01)
        let normal = hit.worldFromHit.rotation * Vector3(0, 1, 0)
        #expect(normal.dot(wall.worldFromSurface.rotation * Vector3(0, 1, 0)) > cos(3 * .pi / 180))
        #expect(abs(normal.y) < 1e-15)
        expectClose(hit.worldFromHit.rotation * Vector3(0, 0, -1), Vector3(0, 1, 0), tolerance: 1e-12)
    }

    @Test(arguments: 0..<50) func aFewStrayPointsDoNotMoveIt(number: Int) throws {
        var random = TestRandom(case: number)
        let table = SampleSurface(worldFromSurface: .identity, pointCount: 60)
        let stray = (0..<15).map { number in
            EstimatedLandmark(
                id: 1000 + UInt64(number), position: Point3(random.uniform(-0.2...0.2), random.uniform(0.05...0.2), 0),
                covariance: 9e-6 * Matrix3x3.identity)
        }
        let hit = try #require(
            snapshot(stray + table.points(&random)).hitTest(ray(through: .zero), types: both).first)
        #expect(hit.type == .estimatedHorizontalPlane)
        #expect(abs(hit.worldFromHit.translation.y) < 0.004)
    }

    @Test func aCeilingsNormalPointsDown() throws {
        var random = TestRandom()
        let ceiling = SampleSurface(
            worldFromSurface: RigidTransform(translation: Vector3(0, 1.2, 0)), pointCount: 60)
        let hit = try #require(
            snapshot(ceiling.points(&random)).hitTest(ray(through: Point3(0, 1.2, 0)), types: both).first)
        expectClose(hit.worldFromHit.rotation * Vector3(0, 1, 0), Vector3(0, -1, 0), tolerance: 1e-15)
    }

    @Test(arguments: 0..<50) func noSurfaceIsSeenInACloud(number: Int) {
        var random = TestRandom(case: number)
        let cloud = (0..<80).map { number in
            EstimatedLandmark(
                id: UInt64(number), position: 0.4 * random.vector3(), covariance: 1e-6 * Matrix3x3.identity)
        }
        #expect(snapshot(cloud).hitTest(ray(through: .zero), types: both).isEmpty)
    }

    @Test(arguments: 0..<50) func aWallIsNoTableAndATableNoWall(number: Int) {
        var random = TestRandom(case: number)
        let wall = SampleSurface(worldFromSurface: wall(heading: random.uniform(-0.5...0.5)), pointCount: 120)
        let table = SampleSurface(worldFromSurface: .identity, pointCount: 60)
        let towardsWall = ray(through: wall.worldFromSurface.translation)
        #expect(snapshot(wall.points(&random)).hitTest(towardsWall, types: .estimatedHorizontalPlane).isEmpty)
        #expect(snapshot(table.points(&random)).hitTest(ray(through: .zero), types: .estimatedVerticalPlane).isEmpty)
    }

    @Test func nothingIsSaidBeyondTheEvidence() {
        var random = TestRandom()
        let table = SampleSurface(worldFromSurface: .identity, size: Vector2(0.3, 0.3), pointCount: 60)
        let points = table.points(&random)
        #expect(snapshot(points).hitTest(ray(through: .zero), types: both).count == 1)
        // Half of the cone is still full of points, but the ray passes beside all of them.
        #expect(snapshot(points).hitTest(ray(through: Point3(0.17, 0, 0)), types: both).isEmpty)
        // A row of points: a table's, a step's, a cable's?
        let row = points.map { point in
            EstimatedLandmark(
                id: point.id, position: Point3(point.position.x, 0, 0), covariance: point.covariance)
        }
        #expect(snapshot(row).hitTest(ray(through: .zero), types: both).isEmpty)
        #expect(snapshot(Array(points.prefix(5))).hitTest(ray(through: .zero), types: both).isEmpty)
    }

    @Test func pointsThatKnowNothingSayNothing() {
        var random = TestRandom()
        let vague = SampleSurface(worldFromSurface: .identity, deviation: 0.05)
        #expect(snapshot(vague.points(&random)).hitTest(ray(through: .zero), types: both).isEmpty)
    }
}
