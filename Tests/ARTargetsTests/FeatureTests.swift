// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import CFeatures
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

    /// Any light on a print is explained: a gain that is a plane, and an offset. Other inks are not, nor is what lies over it.
    @Test func oneLightExplainsAPrint() throws {
        let side = 320
        let space = ScaleSpace()
        var inkedCount = 0
        for number in [1, 3, 5, 8, 11, 14] {
            let picture = Emblem(number: number).image(width: side).gray
            let reference = ReferenceImage(name: "print", picture: picture)
            let storage = try TargetDatabase(building: [reference]).segments[0].storage
            func agreement(_ change: (_ light: Double, _ x: Double, _ y: Double) -> Double) throws -> CFeaturesAgreement
            {
                var changed = picture
                for index in changed.bytes.indices {
                    let (x, y) = (Double(index % side) / Double(side), Double(index / side) / Double(side))
                    changed.bytes[index] = UInt8(min(max(change(Double(picture.bytes[index]), x, y), 0), 255))
                }
                space.fill(with: changed, longestSide: 900)
                let whole = Matrix3x3(
                    rows: Vector3(Double(side), 0, -0.5), Vector3(0, Double(side), -0.5), Vector3(0, 0, 1))
                var place = try #require(PrintPlace(whole))
                return storage.withTemplate(at: 0) {
                    space.align($0, at: &place, longerSide: 128, rounds: 2, slack: 2)
                }
            }
            let lit = try agreement { light, x, y in 15 + (0.7 + 0.2 * x - 0.15 * y) * light }
            #expect(lit.lit > 0.995)
            let inverse = try agreement { light, x, y in 250 - (0.7 + 0.2 * x) * light }
            #expect(inverse.lit > 0.99 && inverse.is_inverse == 1)
            // Grey of the middle becomes the darkest, which two inks alone do not show.
            let inked = try agreement { light, _, _ in abs(light - 110) }
            inkedCount += inked.lit < 0.98 ? 1 : 0
            let covered = try agreement { light, x, y in x + y > 1.35 ? 90 + 60 * sin(40 * x) : light }
            #expect(covered.lit < 0.98, "\(covered)")
        }
        #expect(inkedCount >= 4)
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
