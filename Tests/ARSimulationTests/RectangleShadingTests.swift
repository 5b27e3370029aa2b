// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import TestSupport
import Testing

@testable import ARSimulation

/// Pixels of a rectangle are shaded eight at once, those of several rows together: what else is in the picture changes
/// nothing in a pixel's light, not a bit.
@Suite struct RectangleShadingTests {
    private static let texture = MipTexture(covering: Vector2(1, 0.7), texelMeters: 0.004, threads: 1) { place, _ in
        Vector3(
            0.5 + 0.4 * place.x, 0.5 + 0.4 * place.y, (place.x * 50).rounded(.down).remainder(dividingBy: 2) / 4 + 0.5)
    }
    private static let plain = MipTexture(plain: Vector3(0.2, 0.5, 0.7))

    /// Rectangles in all directions, from a pixel to most of the picture, some of one colour, some glossy.
    private static func rectangles(_ random: inout TestRandom) -> [RenderSurface] {
        (0..<150).map { number in
            let place = RigidTransform(
                rotation: Rotation(rotationVector: random.vector3(-3...3)), translation: random.vector3(-1...1))
            let side = number < 4 ? 1.5 : random.uniform(0.01...0.4)
            return .rectangle(
                TexturedRectangle(
                    worldFromSurface: place, size: Vector2(side, 0.7 * side),
                    texture: number.isMultiple(of: 7) ? plain : texture, gloss: number.isMultiple(of: 5) ? 0.5 : 0))
        }
    }

    /// Three poses that follow each other in groups of rows, which do not end where those do that are shaded together.
    private static func poses(_ random: inout TestRandom) -> (Int) -> RigidTransform {
        let first = RigidTransform(
            rotation: Rotation(rotationVector: random.vector3(-3...3)), translation: random.vector3(-1...1))
        let poses = (0..<3).map { _ in
            RigidTransform(
                rotation: first.rotation * Rotation(rotationVector: random.vector3(-0.02...0.02)),
                translation: first.translation + random.vector3(-0.02...0.02))
        }
        return { row in poses[row / 6 % poses.count] }
    }

    private static func light(
        _ surfaces: [RenderSurface], size: ImageSize, center: Vector2, movements: [Movement] = [],
        poseOfRow: (Int) -> RigidTransform
    ) -> [SIMD4<UInt32>] {
        let camera = Camera.pinhole(
            PinholeCamera(PinholeIntrinsics(fx: 64, fy: 64, cx: center.x, cy: center.y)))
        let renderer = Renderer(
            model: RenderModel(surfaces: surfaces, illumination: Illumination(Scene.Light())), camera: camera,
            size: size, threads: 1)
        var shot = Shot(worldFromCameraByRow: (0..<size.height).map(poseOfRow))
        shot.movements = movements
        shot.hasSmoothEdges = false
        let light = RadianceImage(size: size)
        renderer.render(shot, into: light)
        return (0..<size.width * size.height).map { unsafeBitCast(light.pixels[$0], to: SIMD4<UInt32>.self) }
    }

    /// A window of a picture, seen through a camera of its own, is shaded in other registers and beside other rows. Its last
    /// row and column look on as far as the ones before, not as far as the picture's do.
    @Test(arguments: 0..<8) func aWindowIsAsThePicture(number: Int) {
        var random = TestRandom(case: number)
        let surfaces = Self.rectangles(&random)
        let poseOfRow = Self.poses(&random)
        let size = ImageSize(width: 85, height: 47)
        let (left, top) = (1 + number, 1 + number % 4)
        let window = ImageSize(width: 61, height: 38)
        let picture = Self.light(surfaces, size: size, center: Vector2(40.5, 22.25), poseOfRow: poseOfRow)
        let part = Self.light(
            surfaces, size: window, center: Vector2(40.5 - Double(left), 22.25 - Double(top))
        ) { row in poseOfRow(row + top) }
        for row in 0..<window.height - 1 {
            for column in 0..<window.width - 1 {
                let (seen, expected) = (
                    part[row * window.width + column], picture[(row + top) * size.width + column + left]
                )
                #expect(seen == expected, "column \(column), row \(row)")
            }
        }
        #expect(Set(picture.map(\.x)).count > 300)
    }

    /// While something moves, no light is finished before the shadows are known that it throws; where it throws none, the
    /// light is the same.
    @Test(arguments: 0..<4) func whatMovesOutOfSightChangesNothing(number: Int) {
        var random = TestRandom(case: number)
        let surfaces = Self.rectangles(&random)
        let poseOfRow = Self.poses(&random)
        let (size, center) = (ImageSize(width: 85, height: 47), Vector2(40.5, 22.25))
        let triangle = ShadedMesh(
            positions: [SIMD3(0, 0, 0), SIMD3(0.1, 0, 0), SIMD3(0, 0.1, 0)],
            normals: [SIMD3<Float>](repeating: SIMD3(0, 0, 1), count: 3),
            coat: .colors([SIMD4<Float>](repeating: SIMD4(0.8, 0.2, 0.2, 0), count: 3)), triangles: [SIMD3(0, 1, 2)])
        let awayFromTheSun = RigidTransform(translation: -1000 * Illumination(Scene.Light()).towardsSun)
        let still = Self.light(surfaces, size: size, center: center, poseOfRow: poseOfRow)
        let moved = Self.light(
            surfaces + [.mesh(triangle, placement: .moving)], size: size, center: center,
            movements: [Movement(at: awayFromTheSun)], poseOfRow: poseOfRow)
        #expect(moved == still)
        #expect(Set(still.map(\.x)).count > 300)
    }
}
