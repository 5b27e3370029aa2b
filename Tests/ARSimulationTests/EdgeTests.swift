// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

/// What pixels show in which several rectangles meet: a camera above looks down on turned squares at several heights.
@Suite struct EdgeTests {
    private static let size = ImageSize(width: 90, height: 67)
    private static let focal = 80.0
    private static let center = Vector2(44.2, 33.1)
    private static let cameraHeight = 1.0

    /// A square whose light changes from place to place, so that neighbours cannot stand in for each other.
    private struct Square {
        let middle: Point3
        let angle: Double
        let side: Double

        var worldFromSurface: RigidTransform {
            RigidTransform(rotation: Rotation(rotationVector: Vector3(0, angle, 0)), translation: middle)
        }

        /// How far inside its rim a ray from the camera meets the square's plane, in metres; the ray goes down by one metre,
        /// and by that much along x and z.
        func depthInside(from camera: Point3, by slope: Vector2) -> Double {
            let fall = camera.y - middle.y
            let place = worldFromSurface.inverse * (camera + fall * Vector3(slope.x, -1, slope.y))
            return side / 2 - max(abs(place.x), abs(place.z))
        }
    }

    private static func squares(_ random: inout TestRandom) -> [Square] {
        (0..<12).map { number in
            Square(
                middle: Point3(random.uniform(-0.4...0.4), 0.04 * Double(number), random.uniform(-0.3...0.3)),
                angle: random.uniform(-3...3), side: number == 0 ? 0.7 : random.uniform(0.02...0.3))
        }
    }

    /// Each of a pixel's eight samples has the light of what it sees among what the nine centres around see, if its own or
    /// one of the four centres beside it sees that; the pixel has the mean. The camera may move from row to row.
    @Test(arguments: 0..<6) func pixelsAreTheMeanOfTheirSamples(number: Int) {
        var random = TestRandom(case: number)
        let squares = Self.squares(&random)
        var sky = Scene.Light()
        (sky.sun, sky.ambient, sky.background) = (0, 1, .zero)
        let model = RenderModel(
            surfaces: squares.indices.map { index in
                .rectangle(
                    TexturedRectangle(
                        worldFromSurface: squares[index].worldFromSurface,
                        size: Vector2(repeating: squares[index].side),
                        texture: Self.gradient(from: 0.05 * Double(index))))
            }, illumination: Illumination(sky))
        let down = Rotation(rotationVector: Vector3(-.pi / 2, 0, 0))
        let speed = number.isMultiple(of: 2) ? 0 : 1e-3
        let origins = (0..<Self.size.height).map { Point3(speed * Double($0), Self.cameraHeight, 0) }
        var shot = Shot(worldFromCameraByRow: origins.map { RigidTransform(rotation: down, translation: $0) })
        let intrinsics = PinholeIntrinsics(fx: Self.focal, fy: Self.focal, cx: Self.center.x, cy: Self.center.y)
        let renderer = Renderer(
            model: model, camera: .pinhole(PinholeCamera(intrinsics)), size: Self.size, threads: 1)
        let smooth = Self.light(shot, renderer)
        shot.hasSmoothEdges = false
        let plain = Self.light(shot, renderer)
        let objects = renderer.objects.map(Int.init)
        let width = Self.size.width
        /// Nothing where a sample is so near to a rim that it matters that directions change evenly over a pixel.
        func expected(_ column: Int, _ row: Int) -> Float? {
            let own = row * width + column
            let columns = max(column - 1, 0)...min(column + 1, width - 1)
            let neighbours = [
                column > 0 ? own - 1 : own, column + 1 < width ? own + 1 : own, row > 0 ? own - width : own,
                row + 1 < Self.size.height ? own + width : own,
            ]
            /// The centre nearest to a sample among those that see an object, the own one before the others.
            func giver(_ sample: Int, _ object: Int) -> Int? {
                if objects[own] == object { return own }
                let set = neighbours.indices.reduce(0) { $0 | (objects[neighbours[$1]] == object ? 1 << $1 : 0) }
                return neighbours.indices.first { EdgeSamples.nearest[set][$0] & 1 << sample != 0 }.map {
                    neighbours[$0]
                }
            }
            let around = (max(row - 1, 0)...min(row + 1, Self.size.height - 1))
                .flatMap { row in columns.map { row * width + $0 } }
            let near = Set(around.map { objects[$0] }).subtracting([-1])
            var isDecided = true
            let lights = (0..<EdgeSamples.perPixel).compactMap { sample -> Float? in
                let offset = EdgeSamples.offset(sample)
                let place =
                    Vector2(Double(column), Double(row)) + Vector2(Double(offset.x), Double(offset.y)) - Self.center
                let depths = near.map { ($0, squares[$0].depthInside(from: origins[row], by: place / Self.focal)) }
                isDecided = isDecided && depths.allSatisfy { abs($0.1) > 5e-5 }
                let seen = depths.filter { $0.1 > 0 }.map(\.0).max() ?? -1
                return giver(sample, seen).map { plain[$0] }
            }
            guard isDecided else { return nil }
            return lights.isEmpty ? plain[own] : lights.reduce(0, +) / Float(lights.count)
        }
        let pairs = objects.indices.map { (smooth[$0], expected($0 % width, $0 / width)) }
        #expect(pairs.allSatisfy { pair in pair.1.map { abs(pair.0 - $0) < 1e-5 } ?? true })
        #expect(pairs.filter { $0.1 == nil }.count < pairs.count / 50)
        #expect(objects.indices.filter { abs(smooth[$0] - plain[$0]) > 1e-3 }.count > 300)
    }

