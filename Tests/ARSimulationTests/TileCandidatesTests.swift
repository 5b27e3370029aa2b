// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CRaycast
import TestSupport
import Testing

@testable import ARSimulation

/// What is compared instead of cast: the rectangles in tiles in which few of them may be seen.
@Suite struct TileCandidatesTests {
    static let size = ImageSize(width: 323, height: 245)
    private static let intrinsics = PinholeIntrinsics(fx: 260, fy: 255, cx: 160.2, cy: 121.7)
    static let cameras: [Camera] = [
        .pinhole(PinholeCamera(intrinsics)),
        .radialTangential(RadialTangentialCamera(intrinsics, k1: -0.28, k2: 0.07, p1: 2e-4, p2: -1e-4)),
        .equidistant(
            EquidistantCamera(
                PinholeIntrinsics(fx: 110, fy: 110, cx: 161, cy: 122), k1: -0.01, k2: 0.004, k3: 0, k4: 0)),
    ]

    /// Rectangles of all sizes around the origin, and among them a triangle that moves and, where they are wanted, others
    /// that do not, which pass through them all over the view.
    private static func model(_ random: inout TestRandom, isCrowded: Bool, hasFixedMesh: Bool) -> RenderModel {
        let texture = MipTexture(plain: Vector3(0.5, 0.5, 0.5))
        var surfaces: [RenderSurface] = (0..<(isCrowded ? 4_000 : 60)).map { _ in
            let place = RigidTransform(
                rotation: Rotation(rotationVector: random.vector3(-3...3)), translation: random.vector3(-2...2))
            let size = Vector2(random.uniform(0.02...1.5), random.uniform(0.02...1.5))
            return .rectangle(TexturedRectangle(worldFromSurface: place, size: size, texture: texture))
        }
        let triangle = ShadedMesh(
            positions: [SIMD3(0, 0, 0), SIMD3(0.3, 0, 0), SIMD3(0, 0.3, 0.1)],
            normals: [SIMD3<Float>](repeating: SIMD3(0, 0, 1), count: 3),
            coat: .colors([SIMD4<Float>](repeating: SIMD4(0.8, 0.2, 0.2, 0), count: 3)), triangles: [SIMD3(0, 1, 2)])
        surfaces.insert(.mesh(triangle, placement: .moving), at: 7)
        let corners = (0..<24).map { _ in SIMD3<Float>(random.vector3(-1.5...1.5)) }
        let triangles = ShadedMesh(
            positions: corners, normals: [SIMD3<Float>](repeating: SIMD3(0, 0, 1), count: corners.count),
            coat: .colors([SIMD4<Float>](repeating: SIMD4(0.2, 0.8, 0.2, 0), count: corners.count)),
            triangles: (0..<8).map { SIMD3(3 * $0, 3 * $0 + 1, 3 * $0 + 2) })
        if hasFixedMesh { surfaces.insert(.mesh(triangles, placement: .fixed), at: 30) }
        return RenderModel(surfaces: surfaces, illumination: Illumination(Scene.Light()))
    }

    /// A camera among the rectangles that moves and turns from row to row.
    private static func shot(_ random: inout TestRandom, speed: Double) -> Shot {
        let first = RigidTransform(
            rotation: Rotation(rotationVector: random.vector3(-3...3)), translation: random.vector3(-1.5...1.5))
        let (turn, way) = (speed * random.vector3(-1...1), speed * random.vector3(-1...1))
        var shot = Shot(
            worldFromCameraByRow: (0..<size.height).map { row in
                let time = Double(row) / Double(size.height)
                return RigidTransform(
                    rotation: first.rotation * Rotation(rotationVector: time * turn),
                    translation: first.translation + time * way)
            })
        let place = RigidTransform(rotation: .identity, translation: random.vector3(-1...1))
        shot.movements = [
            Movement(from: place, to: RigidTransform(rotation: .identity, translation: place.translation + way))
        ]
        return shot
    }

