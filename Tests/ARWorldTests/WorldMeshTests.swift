// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking
import Foundation
import TestSupport
import Testing

@testable import ARWorld

@Suite struct WorldMeshTests {
    private func bruteForce(_ ray: Ray, _ mesh: TriangleMesh) -> (distance: Double, triangle: Int)? {
        var nearest: (distance: Double, triangle: Int)?
        for triangle in mesh.triangles.indices {
            let (a, b, c) = mesh.corners(ofTriangle: triangle)
            guard let hit = ray.intersection(withTriangle: a, b, c) else { continue }
            if hit.distance < nearest?.distance ?? .infinity { nearest = (hit.distance, triangle) }
        }
        return nearest
    }

    @Test(arguments: [0, 1, 3, 12, 100, 2000]) func theTreeAnswersAsAllTrianglesDo(count: Int) {
        var random = TestRandom(case: count)
        // Whole coordinates give shared corners, rays along faces, and triangles without area.
        let positions = (0..<3 * count).map { number -> Point3 in
            let position = 4 * random.vector3()
            return number.isMultiple(of: 2) ? position : Point3(position.x.rounded(), position.y.rounded(), 0)
        }
        let triangles = (0..<Int32(count)).map { TriangleIndices(0, 1, 2) &+ 3 * $0 }
        let mesh = TriangleMesh(positions: positions, triangles: triangles)
        let world = WorldMesh(mesh)
        for _ in 0..<200 {
            let target = positions.randomElement(using: &random) ?? .zero
            let direction = random.uniform() > 0 ? random.direction() : Vector3(0, 0, -1)
            let ray = Ray(origin: target - random.uniform(-1...5) * direction, unitDirection: direction)
            let (found, expected) = (world.nearestHit(of: ray), bruteForce(ray, mesh))
            #expect(found?.distance == expected?.distance)
            #expect(found?.triangle == expected?.triangle)
        }
    }

    @Test(arguments: 0..<50) func aMeshIsHitWhereItIs(number: Int) throws {
        var random = TestRandom(case: number)
        let box = OrientedBox(worldFromBox: .identity, halfExtents: Vector3(0.5, 0.4, 0.3))
        let worldFromMesh = random.rigidTransform()
        let mesh = WorldMesh(TriangleMesh(box), worldFromMesh: worldFromMesh)
        let outside = worldFromMesh * (3 * random.direction())
        let inside = worldFromMesh * (0.2 * random.vector3())
        for (origin, target) in [(outside, inside), (inside, outside)] {
            let ray = try #require(Ray(from: origin, through: target))
            let hit = try #require(mesh.nearestHit(of: ray))
            let tolerance = 1e-12 * (1 + worldFromMesh.translation.length)
            expectClose(hit.worldFromHit.translation, ray.point(at: hit.distance), tolerance: tolerance)
            let normal = hit.worldFromHit.rotation * Vector3(0, 1, 0)
            #expect(normal.dot(ray.direction) < 0, "the normal points to where the ray comes from")
            let inMesh = worldFromMesh.rotation.inverse * normal
            #expect(abs(max(abs(inMesh.x), abs(inMesh.y), abs(inMesh.z)) - 1) < 1e-12)
            let (a, b, c) = mesh.mesh.corners(ofTriangle: hit.triangle)
            let weighted = hit.barycentrics.x * a + hit.barycentrics.y * b + hit.barycentrics.z * c
            expectClose(worldFromMesh * weighted, hit.worldFromHit.translation, tolerance: tolerance)
        }
    }

    @Test func theMeshTakesEffectInTheNextFrameAndFollowsCorrections() throws {
        let floor = TriangleMesh(
            positions: [Point3(-5, 0, -5), Point3(-5, 0, 5), Point3(5, 0, 0)], triangles: [TriangleIndices(0, 1, 2)])
        let down = Ray(origin: Point3(0, 1, 0), unitDirection: Vector3(0, -1, 0))
        let tracked = sampleFrame(worldFromCamera: lookingDown(from: 1))
        let lost = sampleFrame(worldFromCamera: lookingDown(from: 1), state: .limited(.relocalizing))
        var world = World()
        world.setMesh(WorldMesh(floor))
        #expect(world.update(with: lost).mesh == nil)
        let first = world.update(with: tracked)
        #expect(first.meshHit(down)?.distance == 1)
        let raised = WorldCorrection(worldFromOldWorld: RigidTransform(translation: Vector3(0, 0.25, 0)))
        world.correct(by: raised)
        #expect(world.update(with: lost).meshHit(down) == nil, "nothing is hit while tracking is not normal")
        #expect(world.update(with: tracked).meshHit(down)?.distance == 0.75)
        world.setMesh(WorldMesh(floor))
        world.correct(by: raised)
        #expect(world.update(with: tracked).meshHit(down)?.distance == 0.75)
        world.setMesh(nil)
        #expect(world.update(with: tracked).meshHit(down) == nil)
    }

    @Test func aRaycastForAnySurfaceMeetsMeshAndPlanesByDistance() throws {
        let table = samplePlane("table", worldFromAnchor: RigidTransform(translation: Vector3(0, 0.5, 0)))
        let box = TriangleMesh(OrientedBox(worldFromBox: .identity, halfExtents: Vector3(0.25, 0.25, 0.25)))
        let snapshot = WorldSnapshot(
            frame: sampleFrame(worldFromCamera: lookingDown(from: 1)), planes: [table], mesh: WorldMesh(box))
        func results(_ target: RaycastQuery.Target, _ alignment: RaycastQuery.TargetAlignment) -> [Double] {
            let down = Ray(origin: Point3(0.05, 1, 0.03), unitDirection: Vector3(0, -1, 0))
            let query = RaycastQuery(ray: down, allowing: target, alignment: alignment)
            // To the micrometre.
            return snapshot.raycast(query).map { ($0.distance * 1e6).rounded() / 1e6 }
        }
        #expect(results(.estimatedPlane, .any) == [0.5, 0.75])
        #expect(results(.estimatedPlane, .horizontal) == [0.5])
        #expect(results(.estimatedPlane, .vertical) == [])
        #expect(results(.existingPlaneGeometry, .any) == [0.5])
    }

    @Test func theViewShowsTheMeshWhereItIsInAllOrientations() throws {
        let box = TriangleMesh(OrientedBox(worldFromBox: .identity, halfExtents: Vector3(0.3, 0.3, 0.3)))
        let snapshot = WorldSnapshot(
            frame: sampleFrame(worldFromCamera: lookingDown(from: 1)), planes: [], mesh: WorldMesh(box))
        for orientation in InterfaceOrientation.allCases {
            let viewport = Viewport(size: ViewSize(width: 390, height: 844), orientation: orientation)
            let corner = try #require(snapshot.project(Point3(0.1, 0.3, -0.05), in: viewport))
            let hit = try #require(snapshot.meshHit(corner, in: viewport))
            expectClose(hit.worldFromHit.translation, Point3(0.1, 0.3, -0.05), tolerance: 1e-12)
        }
    }
}
