// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Foundation
import TestSupport
import Testing

@Suite struct PictureQualityTests {
    private static let size = ImageSize(width: 160, height: 120)

    private static func quality(of image: ImageBuffer) -> PictureQuality {
        let camera = Camera.pinhole(PinholeCamera(PinholeIntrinsics(fx: 150, fy: 150, cx: 79.5, cy: 59.5)))
        var tracker = FeatureTracker(camera: camera, imageSize: image.size)
        return tracker.track(image).quality
    }

    /// The mean of the pixels within `reach` along the row, as a camera that moves sideways sees it.
    private static func smeared(_ image: ImageBuffer, reach: Int) -> ImageBuffer {
        var smeared = image
        for row in 0..<image.size.height {
            for column in 0..<image.size.width {
                let columns = (column - reach...column + reach).map { min(max($0, 0), image.size.width - 1) }
                let sum = columns.reduce(0) { $0 + Int(image.bytes[row * image.size.width + $1]) }
                smeared.bytes[row * image.size.width + column] = UInt8(sum / columns.count)
            }
        }
        return smeared
    }

    @Test(arguments: 0..<4) func blurLowersSharpness(case number: Int) {
        var random = TestRandom(case: number)
        let sharp = WaveTexture(&random).picture(Self.size)
        let sharpness = (0..<6).map { Self.quality(of: Self.smeared(sharp, reach: $0)).sharpness }
        for (less, more) in zip(sharpness.dropFirst(), sharpness) { #expect(less < more) }
        #expect(sharpness[5] < 0.9 * sharpness[0])
    }

    @Test func lightIsMeasured() {
        var random = TestRandom()
        let texture = WaveTexture(&random)
        let (dark, bright) = (texture.picture(Self.size, gain: 0.2), texture.picture(Self.size))
        #expect(abs(Self.quality(of: bright).brightness - 128.0 / 255) < 0.05)
        #expect(abs(Self.quality(of: dark).brightness - 0.2 * Self.quality(of: bright).brightness) < 0.003)
        #expect(abs(Self.quality(of: dark).contrast - 0.2 * Self.quality(of: bright).contrast) < 0.003)
        // Light does not make a picture sharper.
        #expect(abs(Self.quality(of: dark).sharpness - Self.quality(of: bright).sharpness) < 0.05)
    }

    @Test func saturationIsMeasured() {
        var image = ImageBuffer(size: Self.size, format: .gray8, filledWith: 100)
        for index in 0..<image.bytes.count / 4 { image.bytes[index] = 255 }
        let quality = Self.quality(of: image)
        #expect(quality.saturatedFraction == 0.25)
        #expect(abs(quality.brightness - (0.25 * 255 + 0.75 * 100) / 255) < 1e-12)
        #expect(abs(quality.contrast - (0.25 * 0.75).squareRoot() * 155 / 255) < 1e-12)
    }

    @Test func colourIsSeenAsItsLuma() {
        let red = ImageBuffer(size: Self.size, format: .rgb8, bytes: (0..<160 * 120).flatMap { _ in [200, 40, 80] })
        #expect(abs(Self.quality(of: red).brightness - Double(red.gray.bytes[0]) / 255) <= 1.0 / 255)
    }
}