    /// Comparing sees what rays see, but for samples so near to a rim that single precision decides.
    @Test(arguments: cameras.indices, 0..<6) func comparingSeesWhatRaysSee(camera: Int, number: Int) throws {
        var random = TestRandom(case: 6 * camera + number)
        let (hasFixedMesh, isCrowded) = (number.isMultiple(of: 2), number % 3 == 1)
        let renderer = Renderer(
            model: Self.model(&random, isCrowded: isCrowded, hasFixedMesh: hasFixedMesh), camera: Self.cameras[camera],
            size: Self.size,
            threads: 2)
        let candidates = try #require(renderer.candidates)
        var shot = Self.shot(&random, speed: number < 3 ? 0 : 0.2)
        if number % 3 == 2 { shot.sample.offset = Vector2(0.4, -0.45) }
        renderer.render(shot, into: RadianceImage(size: Self.size))
        let objects = renderer.objects

        let count = Self.size.width * Self.size.height
        let rays = RayBatch(capacity: count, near: 0)
        let hits = HitBatch(capacity: count)
        defer { hits.deallocate() }
        var (compared, mixed, cast) = (0, 0, 0)
        for row in 0..<Self.size.height {
            let view = RowView(row, of: shot, table: renderer.table)
            for column in 0..<Self.size.width {
                rays.set(
                    row * Self.size.width + column, origin: view.origin, direction: view.direction(column),
                    far: .infinity, time: Float(view.time))
                let tile = (column / ViewTiles.width, row / ViewTiles.height)
                let targets = candidates.tile(column: tile.0, band: tile.1).rayTargets
                if targets == nil { compared += 1 }
                if let targets, MeshTargets.subsets.contains(targets) { mixed += 1 }
                if targets == CRAYCAST_ALL { cast += 1 }
            }
        }
        renderer.raycaster.intersect(rays, count: count, hits: hits)
        let differences = objects.indices.filter { objects[$0] != hits.object[$0] }.count
        #expect((isCrowded ? cast : max(compared, mixed)) > count / 10)
        #expect(differences <= 2)
    }

    /// Where too many rectangles stand one behind the other to be compared, rays find the nearest.
    @Test(arguments: [(20, false), (100, true)]) func crowdsAreCast(count: Int, isCast: Bool) throws {
        let surfaces = (0..<count).map { number in
            RenderSurface.rectangle(
                TexturedRectangle(
                    worldFromSurface: RigidTransform(
                        rotation: Rotation(rotationVector: Vector3(.pi / 2, 0, 0)),
                        translation: Point3(0, 0, -2 + 0.01 * Double(number))),
                    size: Vector2(8, 8), texture: MipTexture(plain: Vector3(0.5, 0.5, 0.5))))
        }
        let renderer = Renderer(
            model: RenderModel(surfaces: surfaces, illumination: Illumination(Scene.Light())), camera: Self.cameras[0],
            size: Self.size, threads: 1)
        let poses = [RigidTransform](repeating: .identity, count: Self.size.height)
        renderer.render(Shot(worldFromCameraByRow: poses), into: RadianceImage(size: Self.size))
        let candidates = try #require(renderer.candidates)
        for band in 0..<candidates.tiles.bands {
            for column in 0..<candidates.tiles.columns {
                #expect((candidates.tile(column: column, band: band).rayTargets == CRAYCAST_ALL) == isCast)
            }
        }
        #expect(renderer.objects.allSatisfy { $0 == Int32(count - 1) })
    }

