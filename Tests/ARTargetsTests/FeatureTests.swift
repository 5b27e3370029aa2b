// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import Foundation
import Testing

@testable import ARTargets

@Suite struct FeatureTests {
    /// Inverse prints are looked up by changing fixed bits of the signature: each bit changes always or never.
    @Test func lightAndDarkChangeTheSameBitsOfAllFeatures() throws {
        var changes = [Int](repeating: 0, count: 128)
        var count = 0
        let space = ScaleSpace()
        for number in 1...6 {
            let picture = Emblem(number: number).image(width: 320).gray
            var inverse = picture
            for index in inverse.bytes.indices { inverse.bytes[index] = 255 - inverse.bytes[index] }
            space.fill(with: picture, longestSide: 900)
            let own = space.features(strongerThan: 1.2, directionLimit: 2, limit: 400)
            space.fill(with: inverse, longestSide: 900)
            for feature in space.features(strongerThan: 1.2, directionLimit: 2, limit: 400) {
                guard
                    let same = own.first(where: {
                        abs($0.x_px - feature.x_px) < 0.3 && abs($0.y_px - feature.y_px) < 0.3
                            && abs($0.scale_px - feature.scale_px) < 0.05 * feature.scale_px
                            && cos($0.angle_rad - feature.angle_rad) < -0.999
                    })
                else { continue }
                count += 1
                let words = (same.signature.0 ^ feature.signature.0, same.signature.1 ^ feature.signature.1)
                for bit in 0..<64 {
                    changes[bit] += Int(words.0 >> UInt64(bit) & 1)
                    changes[64 + bit] += Int(words.1 >> UInt64(bit) & 1)
                }
            }
        }
        try #require(count > 100)
        for (bit, changed) in changes.enumerated() {
            let share = Double(changed) / Double(count)
            // A form that is almost zero may go either way.
            #expect(share < 0.08 || share > 0.92, "bit \(bit): \(share)")
        }
    }

    /// Halving an odd side loses nothing of the print: its grey levels stay where they were.
    @Test func smallPicturesHaveTheWholePrint() {
        let size = ImageSize(width: 1016, height: 127)
        var ramp = ImageBuffer(size: size, format: .gray8)
        for y in 0..<size.height {
            for x in 0..<size.width { ramp.bytes[y * size.width + x] = UInt8((y * 255 + 63) / 127) }
        }
        let small = ramp.gray(longerSide: 128)
        #expect(small.size == ImageSize(width: 128, height: 16))
        for y in 2..<14 {
            let expected = (Double(y) + 0.5) / 16 * 255
            #expect(abs(Double(small.bytes[y * 128 + 64]) - expected) < 3)
        }
    }

    @Test func overlapIsTheSharedAreaByTheWhole() {
        func square(_ x: Double, _ side: Double) -> PixelQuad {
            PixelQuad(
                topLeft: PixelPoint(x, 0), topRight: PixelPoint(x + side, 0), bottomRight: PixelPoint(x + side, side),
                bottomLeft: PixelPoint(x, side))
        }
        #expect(abs(square(0, 2).overlap(with: square(1, 2)) - 1.0 / 3) < 1e-12)
        #expect(abs(square(0, 4).overlap(with: square(1, 1)) - 1.0 / 16) < 1e-12)
        #expect(square(0, 1).overlap(with: square(5, 1)) == 0)
        #expect(abs(square(3, 2).overlap(with: square(3, 2)) - 1) < 1e-12)
    }
}