    /// A pixel whose centre and samples all see the same keeps the light of its centre, to the bit, however near an edge
    /// passes; one whose samples see both sides of the edge does not.
    @Test(arguments: 0..<4) func anEdgeBesideAPixelLeavesItsLight(number: Int) {
        var random = TestRandom(case: number)
        let square = Square(
            middle: Point3(random.uniform(-0.1...0.1), 0, random.uniform(-0.1...0.1)), angle: random.uniform(-3...3),
            side: 0.5)
        var sky = Scene.Light()
        (sky.sun, sky.ambient, sky.background) = (0, 1, Vector3(0.9, 0.8, 0.7))
        let intrinsics = PinholeIntrinsics(fx: Self.focal, fy: Self.focal, cx: Self.center.x, cy: Self.center.y)
        let renderer = Renderer(
            model: RenderModel(
                surfaces: [
                    .rectangle(
                        TexturedRectangle(
                            worldFromSurface: square.worldFromSurface, size: Vector2(repeating: square.side),
                            texture: Self.gradient(from: 0.1)))
                ], illumination: Illumination(sky)), camera: .pinhole(PinholeCamera(intrinsics)), size: Self.size,
            threads: 1)
        let camera = Point3(0, Self.cameraHeight, 0)
        let down = RigidTransform(rotation: Rotation(rotationVector: Vector3(-.pi / 2, 0, 0)), translation: camera)
        var shot = Shot(worldFromCameraByRow: [RigidTransform](repeating: down, count: Self.size.height))
        let smooth = Self.light(shot, renderer)
        let blended = renderer.edgeRows.map { Set($0.columns.map(Int.init)) }
        shot.hasSmoothEdges = false
        let plain = Self.light(shot, renderer)
        var counts = (kept: 0, mixed: 0, wrong: 0)
        for row in 0..<Self.size.height {
            for column in blended[row] {
                let pixel = row * Self.size.width + column
                let offsets = [SIMD2<Float>.zero] + (0..<EdgeSamples.perPixel).map { EdgeSamples.offset($0) }
                let inside = offsets.map { offset in
                    let place = Vector2(Double(column) + Double(offset.x), Double(row) + Double(offset.y))
                    return square.depthInside(from: camera, by: (place - Self.center) / Self.focal)
                }
                guard inside.allSatisfy({ abs($0) > 5e-5 }) else { continue }
                let isKept = Set(inside.map { $0 > 0 }).count == 1
                let isUnchanged = smooth[pixel].bitPattern == plain[pixel].bitPattern
                counts.wrong += isUnchanged == isKept ? 0 : 1
                counts.kept += isKept ? 1 : 0
                counts.mixed += isKept ? 0 : 1
            }
        }
        #expect(counts.wrong == 0)
        #expect(counts.kept > 50 && counts.mixed > 50)
    }

    /// To each sample the nearest centre of a set of neighbours is nearest.
    @Test(arguments: 0..<16) func samplesAreNearestToTheirNeighbours(set: Int) {
        let centers: [SIMD2<Float>] = [SIMD2(-1, 0), SIMD2(1, 0), SIMD2(0, -1), SIMD2(0, 1)]
        for sample in 0..<EdgeSamples.perPixel {
            func squaredDistance(_ side: Int) -> Float {
                let way = centers[side] - EdgeSamples.offset(sample)
                return (way * way).sum()
            }
            let inSet = centers.indices.filter { set & 1 << $0 != 0 }
            let chosen = centers.indices.filter { EdgeSamples.nearest[set][$0] & 1 << sample != 0 }
            #expect(chosen.count == min(inSet.count, 1))
            #expect(chosen.allSatisfy { squaredDistance($0) <= inSet.map(squaredDistance).min() ?? 0 })
        }
    }

    private static func gradient(from light: Double) -> MipTexture {
        MipTexture(covering: Vector2(1, 1), texelMeters: 1.0 / 32, threads: 1) { place, _ in
            Vector3(repeating: light + 0.2 * place.x + 0.15 * place.y)
        }
    }

    private static func light(_ shot: Shot, _ renderer: Renderer) -> [Float] {
        let image = RadianceImage(size: size)
        renderer.render(shot, into: image)
        return UnsafeBufferPointer(start: image.pixels, count: size.width * size.height).map(\.x)
    }
}