    /// A ground with a few rectangles above it, and between them a triangle that moves, near whose shadow a camera looks.
    private static func sceneWithShadow(_ random: inout TestRandom, speed: Double) throws -> (RenderModel, Shot) {
        let texture = MipTexture(plain: Vector3(0.5, 0.5, 0.5))
        let grounds = (0..<6).map { number in
            TexturedRectangle(
                worldFromSurface: RigidTransform(
                    rotation: Rotation(rotationVector: number == 0 ? .zero : random.vector3(-0.5...0.5)),
                    translation: number == 0 ? .zero : random.vector3(-1...1) + Vector3(0, -0.5, 0)),
                size: Vector2(repeating: number == 0 ? 8 : 0.5), texture: texture)
        }
        let triangle = ShadedMesh(
            positions: [SIMD3(0, 0, 0), SIMD3(0.4, 0, 0), SIMD3(0, 0.1, 0.4)],
            normals: [SIMD3<Float>](repeating: SIMD3(0, 1, 0), count: 3),
            coat: .colors([SIMD4<Float>](repeating: SIMD4(0.8, 0.2, 0.2, 0), count: 3)), triangles: [SIMD3(0, 1, 2)])
        let place = Point3(random.uniform(-0.5...0.5), random.uniform(0.1...0.6), random.uniform(-0.5...0.5))
        var waypoint = Scene.Waypoint()
        waypoint.position = Point3(random.uniform(-1...1), random.uniform(1...2), random.uniform(1...2))
        waypoint.lookAt = Point3(place.x, 0, place.z)
        let first = try #require(waypoint.worldFromCamera)
        let way = speed * random.vector3(-1...1)
        var shot = Shot(
            worldFromCameraByRow: (0..<size.height).map { row in
                let time = Double(row) / Double(size.height)
                return RigidTransform(rotation: first.rotation, translation: first.translation + time * way)
            })
        shot.movements = [
            Movement(
                from: RigidTransform(rotation: .identity, translation: place),
                to: RigidTransform(
                    rotation: Rotation(rotationVector: speed * random.vector3(-1...1)), translation: place + way))
        ]
        // So low a sun that shadows fall far beside what throws them.
        var light = Scene.Light()
        light.direction = Vector3(1, 0.8, 0.4)
        let model = RenderModel(
            surfaces: grounds.map { .rectangle($0) } + [.mesh(triangle, placement: .moving)],
            illumination: Illumination(light))
        return (model, shot)
    }

    /// What moves hides a part of the sun only from tiles that say so, and not all of them do.
    @Test(arguments: cameras.indices, 0..<4) func movingShadowsFallIntoTheirTiles(camera: Int, number: Int) throws {
        var random = TestRandom(case: 4 * camera + number)
        let (model, shot) = try Self.sceneWithShadow(&random, speed: number < 2 ? 0 : 0.2)
        let renderer = Renderer(model: model, camera: Self.cameras[camera], size: Self.size, threads: 2)
        let candidates = try #require(renderer.candidates)
        renderer.render(shot, into: RadianceImage(size: Self.size))
        let rays = RayBatch(capacity: SunDisc.sampleCount, near: 0)
        var occluded = [UInt8](repeating: 0, count: SunDisc.sampleCount)
        var counts = (shaded: 0, missed: 0, said: 0, all: 0)
        for row in stride(from: 0, to: Self.size.height, by: 2) {
            let view = RowView(row, of: shot, table: renderer.table)
            for column in stride(from: 0, to: Self.size.width, by: 2) {
                let hit = renderer.firstHit(column: column, row: row)
                guard hit.object >= 0, case .rectangle = renderer.surfaces[hit.object] else { continue }
                let place = renderer.surfaces[hit.object].place(
                    at: hit, origin: view.origin, direction: view.direction(column), time: view.time)
                for (ray, direction) in renderer.sunDisc.samples.enumerated() {
                    renderer.setShadowRay(
                        rays, ray, from: renderer.shadowOrigin(of: place), towards: direction, time: Float(view.time))
                }
                renderer.raycaster.occluded(rays, count: rays.capacity, by: CRAYCAST_MOVING, into: &occluded)
                let isSaid = candidates.mayHaveMovingShadow(
                    column: column / ViewTiles.width, band: row / ViewTiles.height)
                let isShaded = occluded.contains(1)
                counts.all += 1
                counts.said += isSaid ? 1 : 0
                counts.shaded += isShaded ? 1 : 0
                counts.missed += isShaded && !isSaid ? 1 : 0
            }
        }
        #expect(counts.missed == 0)
        #expect(counts.shaded > 10)
        #expect(counts.said < counts.all)
    }
}
