// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct EmblemTests {
    /// The sum of the absolute differences of two pictures' bytes, as a share of the largest possible.
    private static func difference(_ first: ImageBuffer, _ second: ImageBuffer) -> Double {
        let sum = zip(first.bytes, second.bytes).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        return Double(sum) / Double(255 * first.bytes.count)
    }

    /// Ten thousand numbers give ten thousand designs.
    @Test func designsDiffer() {
        #expect(Set((0..<10_000).map { EmblemDesign(number: $0) }).count == 10_000)
    }

    /// A hundred emblems, each pair differs in what is seen, by a thousandth of all light and more.
    @Test func emblemsDiffer() {
        let pictures = (0..<100).map { Emblem(number: $0).image(width: 48) }
        for (index, picture) in pictures.enumerated() {
            for (other, otherPicture) in pictures[..<index].enumerated() {
                #expect(Self.difference(picture, otherPicture) > 1e-3, "\(index) and \(other)")
            }
        }
    }

    @Test func theNumberGivesTheBytes() {
        for number in [0, 17, 4711] {
            let picture = Emblem(number: number).image(width: 64)
            #expect(Emblem(number: number).image(width: 64) == picture)
            #expect(picture.size == ImageSize(width: 64, height: 64))
        }
    }

    /// One ink: each pixel is a mixture of the ink and the paper.
    @Test func oneInkHasNoOtherColor() {
        for number in 0..<30 {
            let picture = Emblem(number: number, isOneInk: true).image(width: 64)
            let pixels = stride(from: 0, to: picture.bytes.count, by: 3).map { Array(picture.bytes[$0..<($0 + 3)]) }
            // The ink is a black with a hint of blue: its channels differ by three.
            #expect(pixels.allSatisfy { ($0.max() ?? 0) - ($0.min() ?? 0) <= 4 })
            #expect(pixels.contains { $0[0] > 250 } && pixels.contains { $0[0] < 30 })
        }
    }

    /// The rim of the picture is paper: the emblem is not cut off, and its outline is dark enough to stand out from it.
    @Test func emblemsLieOnPaper() {
        for number in 0..<50 {
            let picture = Emblem(number: number).image(width: 64, paper: Vector3(1, 1, 1))
            let rim: [Int] = (0..<64).flatMap { (step: Int) -> [Int] in
                [step, 63 * 64 + step, step * 64, step * 64 + 63]
            }
            #expect(rim.allSatisfy { picture.bytes[3 * $0] == 255 && picture.bytes[3 * $0 + 1] == 255 })
            #expect(picture.gray.bytes.contains { $0 < 128 })
        }
    }

    /// Few colours: three quarters of a picture's pixels have one of six.
    @Test func emblemsArePoorInTexture() {
        for number in 0..<50 {
            let picture = Emblem(number: number).image(width: 128)
            var counts: [Int: Int] = [:]
            for pixel in stride(from: 0, to: picture.bytes.count, by: 3) {
                let (red, green, blue) = (picture.bytes[pixel], picture.bytes[pixel + 1], picture.bytes[pixel + 2])
                counts[Int(red) << 16 | Int(green) << 8 | Int(blue), default: 0] += 1
            }
            let common = counts.values.sorted(by: >).prefix(6).reduce(0, +)
            #expect(Double(common) > 0.75 * 128 * 128, "\(number)")
        }
    }
}
