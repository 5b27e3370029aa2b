// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

/// What surfaces look like, and where they are when they move: a camera above looks down on a ground at y = 0.
@Suite struct RenderedSurfaceTests {
    private static let size = ImageSize(width: 160, height: 120)
    private static let focal = 150.0
    private static let height = 1.0
    private static let camera = Camera.pinhole(
        PinholeCamera(PinholeIntrinsics(fx: focal, fy: focal, cx: 79.5, cy: 59.5)))

    /// Image x is world x, image y is world z.
    private static let worldFromCamera = RigidTransform(
        rotation: Rotation(rotationVector: Vector3(-.pi / 2, 0, 0)), translation: Point3(0, height, 0))

    private static func shot() -> Shot {
        Shot(worldFromCameraByRow: [RigidTransform](repeating: worldFromCamera, count: size.height))
    }

    private static func ground(_ texture: MipTexture, gloss: Float = 0) -> TexturedRectangle {
        TexturedRectangle(worldFromSurface: .identity, size: Vector2(2, 2), texture: texture, gloss: gloss)
    }

    private static let pattern = MipTexture(covering: Vector2(2, 2), texelMeters: 0.01, threads: 1) { place, _ in
        Vector3(0.5 + 0.4 * place.x / 2, 0.5 + 0.4 * place.y / 2, (place.x * 5).rounded(.down) / 12)
    }

    private static let overhead = Illumination(Scene.Light())

    /// A square of two triangles, y up, in its own frame, with a texture on it as a rectangle has it.
    private static func square(side: Double, texture: MipTexture? = nil) -> ShadedMesh {
        let half = Float(side / 2)
        let coat: MeshCoat =
            if let texture {
                .texture(texture, coordinates: [SIMD2(0, 0), SIMD2(0, 1), SIMD2(1, 1), SIMD2(1, 0)])
            } else {
                .colors([SIMD4<Float>](repeating: SIMD4(0.8, 0.2, 0.2, 0), count: 4))
            }
        return ShadedMesh(
            positions: [SIMD3(-half, 0, -half), SIMD3(-half, 0, half), SIMD3(half, 0, half), SIMD3(half, 0, -half)],
            normals: [SIMD3<Float>](repeating: SIMD3(0, 1, 0), count: 4), coat: coat,
            triangles: [SIMD3(0, 1, 2), SIMD3(0, 2, 3)])
    }

    /// A small square above the ground.
    private static let lid = {
        var mesh = square(side: 0.3)
        mesh.positions = mesh.positions.map { $0 + SIMD3(0, 0.1, 0) }
        return RenderSurface.mesh(mesh, placement: .fixed)
    }()

    private static func renderer(_ surfaces: [RenderSurface], light: Illumination = overhead, threads: Int = 1)
        -> Renderer
    {
        Renderer(
            model: RenderModel(surfaces: surfaces, illumination: light), camera: camera, size: size, threads: threads)
    }

    private static func light(_ shot: Shot, _ renderer: Renderer) -> [SIMD4<Float>] {
        let image = RadianceImage(size: size)
        renderer.render(shot, into: image)
        return Array(UnsafeBufferPointer(start: image.pixels, count: size.width * size.height))
    }

    private static func largestDifference(_ a: [SIMD4<Float>], _ b: [SIMD4<Float>]) -> Float {
        zip(a, b).map { pair in
            let difference = pair.0 - pair.1
            return max(abs(difference.x), abs(difference.y), abs(difference.z))
        }.max() ?? 0
    }

