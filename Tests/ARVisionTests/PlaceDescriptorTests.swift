// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARVision

/// Descriptors of points that can be looked at in several pictures.
@Suite struct PlaceDescriptorTests {
    private let size = ImageSize(width: 320, height: 240)
    private let camera = Camera.pinhole(PinholeCamera(PinholeIntrinsics(fx: 300, fy: 300, cx: 159.5, cy: 119.5)))
    private let up = Vector3(0, -1, 0)
    private let pixels = [60, 110, 160, 210, 260].flatMap { x in
        [60, 120, 180].map { PixelPoint(Double(x), Double($0)) }
    }

    private func descriptors(
        of pixels: [PixelPoint], in image: ImageBuffer, up: Vector3? = nil, variants: [PlacePicture.Variant] = [.same]
    ) -> PlaceDescriptors {
        PlacePicture(image).descriptors(
            of: pixels, camera: camera, upInOptical: up ?? self.up, variants: variants)
    }

    /// The most bits in which a point of one picture differs from the same one of another.
    private func mostDifferentBits(_ a: PlaceDescriptors, _ b: PlaceDescriptors) -> Int {
        pixels.indices.map { a.distance(of: $0, to: $0, of: b) }.max() ?? 0
    }

    @Test func lightChangesLittle() {
        var random = TestRandom()
        let texture = WaveTexture(&random)
        let bright = descriptors(of: pixels, in: texture.picture(size))
        let dim = descriptors(of: pixels, in: texture.picture(size, gain: 0.4, offset: 20))
        // Only comparisons of almost equal light, told apart by rounding.
        #expect(mostDifferentBits(bright, dim) <= 12)
    }

    @Test func noiseChangesLittle() {
        var random = TestRandom()
        let picture = WaveTexture(&random).picture(size)
        var noisy = picture
        for index in noisy.bytes.indices {
            // A triangular distribution of deviation 5.
            let noise = 12.2 * (random.uniform(0...1) + random.uniform(0...1) - 1)
            noisy.bytes[index] = UInt8(min(max(Double(noisy.bytes[index]) + noise, 0), 255).rounded())
        }
        #expect(
            mostDifferentBits(descriptors(of: pixels, in: picture), descriptors(of: pixels, in: noisy)) <= 24)
    }

    /// A camera that is rolled sees everything turned, and knows by gravity how far.
    @Test(arguments: [-2.8, -1.57, -0.4, 0.1, 0.9, 3.1]) func rollChangesLittle(roll: Double) throws {
        var random = TestRandom(case: Int(abs(roll) * 100))
        let texture = WaveTexture(&random)
        let middle = Vector2(159.5, 119.5)
        func turned(_ place: Vector2, by angle: Double) -> Vector2 {
            let d = place - middle
            return middle + Vector2(cos(angle) * d.x - sin(angle) * d.y, sin(angle) * d.x + cos(angle) * d.y)
        }
        // In the rolled picture, a place has turned by the roll.
        let rolledPicture = texture.picture(size) { turned($0, by: -roll) }
        let rolledUp = Vector3(sin(roll), -cos(roll), 0)
        let pixels = [PixelPoint(159, 119), PixelPoint(140, 130), PixelPoint(180, 100)]
        let upright = descriptors(of: pixels, in: texture.picture(size))
        let rolled = descriptors(
            of: pixels.map { PixelPoint(turned($0.vector, by: roll)) }, in: rolledPicture, up: rolledUp)
        for index in pixels.indices { #expect(rolled.distance(of: index, to: index, of: upright) <= 40) }
    }

    /// What is larger and turned is found through the variant that is as large and as turned.
    @Test func variantsFindWhatIsLargerAndTurned() {
        var random = TestRandom()
        let texture = WaveTexture(&random)
        let (scale, turn) = (1.4, 0.35)
        let place = PixelPoint(160, 120)
        let changed = texture.picture(size) { pixel in
            let d = (pixel - place.vector) / scale
            return place.vector + Vector2(cos(turn) * d.x + sin(turn) * d.y, -sin(turn) * d.x + cos(turn) * d.y)
        }
        let plain = descriptors(of: [place], in: texture.picture(size))
        let asItIs = descriptors(of: [place], in: changed)
        let asVariants = descriptors(
            of: [place], in: changed, variants: [.same, PlacePicture.Variant(scale: scale, turn: turn)])
        #expect(asVariants.distance(of: 0, to: 0, of: plain) <= 40)
        #expect(asItIs.distance(of: 0, to: 0, of: plain) > 40)
    }

    /// Points find themselves among the others, wherever they stand in the list; unrelated pictures have nothing in
    /// common.
    @Test func pointsFindThemselves() {
        var random = TestRandom()
        let picture = WaveTexture(&random).picture(size)
        let all = descriptors(of: pixels, in: picture)
        let reversed = descriptors(of: pixels.reversed(), in: picture)
        let matches = all.matches(with: reversed, mostDifferentBits: 64, ratio: 0.85)
        #expect(matches.map(\.other) == pixels.indices.reversed().map { $0 })
        #expect(matches.allSatisfy { $0.distance == 0 })
        let elsewhere = descriptors(of: pixels, in: WaveTexture(&random).picture(size))
        #expect(all.matches(with: elsewhere, mostDifferentBits: 48, ratio: 0.85).isEmpty)
    }

    @Test func flatPicturesHaveNoCorners() {
        #expect(PlacePicture(ImageBuffer(size: size, format: .rgb8, filledWith: 90)).corners(count: 100).isEmpty)
        #expect(
            PlacePicture(ImageBuffer(size: ImageSize(width: 5, height: 4), format: .gray8)).corners(count: 9).isEmpty)
    }

    @Test func cornersComeStrongestFirstAndApart() {
        // Squares that are the brighter the farther right and down: each has four corners, as strong as it is bright.
        var image = ImageBuffer(size: size, format: .gray8, filledWith: 40)
        for (index, _) in image.bytes.enumerated() {
            let (row, column) = (index / size.width, index % size.width)
            if row % 60 >= 20, row % 60 < 46, column % 64 >= 20, column % 64 < 46 {
                image.bytes[index] = UInt8(60 + 30 * (column / 64) + 8 * (row / 60))
            }
        }
        let picture = PlacePicture(image)
        let corners = picture.corners(count: 300)
        #expect(corners.count == 80)
        func light(_ corner: PixelPoint) -> Int { 30 * (Int(corner.x) / 64) + 8 * (Int(corner.y) / 60) }
        let lights = corners.map(light)
        #expect(zip(lights, lights.dropFirst()).allSatisfy { $0 >= $1 }, "\(lights)")

        var random = TestRandom()
        let crowded = PlacePicture(WaveTexture(&random).picture(size)).corners(count: 100)
        #expect(crowded.count > 50)
        let grid = FeatureGrid(size: size, cellCount: 100, margin: 12)
        // One in a cell, but for those that lie on the border of two.
        #expect(10 * grid.cells(holding: 1, of: crowded).count >= 9 * crowded.count)
    }
}
