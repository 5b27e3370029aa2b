// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import CRaycast
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct MaterialTests {
    private static func texture(_ kind: Scene.Material.Kind, seed: UInt64 = 1, surface: String = "wall") -> MipTexture {
        var material = Scene.Material()
        material.name = "stuff"
        material.kind = kind
        let pattern = MaterialPattern(material, surface: surface, seed: seed)
        return MipTexture(covering: Vector2(0.64, 0.32), texelMeters: 0.005, threads: 2, albedo: pattern.albedo)
    }

    /// What a texel's neighbourhood of that width looks like, as red, green, blue.
    private static func light(_ texture: MipTexture, at place: Point2, width: Float) -> SIMD4<Float> {
        texture.view.light(
            of: CRaycastFootprint(
                place: SIMD2<Float>(place), acrossColumns: SIMD2(width, 0), acrossRows: SIMD2(0, width)))
    }

    @Test(arguments: Scene.Material.Kind.allCases.filter { !$0.isPicture }) func patternsAreTheSeeds(
        kind: Scene.Material.Kind
    ) {
        var random = TestRandom()
        let places = (0..<200).map { _ in Point2(random.uniform(2...126), random.uniform(2...62)) }
        func looks(_ texture: MipTexture) -> [SIMD4<Float>] { places.map { Self.light(texture, at: $0, width: 1) } }
        let first = looks(Self.texture(kind))
        #expect(looks(Self.texture(kind)) == first)
        #expect(first.allSatisfy { all($0 .>= 0) && all($0 .<= 1) })
        guard kind != .plain, kind != .checker else { return }
        #expect(looks(Self.texture(kind, seed: 2)) != first)
        #expect(looks(Self.texture(kind, surface: "floor")) != first)
        // Something to see: the brightest and the darkest place differ by a tenth of white and more; paper is paper.
        let green = first.map(\.y)
        #expect((green.max() ?? 0) - (green.min() ?? 0) > (kind == .paper ? 0.02 : 0.1))
    }

    /// The mean over a texture is the same on all levels: coarse ones are exact means of fine ones.
    @Test func levelsHaveTheSameMean() {
        let texture = Self.texture(.noise)
        let (width, height) = (texture.size.width, texture.size.height)
        func mean(step: Int) -> SIMD4<Float> {
            var sum = SIMD4<Float>()
            for row in stride(from: 0, to: height, by: step) {
                for column in stride(from: 0, to: width, by: step) {
                    let center = Point2(Double(column) + Double(step) / 2, Double(row) + Double(step) / 2)
                    sum += Self.light(texture, at: center, width: Float(step))
                }
            }
            return sum * Float(step * step) / Float(width * height)
        }
        let finest = mean(step: 1)
        for step in [2, 4, 8, 16] {
            let difference = mean(step: step) - finest
            // Half a step of a texel's ten bits.
            #expect((difference * difference).sum().squareRoot() < 0.5 / 1023)
        }
    }

    @Test func checkersAreExactMeans() {
        // Squares of 5 cm, 10 texels: the first square is light, and a place between two squares is half of each.
        let texture = Self.texture(.checker)
        let (light, dark) = (0.7, 0.3)
        func expected(_ value: Double) -> Float { Float(ColorTransfer.linear(fromSRGB: value)) }
        // Half a step of a texel's ten bits, at the brightest.
        let step: Float = 1 / 1023
        #expect(abs(Self.light(texture, at: Point2(5, 5), width: 1).x - expected(light)) < step)
        #expect(abs(Self.light(texture, at: Point2(15, 5), width: 1).x - expected(dark)) < step)
        let middle = (expected(light) + expected(dark)) / 2
        #expect(abs(Self.light(texture, at: Point2(10, 5), width: 1).x - middle) < step)
        #expect(abs(Self.light(texture, at: Point2(20, 20), width: 1).x - middle) < step)
    }

    @Test func placesFarOutsideAreTheEdges() {
        let texture = Self.texture(.noise)
        let inside = Self.light(texture, at: Point2(0, 0), width: 1)
        #expect(Self.light(texture, at: Point2(-1e12, -1e12), width: 1) == inside)
        #expect(Self.light(texture, at: Point2(5, 5), width: .greatestFiniteMagnitude).x.isFinite)
    }

    /// A texel's channels have 32,767 steps: the error is half of one.
    @Test(arguments: 0..<20) func packedTexelsKeepTheirChannels(number: Int) {
        var random = TestRandom(case: number)
        let light = Vector3(random.uniform(0...1), random.uniform(0...1), random.uniform(0...1))
        let packed = PackedTexel(light).light
        for channel in 0..<3 {
            let error: Double = abs(packed[channel] - light[channel])
            #expect(error <= 0.5 / 32767 + 1e-12)
        }
        #expect(PackedTexel(Vector3(-1, 2, 0)).light == Vector3(0, 1, 0))
    }

    /// A picture on a quad that fills the view comes back as it was.
    @Test func picturesAreShown() throws {
        let folder = try TemporaryFolder()
        var bytes: [UInt8] = []
        for row in 0..<48 { for column in 0..<64 { bytes += [UInt8(4 * column), UInt8(5 * row), 128] } }
        let picture = ImageBuffer(size: ImageSize(width: 64, height: 48), format: .rgb8, bytes: bytes)
        try ImageFile.writePNG(picture, to: folder.url.appendingPathComponent("card.png"))

        var scene = try Scene(yaml: smallScene, file: "small")
        scene.folder = folder.url
        scene.materials[0].kind = .picture
        scene.materials[0].picture = "card.png"
        scene.quads[0].facing = Vector3(0, 0, 1)
        scene.quads[0].size = Vector2(0.64, 0.48)
        scene.cameraPath.waypoints[0].position = Point3(0, 0, 0.5)
        scene.light.sun = 0
        scene.light.ambient = 1 / 0.8
        scene.finger = nil
        let session = try SceneSession(scene: scene, threads: 1)
        let image = session.makeCamera().image(of: session.shot(at: SceneSession.start))
        let differences = zip(image.bytes, picture.bytes).map { abs(Int($0) - Int($1)) }
        // In the interior; at the rim the background shines in.
        let interior = differences.indices.filter { (3..<189).contains($0 % 192) && (1..<47).contains($0 / 192) }
        #expect(interior.allSatisfy { differences[$0] <= 2 })
    }

    /// The error of a file says the place of the key; that of a scene made in code, the place in its text.
    @Test func missingPicturesAreErrors() throws {
        let folder = try TemporaryFolder()
        var scene = try Scene(yaml: smallScene, file: "small")
        scene.materials[0].kind = .picture
        scene.materials[0].picture = "nowhere.png"
        let line = try #require(
            scene.yaml.split(separator: "\n", omittingEmptySubsequences: false)
                .firstIndex { $0.contains("nowhere.png") })
        scene.folder = folder.url
        let expected = "the picture of the material 'squares' cannot be read: "

        let inCode = #expect(throws: SceneError.self) { try SceneSession(scene: scene) }
        #expect(inCode.map { "\($0)" }?.contains(":\(line + 1):") == true)
        #expect(inCode.map { "\($0)" }?.contains(expected) == true)

        try folder.write(scene.yaml, to: "scene.yaml")
        let inFile = #expect(throws: SceneError.self) { try Scene(contentsOf: folder("scene.yaml")) }
        #expect(inFile.map { "\($0)" }?.hasPrefix("\(folder("scene.yaml").path):\(line + 1):") == true)
        #expect(inFile.map { "\($0)" }?.contains(expected) == true)
    }
}
