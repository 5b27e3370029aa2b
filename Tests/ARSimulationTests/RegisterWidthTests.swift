// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CRaycast
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

/// The kernels in registers of 256 bits and those for every processor give the same bits. Where the processor has only
/// the one kind, there is nothing to compare.
///
/// Other tests may render meanwhile: they see the same light either way.
@Suite(.serialized, .enabled(if: craycast_use_wide_registers(true), "AVX2 is missing")) struct RegisterWidthTests {
    private static func withBoth<Result: Equatable>(_ work: () -> Result) -> (wide: Result, plain: Result) {
        let wide = work()
        craycast_use_wide_registers(false)
        defer { craycast_use_wide_registers(true) }
        return (wide, work())
    }

    private static let texture = MipTexture(covering: Vector2(1, 0.7), texelMeters: 0.004, threads: 1) { place, _ in
        Vector3(
            0.5 + 0.4 * place.x, 0.5 + 0.4 * place.y, (place.x * 50).rounded(.down).remainder(dividingBy: 2) / 4 + 0.5)
    }

    /// Rectangles in all directions, three of them large, some of one colour, some glossy, through a lens that distorts: 93
    /// columns and 45 rows end between two registers. Where a triangle moves between them no light is finished before
    /// its shadow is known, otherwise that of matt rectangles is; the camera moves from row to row, or does not.
    @Test(arguments: 0..<3, [false, true]) func picturesAreTheSame(number: Int, isSomethingMoving: Bool) {
        var random = TestRandom(case: number)
        let size = ImageSize(width: 93, height: 45)
        var surfaces: [RenderSurface] = (0..<40).map { number in
            let place = RigidTransform(
                rotation: Rotation(rotationVector: random.vector3(-3...3)), translation: random.vector3(-1...1))
            let side = number < 3 ? 3 : random.uniform(0.05...0.5)
            return .rectangle(
                TexturedRectangle(
                    worldFromSurface: place, size: Vector2(side, side),
                    texture: number % 4 == 2 ? MipTexture(plain: Vector3(0.2, 0.5, 0.7)) : Self.texture,
                    gloss: number.isMultiple(of: 3) ? 0.5 : 0))
        }
        if isSomethingMoving {
            surfaces.append(
                .mesh(
                    ShadedMesh(
                        positions: [SIMD3(0, 0, 0), SIMD3(0.4, 0, 0), SIMD3(0, 0.4, 0.2)],
                        normals: [SIMD3<Float>](repeating: SIMD3(0, 0, 1), count: 3),
                        coat: .texture(Self.texture, coordinates: [SIMD2(0, 0), SIMD2(1, 0), SIMD2(0, 1)]),
                        triangles: [SIMD3(0, 1, 2)]), placement: .moving))
        }
        let camera = Camera.radialTangential(
            RadialTangentialCamera(
                PinholeIntrinsics(fx: 59, fy: 60, cx: 46.2, cy: 22.1), k1: -0.2, k2: 0.05, p1: 1e-3, p2: -1e-3))
        let pose = RigidTransform(
            rotation: Rotation(rotationVector: random.vector3(-3...3)), translation: random.vector3(-1...1))
        let speed = number == 1 ? 0 : 2e-3
        let (turn, way) = (speed * random.vector3(-1...1), speed * random.vector3(-1...1))
        var shot = Shot(
            worldFromCameraByRow: (0..<size.height).map { row in
                RigidTransform(
                    rotation: pose.rotation * Rotation(rotationVector: Double(row) * turn),
                    translation: pose.translation + Double(row) * way)
            })
        if isSomethingMoving {
            shot.movements = [Movement(at: RigidTransform(translation: random.vector3(-0.5...0.5)))]
        }
        if number.isMultiple(of: 2) { shot.sample = PixelSample(offset: Vector2(0.25, -0.25), side: 0.5) }

        let pictures = Self.withBoth {
            // A renderer of its own for each way, so that both fill the light maps' tiles.
            let renderer = Renderer(
                model: RenderModel(surfaces: surfaces, illumination: Illumination(Scene.Light())), camera: camera,
                size: size, threads: 2)
            let light = RadianceImage(size: size)
            renderer.render(shot, into: light)
            let pixels = UnsafeBufferPointer(start: light.pixels, count: size.width * size.height)
            let objects = renderer.objects.map { UInt32(bitPattern: $0) }
            let depths = renderer.depths(of: shot.seeing(PixelSample())).map(\.bitPattern)
            return [pixels.map { $0.x.bitPattern }, pixels.map { $0.y.bitPattern }, objects, depths]
        }
        #expect(pictures.wide == pictures.plain)
        #expect(Set(pictures.wide[0]).count > 100)
    }

    /// Footprints of all sizes and proportions, beside the texture too, and some of no number.
    @Test func texturesAreTheSame() {
        var random = TestRandom()
        func length() -> Float { Float(random.uniform(-1...1) * pow(10, random.uniform(-3...3))) }
        let footprints = (0..<1003).map { number in
            CRaycastFootprint(
                place: SIMD2(Float(random.uniform(-20...280)), number.isMultiple(of: 97) ? .nan : length()),
                acrossColumns: SIMD2(number.isMultiple(of: 89) ? .infinity : length(), length()),
                acrossRows: SIMD2(length(), number.isMultiple(of: 83) ? .nan : length()))
        }
        let lights = Self.withBoth {
            var light = [SIMD4<Float>](repeating: .zero, count: footprints.count)
            Self.texture.view.light(of: footprints, count: footprints.count, into: &light)
            return light.map { unsafeBitCast($0, to: SIMD4<UInt32>.self) }
        }
        #expect(lights.wide == lights.plain)
        #expect(Set(lights.wide.map(\.x)).count > 500)
    }
}