    /// A mesh with a texture looks like the rectangle with the same texture, footprints and all.
    @Test(arguments: [0.0, 0.7, 1.2]) func texturedMeshesLookLikeRectangles(tilt: Double) {
        let turned = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(tilt, 0.3, 0)), translation: Point3(0, -0.5, 0))
        let rectangle = TexturedRectangle(worldFromSurface: turned, size: Vector2(2, 2), texture: Self.pattern)
        var shot = Self.shot()
        let seen = Self.light(shot, Self.renderer([.rectangle(rectangle)]))
        shot.movements = [Movement(at: turned)]
        let mesh = Self.square(side: 2, texture: Self.pattern)
        let seenOnMesh = Self.light(shot, Self.renderer([.mesh(mesh, placement: .moving)]))
        // Single precision of the mesh's corners, seen through the texture's steps; the rest would be far larger.
        #expect(Self.largestDifference(seen, seenOnMesh) < 0.02)
    }

    /// In row r a moving mesh is where it is at that row's instant: the edge of a square that moves evenly is a slanted
    /// line, and a resting one's is upright.
    @Test(arguments: [0.0, 0.1, -0.2]) func movingMeshesAreSkewed(way: Double) {
        let (from, to) = (Point3(-0.2, 0, 0), Point3(-0.2 + way, 0, 0))
        var shot = Self.shot()
        shot.movements = [
            Movement(from: RigidTransform(translation: from), to: RigidTransform(translation: to))
        ]
        let renderer = Self.renderer([.mesh(Self.square(side: 0.4), placement: .moving)])
        _ = Self.light(shot, renderer)
        let objects = renderer.objects
        var rows = 0
        for row in 0..<Self.size.height {
            let columns = (0..<Self.size.width).filter { objects[row * Self.size.width + $0] == 0 }
            guard let last = columns.last else { continue }
            rows += 1
            let edge = mix(from.x, to.x, Double(row) / Double(Self.size.height - 1)) + 0.2
            let expected = 79.5 + Self.focal * edge / Self.height
            #expect((expected - 1.001...expected + 0.001).contains(Double(last)))
        }
        #expect(rows > 50)
    }

    /// A deforming mesh is where its vertices are, at the first row's instant and at the last row's.
    @Test func deformingMeshesAreWhereTheirVerticesAre() {
        let mesh = Self.square(side: 0.4)
        func moved(_ way: Float) -> [SIMD3<Float>] { mesh.positions.map { $0 + SIMD3(way, 0, 0) } }
        let renderer = Self.renderer([.mesh(mesh, placement: .deforming)])
        var shot = Self.shot()
        func rightmost(positions: [SIMD3<Float>], last: [SIMD3<Float>]?, row: Int) -> Int? {
            shot.deformations = [
                Deformation(positions: positions, normals: mesh.normals, positionsAtLastRow: last)
            ]
            _ = Self.light(shot, renderer)
            return (0..<Self.size.width).last { renderer.objects[row * Self.size.width + $0] == 0 }
        }
        #expect(rightmost(positions: moved(0), last: nil, row: 60) == 109)
        #expect(rightmost(positions: moved(0.1), last: nil, row: 60) == 124)
        // Row 89 is three quarters down the picture.
        #expect(rightmost(positions: moved(0), last: moved(0.2), row: 89) == 131)
        #expect(rightmost(positions: moved(0), last: nil, row: 60) == 109)
    }

    /// The shadow of a lid that stands still, which comes from a light map, is that of the same lid as a moving mesh, which
    /// comes from rays.
    @Test func bakedShadowsAreCastShadows() {
        var light = Scene.Light()
        light.direction = Vector3(0.5, 1, 0.2)
        light.angularRadius = 0.1
        let illumination = Illumination(light)
        let ground = RenderSurface.rectangle(Self.ground(MipTexture(plain: Vector3(repeating: 0.8))))
        let place = RigidTransform(translation: Point3(0.1, 0.25, 0))
        var fixed = Self.square(side: 0.3)
        fixed.positions = fixed.positions.map { SIMD3<Float>(place * Point3($0)) }
        var shot = Self.shot()
        let baked = Self.light(
            shot, Self.renderer([ground, .mesh(fixed, placement: .fixed)], light: illumination))
        shot.movements = [Movement(at: place)]
        let cast = Self.light(
            shot, Self.renderer([ground, .mesh(Self.square(side: 0.3), placement: .moving)], light: illumination))
        #expect(Self.largestDifference(baked, cast) < 0.1)
        let mean = zip(baked, cast).reduce(0) { $0 + abs($1.0.x - $1.1.x) } / Float(baked.count)
        #expect(mean < 0.002)
        // There is a shadow, and a soft one.
        let ramp = Set(baked.map { Int($0.x * 50) })
        #expect(ramp.count > 5)
    }

    /// How much of the sun places on the ground see past the edge of a square, whether it stands still or may move: the
    /// share of a disc on one side of a line, which is s √(1 − s²) + arcsin s over π, and a half, for a line at s radii.
    @Test(arguments: [MeshPlacement.fixed, .moving]) func penumbrasAreTheSunsShare(placement: MeshPlacement) throws {
        let seen = try Self.sunSeen(past: placement, sunRadius: 0.1)
        let errors = seen.map { $0.measured - $0.expected }
        let deviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
        #expect(seen.filter { $0.expected > 0.05 && $0.expected < 0.95 }.count > 500)
        #expect((errors.map(abs).max() ?? 1) < 0.09)
        #expect(deviation < 0.03)
    }

    /// Beyond the edge of a sharp shadow there is full light, or none: past what moves for all pixels whose centres lie
    /// outside its penumbra, past what stands still beyond the pixels next to it, as light maps have cells of a pixel.
    @Test(arguments: [(MeshPlacement.fixed, 1.8), (.moving, 0.3)])
    func sharpShadowsStaySharp(placement: MeshPlacement, leastPixels: Double) throws {
        let seen = try Self.sunSeen(past: placement, sunRadius: 0.002)
        let blurred = seen.filter { abs($0.pixelsFromEdge) > leastPixels && abs($0.measured - $0.expected) > 0.01 }
        #expect(blurred.isEmpty)
        #expect(seen.contains { $0.expected == 0 } && seen.contains { $0.expected == 1 })
    }

    /// A row or a column of a picture has the half-shadows of the whole picture, although no pixel has all neighbours.
    @Test func stripsOfOnePixelHaveHalfShadows() {
        var light = Scene.Light()
        light.direction = Vector3(0.5, 1, 0)
        light.angularRadius = 0.1
        // Its edge is above x = 0, and the middle of its shadow's rim 0.125 m before.
        let place = RigidTransform(translation: Point3(1.5, 0.25, 0))
        let model = RenderModel(
            surfaces: [
                .rectangle(Self.ground(MipTexture(plain: Vector3(repeating: 0.8)))),
                .mesh(Self.square(side: 3), placement: .moving),
            ], illumination: Illumination(light))
        func picture(columns: Range<Int>, rows: Range<Int>) -> [Float] {
            let size = ImageSize(width: columns.count, height: rows.count)
            let camera = Camera.pinhole(
                PinholeCamera(
                    PinholeIntrinsics(
                        fx: Self.focal, fy: Self.focal, cx: 79.5 - Double(columns.lowerBound),
                        cy: 59.5 - Double(rows.lowerBound))))
            var shot = Shot(worldFromCameraByRow: [RigidTransform](repeating: Self.worldFromCamera, count: size.height))
            shot.movements = [Movement(at: place)]
            let image = RadianceImage(size: size)
            Renderer(model: model, camera: camera, size: size, threads: 1).render(shot, into: image)
            return UnsafeBufferPointer(start: image.pixels, count: size.width * size.height).map(\.x)
        }
        let (width, height) = (Self.size.width, Self.size.height)
        let whole = picture(columns: 0..<width, rows: 0..<height)
        let (column, row) = (61, 60)
        let (columnStrip, rowStrip) = (
            picture(columns: column..<column + 1, rows: 0..<height), picture(columns: 0..<width, rows: row..<row + 1)
        )
        let sunlight = (whole.max() ?? 0) - (whole.min() ?? 0)
        for y in 0..<height { #expect(abs(columnStrip[y] - whole[y * width + column]) < 0.15 * sunlight) }
        for x in 0..<width { #expect(abs(rowStrip[x] - whole[row * width + x]) < 0.15 * sunlight) }
        #expect(Set(rowStrip).count > 8)
    }

    /// A strip two pixels wide, in the sun before a ground on which no sun falls, is in the sun all over: what blocks of pixels
    /// know of the ground's light does not tell of the strip's.
    @Test func stripsHaveTheirOwnLight() {
        var light = Scene.Light()
        light.direction = Vector3(1, 1, 0)
        // The roof's shadow begins at x = −0.7 on the ground, and at x = −0.2 where the strip is.
        let roof = TexturedRectangle(
            worldFromSurface: RigidTransform(translation: Point3(2.2, 0.9, 0)), size: Vector2(4, 4),
            texture: MipTexture(plain: Vector3(repeating: 0.5)))
        var strip = Self.square(side: 1)
        strip.positions = strip.positions.map { SIMD3(0.008 * $0.x - 0.24, 0.5, $0.z) }
        var shot = Self.shot()
        shot.hasSmoothEdges = false
        let renderer = Self.renderer(
            [.rectangle(roof), .mesh(Self.square(side: 2), placement: .fixed), .mesh(strip, placement: .fixed)],
            light: Illumination(light))
        let pixels = Self.light(shot, renderer)
        let lights = zip(renderer.objects, pixels).filter { $0.0 == 2 }.map(\.1.x)
        let grounds = zip(renderer.objects, pixels).filter { $0.0 == 1 }.map(\.1.x)
        #expect(lights.count > 2 * 100)
        #expect(lights.allSatisfy { abs($0 - lights[0]) < 1e-4 })
        #expect((lights.min() ?? 0) > 2 * (grounds.max() ?? 0))
    }

    /// A shadow two pixels wide falls beside a strip that hides the middles of its blocks: what the blocks around know, which
    /// lie in the sun, does not tell of it.
    @Test func shadowsNarrowerThanBlocksAreSeen() {
        var light = Scene.Light()
        light.direction = Vector3(1, 1, 0)
        light.angularRadius = 0.001
        /// A strip along z that ends at those columns, as far below the camera.
        func strip(_ columns: Range<Double>, depth: Double, movedBy shift: Double = 0) -> RenderSurface {
            let scale = depth / Self.focal
            let middle = (columns.lowerBound + columns.upperBound) / 2 - 80
            return .rectangle(
                TexturedRectangle(
                    worldFromSurface: RigidTransform(
                        translation: Point3(middle * scale + shift, Self.height - depth + shift, 0)),
                    size: Vector2((columns.upperBound - columns.lowerBound) * scale, 2),
                    texture: MipTexture(plain: Vector3(repeating: 0.5))))
        }
        // The block of the columns 96 to 99 has its middle at 98. The first strip throws its shadow out of the picture; the
        // second one stands where the sun throws its shadow upon the ground's columns 96 and 97.
        var shot = Self.shot()
        shot.hasSmoothEdges = false
        let renderer = Self.renderer(
            [
                .mesh(Self.square(side: 2), placement: .fixed), strip(98..<100, depth: 0.1),
                strip(96..<98, depth: Self.height, movedBy: 0.3),
            ], light: Illumination(light))
        let pixels = Self.light(shot, renderer).map(\.x)
        for row in 0..<Self.size.height {
            let first = row * Self.size.width
            #expect((80..<98).allSatisfy { renderer.objects[first + $0] == 0 })
            #expect((80..<96).allSatisfy { abs(pixels[first + $0] - pixels[80]) < 1e-4 })
            #expect(pixels[first + 96] < pixels[80] / 2 && pixels[first + 97] < pixels[80] / 2)
        }
    }

    /// What a rendered ground shows of the sun beside a large square above it, and what it should show.
    private static func sunSeen(
        past placement: MeshPlacement, sunRadius: Double
    ) throws -> [(measured: Double, expected: Double, pixelsFromEdge: Double)] {
        var light = Scene.Light()
        light.direction = Vector3(0.5, 1, 0)
        light.angularRadius = atan(sunRadius)
        let (lidHeight, slope) = (0.25, light.direction.x / light.direction.y)
        // The square's edge is above x = 0, so that its shadow ends before.
        let place = RigidTransform(translation: Point3(1.5, lidHeight, 0))
        var lid = square(side: 3)
        var shot = shot()
        if placement == .moving {
            shot.movements = [Movement(at: place)]
        } else {
            lid.positions = lid.positions.map { SIMD3<Float>(place * Point3($0)) }
        }
        let ground = RenderSurface.rectangle(ground(MipTexture(plain: Vector3(repeating: 0.8))))
        let pixels = self.light(shot, renderer([ground, .mesh(lid, placement: placement)], light: Illumination(light)))
        let sun = try #require(light.direction.normalized())
        func x(_ column: Int) -> Double { (Double(column) - 79.5) * height / focal }
        let columns = (0..<size.width).filter { (-0.3 ... -0.03).contains(x($0)) }
        let (lit, dark) = (Double(pixels[columns[0]].x), Double(pixels[columns[columns.count - 1]].x))
        return (0..<size.height).flatMap { row in
            columns.map { column in
                // Along u = (sun.y, −sun.x), in radii of the sun, directions above this one lead to the square.
                let edge = -x(column) / lidHeight
                let line = (edge * sun.y - sun.x) / (sunRadius * (sun.y + edge * sun.x))
                let s = min(max(line, -1), 1)
                return (
                    measured: (Double(pixels[row * size.width + column].x) - dark) / (lit - dark),
                    expected: 0.5 + (s * (1 - s * s).squareRoot() + asin(s)) / .pi,
                    pixelsFromEdge: (x(column) + lidHeight * slope) * focal / height
                )
            }
        }
    }

    /// A glossy ground shows the sun where a mirror would, and it moves along with the camera; elsewhere it is hardly
    /// brighter than a matt one.
    @Test(arguments: [0.0, 0.15]) func glossyGroundsMirrorTheSun(shift: Double) {
        let ground = Self.ground(MipTexture(plain: Vector3(repeating: 0.2)), gloss: 1)
        var light = Scene.Light()
        light.direction = Vector3(0.2, 1, 0)
        let pose = RigidTransform(
            rotation: Self.worldFromCamera.rotation, translation: Point3(shift, Self.height, 0))
        let shot = Shot(worldFromCameraByRow: [RigidTransform](repeating: pose, count: Self.size.height))
        let glossy = Self.light(shot, Self.renderer([.rectangle(ground)], light: Illumination(light)))
        let matt = Self.light(
            shot,
            Self.renderer(
                [.rectangle(Self.ground(MipTexture(plain: Vector3(repeating: 0.2))))], light: Illumination(light)))
        let brightest = glossy.indices.max { glossy[$0].x < glossy[$1].x } ?? 0
        // The mirror image of a sun at slope 0.2 lies as far to its side as the camera's height times 0.2.
        let expected = PixelPoint(79.5 + Self.focal * 0.2, 59.5)
        let found = PixelPoint(Double(brightest % Self.size.width), Double(brightest / Self.size.width))
        #expect(found.distance(to: expected) < 3)
        #expect(glossy[brightest].x > matt[brightest].x + 0.2)
        let corner = 0
        #expect(abs(glossy[corner].x - matt[corner].x) < 0.05)
    }

    /// Half of the light makes a picture half as bright.
    @Test func lightIsScaled() {
        let surfaces: [RenderSurface] = [
            .rectangle(Self.ground(Self.pattern, gloss: 0.5)), Self.lid,
        ]
        let renderer = Self.renderer(surfaces)
        var shot = Self.shot()
        let full = Self.light(shot, renderer)
        shot.irradiance = Irradiance(sun: 0.5, ambient: 0.5)
        let half = Self.light(shot, renderer)
        #expect(Self.largestDifference(full.map { $0 / 2 }, half) < 1e-6)
        shot.irradiance = Irradiance(sun: 0, ambient: 1)
        #expect(Self.light(shot, renderer)[0].x < full[0].x)
    }

    /// Samples off the pixels' centres are those of a camera whose principal point lies elsewhere.
    @Test(arguments: 0..<5) func offsetSamplesAreThoseOfAShiftedCamera(number: Int) {
        var random = TestRandom(case: number)
        let offset = Vector2(random.uniform(-0.5...0.5), random.uniform(-0.5...0.5))
        let surfaces: [RenderSurface] = [
            .rectangle(Self.ground(Self.pattern)), Self.lid,
        ]
        var shot = Self.shot()
        shot.hasSmoothEdges = false
        let shifted = Camera.pinhole(
            PinholeCamera(
                PinholeIntrinsics(fx: Self.focal, fy: Self.focal, cx: 79.5 - offset.x, cy: 59.5 - offset.y)))
        let expected = Self.light(
            shot,
            Renderer(
                model: RenderModel(surfaces: surfaces, illumination: Self.overhead), camera: shifted, size: Self.size,
                threads: 1))
        shot.sample.offset = offset
        #expect(Self.largestDifference(Self.light(shot, Self.renderer(surfaces)), expected) < 0.01)
    }

    /// Everything at once, on any number of threads, and again on the same renderer.
    @Test func threadsMakeTheSameLight() {
        let surfaces: [RenderSurface] = [
            .rectangle(Self.ground(Self.pattern, gloss: 0.4)),
            .mesh(Self.square(side: 0.3, texture: Self.pattern), placement: .moving),
            .mesh(Self.square(side: 0.2), placement: .deforming),
        ]
        let mesh = Self.square(side: 0.2)
        var shot = Self.shot()
        shot.movements = [
            Movement(
                from: RigidTransform(translation: Point3(0.1, 0.2, 0)),
                to: RigidTransform(translation: Point3(0.2, 0.25, 0)))
        ]
        shot.deformations = [
            Deformation(
                positions: mesh.positions.map { $0 + SIMD3(-0.2, 0.3, 0) }, normals: mesh.normals,
                positionsAtLastRow: mesh.positions.map { $0 + SIMD3(-0.2, 0.3, 0.1) })
        ]
        let (one, three) = (Self.renderer(surfaces), Self.renderer(surfaces, threads: 3))
        let first = Self.light(shot, one)
        #expect(Self.light(shot, three) == first)
        #expect(Self.light(shot, three) == first)
        #expect(Self.light(Self.shotElsewhere(shot), one) != first)
        // What a light map knows from other shots changes nothing.
        #expect(Self.light(shot, one) == first)
    }

    private static func shotElsewhere(_ shot: Shot) -> Shot {
        var other = shot
        let pose = RigidTransform(rotation: worldFromCamera.rotation, translation: Point3(0.3, 0.6, 0.1))
        other.worldFromCameraByRow = [RigidTransform](repeating: pose, count: size.height)
        return other
    }
}
