// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct RaycasterTests {
    /// One triangle in the plane z = 0 with corners at the origin, (2, 0) and (0, 1).
    private static let triangle = RaycastMesh(
        positions: [SIMD3(0, 0, 0), SIMD3(2, 0, 0), SIMD3(0, 1, 0)], triangles: [SIMD3(0, 1, 2)])

    /// A cloud of small triangles in the unit cube.
    private static func cloud(_ random: inout TestRandom, count: Int) -> RaycastMesh {
        var mesh = RaycastMesh(positions: [], triangles: [])
        for index in 0..<UInt32(count) {
            let center = random.vector3()
            for _ in 0..<3 { mesh.positions.append(SIMD3<Float>(center + random.vector3(-0.2...0.2))) }
            mesh.triangles.append(SIMD3(3 * index, 3 * index + 1, 3 * index + 2))
        }
        return mesh
    }

    private struct Hit: Equatable {
        var object: Int32
        var primitive: UInt32
        var u: Float
        var v: Float
        var depth: Float
    }

    private static func cast(_ rays: [Ray], with raycaster: Raycaster) -> [Hit] {
        let batch = RayBatch(capacity: rays.count, near: 0)
        for (index, ray) in rays.enumerated() {
            batch.set(index, origin: ray.origin, direction: ray.direction, far: .infinity)
        }
        let hits = HitBatch(capacity: rays.count)
        defer { hits.deallocate() }
        raycaster.intersect(batch, count: rays.count, hits: hits)
        return rays.indices.map {
            Hit(
                object: hits.object[$0], primitive: hits.primitive[$0], u: hits.u[$0], v: hits.v[$0],
                depth: hits.depth[$0])
        }
    }

    private struct Ray {
        var origin: Point3
        var direction: Vector3
    }

    @Test func hitsSayWhere() {
        let raycaster = Raycaster()
        #expect(raycaster.addStatic(Self.triangle) == 0)
        raycaster.commit()
        let hits = Self.cast(
            [
                Ray(origin: Point3(0.5, 0.25, 3), direction: Vector3(0, 0, -2)),
                Ray(origin: Point3(1.5, 0.9, 3), direction: Vector3(0, 0, -2)),
                Ray(origin: Point3(0.5, 0.25, 3), direction: Vector3(0, 0, 2)),
            ], with: raycaster)
        #expect(hits[0].object == 0)
        // x = 2u, y = v, and the depth counts the direction's length.
        #expect(abs(hits[0].u - 0.25) < 1e-6 && abs(hits[0].v - 0.25) < 1e-6 && abs(hits[0].depth - 1.5) < 1e-6)
        #expect(hits[1].object == CRAYCAST_NOTHING && hits[1].depth == .infinity)
        #expect(hits[2].object == CRAYCAST_NOTHING)
    }

    @Test(arguments: 0..<10) func movingMeshesAreWhereTheyArePlaced(number: Int) {
        var random = TestRandom(case: number)
        let mesh = Self.cloud(&random, count: 50)
        let pose = RigidTransform(rotation: random.rotation(), translation: random.vector3())
        let raycaster = Raycaster()
        _ = raycaster.addStatic(Self.triangle)
        let moving = raycaster.addMoving(mesh)
        raycaster.place(moving, at: pose)
        raycaster.commit()
        let rested = Raycaster()
        _ = rested.addStatic(Self.triangle)
        _ = rested.addStatic(
            RaycastMesh(positions: mesh.positions.map { SIMD3<Float>(pose * Point3($0)) }, triangles: mesh.triangles))
        rested.commit()
        let rays = (0..<500).map { _ in Ray(origin: random.vector3(-3...3), direction: random.direction()) }
        let pairs = zip(Self.cast(rays, with: raycaster), Self.cast(rays, with: rested))
        // Single precision decides differently at the rim of a few triangles.
        let agreeing = pairs.filter {
            $0.object == $1.object && $0.primitive == $1.primitive
                && ($0.object < 0 || abs($0.depth - $1.depth) < 1e-4)
        }
        #expect(agreeing.count >= 498)
        #expect(pairs.contains { $0.0.object == moving })
    }

    @Test(arguments: 0..<5) func aRayDoesNotDependOnItsNeighbours(number: Int) {
        var random = TestRandom(case: number)
        let raycaster = Raycaster()
        _ = raycaster.addStatic(Self.cloud(&random, count: 300))
        _ = raycaster.addMoving(Self.cloud(&random, count: 300))
        raycaster.commit()
        let rays = (0..<700).map { _ in Ray(origin: random.vector3(-3...3), direction: random.direction()) }
        let order = rays.indices.shuffled(using: &random)
        let hits = Self.cast(rays, with: raycaster)
        let shuffled = Self.cast(order.map { rays[$0] }, with: raycaster)
        #expect(order.map { hits[$0] } == shuffled)
        #expect(rays.prefix(40).map { Self.cast([$0], with: raycaster)[0] } == Array(hits.prefix(40)))
    }

    /// A ray sees a mesh where it is at the ray's instant.
    @Test(arguments: [0, 0.25, 1] as [Float]) func raysHaveTheirInstants(time: Float) {
        let raycaster = Raycaster()
        let moving = raycaster.addMoving(Self.triangle)
        let deforming = raycaster.addMoving(Self.triangle)
        let shifted = Self.triangle.positions.map { $0 + SIMD3<Float>(0, 5, 0) }
        raycaster.place(
            moving, along: Movement(from: .identity, to: RigidTransform(translation: Point3(0, 0, 2))))
        raycaster.deform(
            deforming,
            Deformation(
                positions: shifted, normals: shifted, positionsAtLastRow: shifted.map { $0 + SIMD3(0, 0, -4) }))
        raycaster.commit()
        let batch = RayBatch(capacity: 2, near: 0)
        batch.set(0, origin: Point3(0.5, 0.25, 3), direction: Vector3(0, 0, -1), far: .infinity, time: time)
        batch.set(1, origin: Point3(0.5, 5.25, 3), direction: Vector3(0, 0, -1), far: .infinity, time: time)
        let hits = HitBatch(capacity: 2)
        defer { hits.deallocate() }
        raycaster.intersect(batch, count: 2, hits: hits)
        #expect(hits.object[0] == moving && abs(hits.depth[0] - (3 - 2 * time)) < 1e-5)
        #expect(hits.object[1] == deforming && abs(hits.depth[1] - (3 + 4 * time)) < 1e-5)
        // At rest again, every instant is the same.
        raycaster.place(moving, at: .identity)
        raycaster.commit()
        raycaster.intersect(batch, count: 2, hits: hits)
        #expect(abs(hits.depth[0] - 3) < 1e-5)
    }

    /// What is fixed and what moves can be asked for apart.
    @Test func subsetsAreApart() {
        let raycaster = Raycaster()
        _ = raycaster.addStatic(Self.triangle)
        let moving = raycaster.addMoving(Self.triangle)
        raycaster.place(moving, at: RigidTransform(translation: Point3(0, 5, 0)))
        raycaster.commit()
        let batch = RayBatch(capacity: 2, near: 0)
        batch.set(0, origin: Point3(0.5, 0.25, 3), direction: Vector3(0, 0, -1), far: .infinity)
        batch.set(1, origin: Point3(0.5, 5.25, 3), direction: Vector3(0, 0, -1), far: .infinity)
        var occluded = [UInt8](repeating: 9, count: 2)
        raycaster.occluded(batch, count: 2, by: CRAYCAST_FIXED, into: &occluded)
        #expect(occluded == [1, 0])
        raycaster.occluded(batch, count: 2, by: CRAYCAST_MOVING, into: &occluded)
        #expect(occluded == [0, 1])
        raycaster.occluded(batch, count: 2, into: &occluded)
        #expect(occluded == [1, 1])
    }

    /// Rays against meshes meet what is no rectangle, before the first rectangle is there as well as after.
    @Test func meshesAreApartFromRectangles() {
        let raycaster = Raycaster()
        let batch = RayBatch(capacity: 2, near: 0)
        batch.set(0, origin: Point3(0.5, 0.25, 3), direction: Vector3(0, 0, -1), far: .infinity)
        batch.set(1, origin: Point3(0.5, 5.25, 3), direction: Vector3(0, 0, -1), far: .infinity)
        let hits = HitBatch(capacity: 2)
        defer { hits.deallocate() }
        func seen(_ targets: CRaycastSubset) -> [Int32] {
            raycaster.commit()
            raycaster.intersect(batch, count: 2, with: targets, hits: hits)
            return [hits.object[0], hits.object[1]]
        }
        #expect(seen(CRAYCAST_MESHES) == [CRAYCAST_NOTHING, CRAYCAST_NOTHING])
        let mesh = raycaster.addStatic(Self.triangle)
        #expect(seen(CRAYCAST_MESHES) == [mesh, CRAYCAST_NOTHING])
        let shifted = Self.triangle.positions.map { $0 + SIMD3<Float>(0, 5, 0) }
        let rectangle = raycaster.addRectangle(RaycastMesh(positions: shifted, triangles: Self.triangle.triangles))
        #expect(seen(CRAYCAST_MESHES) == [mesh, CRAYCAST_NOTHING])
        #expect(seen(CRAYCAST_ALL) == [mesh, rectangle])
        #expect(seen(CRAYCAST_FIXED) == [mesh, rectangle])
        #expect(seen(CRAYCAST_FIXED_MESHES) == [mesh, CRAYCAST_NOTHING])
        let moving = raycaster.addMoving(Self.triangle)
        raycaster.place(moving, at: RigidTransform(translation: Point3(0, 5, 1)))
        #expect(seen(CRAYCAST_MESHES) == [mesh, moving])
        #expect(seen(CRAYCAST_FIXED_MESHES) == [mesh, CRAYCAST_NOTHING])
        #expect(seen(CRAYCAST_MOVING) == [CRAYCAST_NOTHING, moving])
    }

    @Test func occlusionEndsWithTheRay() {
        let raycaster = Raycaster()
        _ = raycaster.addStatic(Self.triangle)
        raycaster.commit()
        let above = Point3(0.5, 0.25, 3)
        #expect(raycaster.isBlocked(from: above, to: Point3(0.5, 0.25, -1), margin: 0, time: 0))
        #expect(raycaster.isBlocked(from: above, to: Point3(0.5, 0.25, -1), margin: 0.9, time: 0))
        #expect(!raycaster.isBlocked(from: above, to: Point3(0.5, 0.25, -1), margin: 1.1, time: 0))
        #expect(!raycaster.isBlocked(from: above, to: Point3(0.5, 0.25, 1), margin: 0, time: 0))
        #expect(!raycaster.isBlocked(from: above, to: Point3(1.5, 0.9, -1), margin: 0, time: 0))
    }

    @Test func rayThatEndBeforeTheyBeginHitNothing() {
        let raycaster = Raycaster()
        _ = raycaster.addStatic(Self.triangle)
        raycaster.commit()
        let batch = RayBatch(capacity: 1, near: 0)
        batch.set(0, origin: Point3(0.5, 0.25, 3), direction: Vector3(0, 0, -1), far: -1)
        var occluded: UInt8 = 9
        raycaster.occluded(batch, count: 1, into: &occluded)
        #expect(occluded == 0)
    }

    @Test func theFacadeRefusesWhatItCannotUse() {
        var scene: OpaquePointer?
        #expect(craycast_create(nil) == CRAYCAST_INVALID_ARGUMENT)
        #expect(craycast_create(&scene) == CRAYCAST_OK)
        defer { craycast_destroy(scene) }
        let positions: [Float] = [0, 0, 0, 1, 0, 0, 0, 1, 0]
        let (good, bad): ([UInt32], [UInt32]) = ([0, 1, 2], [0, 1, 3])
        var object: Int32 = -5
        positions.withUnsafeBufferPointer { positions in
            func add(_ indices: UnsafePointer<UInt32>?, vertices: Int, triangles: Int) -> CRaycastStatus {
                var mesh = CRaycastMesh(
                    positions: positions.baseAddress, vertex_count: vertices, triangles: indices,
                    triangle_count: triangles)
                return craycast_add_static(scene, &mesh, &object)
            }
            #expect(add(bad, vertices: 3, triangles: 1) == CRAYCAST_INVALID_ARGUMENT)
            #expect(add(nil, vertices: 3, triangles: 1) == CRAYCAST_INVALID_ARGUMENT)
            #expect(add(good, vertices: 3, triangles: 0) == CRAYCAST_INVALID_ARGUMENT)
            #expect(object == -5)
            #expect(add(good, vertices: 3, triangles: 1) == CRAYCAST_OK)
        }
        #expect(object == 0)
        // Static meshes cannot be placed, and nothing can be cast before the commit.
        #expect(craycast_place(scene, 0, [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0], nil) == CRAYCAST_INVALID_ARGUMENT)
        var rays = CRaycastRays()
        var occluded: UInt8 = 0
        #expect(craycast_occluded(scene, CRAYCAST_ALL, &rays, 1, &occluded) == CRAYCAST_INVALID_ARGUMENT)
        positions.withUnsafeBufferPointer { floats in
            let p = floats.baseAddress
            rays = CRaycastRays(
                origin_x: p, origin_y: p, origin_z: p, direction_x: p, direction_y: p, direction_z: p, far: nil,
                time: nil, near: 0
            )
            #expect(craycast_occluded(scene, CRAYCAST_ALL, &rays, 1, &occluded) == CRAYCAST_NOT_COMMITTED)
            #expect(craycast_commit(scene) == CRAYCAST_OK)
            #expect(craycast_occluded(scene, CRAYCAST_ALL, &rays, 1, &occluded) == CRAYCAST_OK)
        }
    }
}
