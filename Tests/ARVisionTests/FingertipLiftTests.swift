// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARVision
import Foundation
import TestSupport
import Testing

/// Whether a finger has left its plane, by how wide it looks.
@Suite struct FingertipLiftTests {
    private static let (framesPerSecond, cameraHeight) = (30.0, 0.42)

    /// A finger that lies for a second and is lifted for 0.3 seconds, in turns: its height in each picture, in metres.
    private func heights(lift: Double, seconds: Double) -> [Double] {
        (0..<Int(seconds * Self.framesPerSecond)).map { picture in
            let phase = (Double(picture) / Self.framesPerSecond).truncatingRemainder(dividingBy: 1.3)
            return phase < 1 ? 0 : lift * pow(sin(.pi * (phase - 1) / 0.3), 2)
        }
    }

    /// How wide such a finger looks, as if it lay on the plane: its radius walks by so much in a square root of a second, and each
    /// picture errs by four thousandths.
    private func radii(_ heights: [Double], walk: Double, _ random: inout TestRandom) -> [Double] {
        var bias = log(random.uniform(0.005...0.01))
        return heights.map { height in
            bias += walk / Self.framesPerSecond.squareRoot() * random.normal()
            return exp(bias + 0.004 * random.normal()) / (1 - height / Self.cameraHeight)
        }
    }

    private func followed(_ radii: [Double], _ body: (Int, FingertipLift) -> Void) {
        var lift = FingertipLift()
        for (index, radius) in radii.enumerated() {
            lift.update(
                radiusOnPlane: radius, cameraHeight: Self.cameraHeight, after: 1 / Self.framesPerSecond)
            body(index, lift)
        }
    }

    /// Law: of a finger whose radius drifts by 3 % in a second and that is lifted by 3 cm, seven hundredths of the camera's height,
    /// nine of ten pictures are told right, lifted (by 1 cm and more) and lying ones counted alike.
    @Test func liftsAreToldFromDrifts() {
        var (lifted, lying) = ((right: 0, all: 0), (right: 0, all: 0))
        for number in 0..<40 {
            var random = TestRandom(case: number)
            let heights = heights(lift: 0.03, seconds: 13)
            followed(radii(heights, walk: 0.03, &random)) { index, lift in
                if heights[index] > 0.01 {
                    lifted.all += 1
                    lifted.right += lift.isLifted ? 1 : 0
                } else if heights[index] == 0 {
                    lying.all += 1
                    lying.right += lift.isLifted ? 0 : 1
                }
            }
        }
        let right = Double(lifted.right) / Double(lifted.all) + Double(lying.right) / Double(lying.all)
        #expect(right / 2 > 0.9)
    }

    /// Law: what lies is lifted in one picture of a hundred at most, however its radius drifts: by nothing, at random, or by a tenth
    /// within three seconds.
    @Test(arguments: [0, 0.03], [-0.1, 0, 0.1]) func driftsAreNoLifts(walk: Double, drift: Double) {
        var (count, all) = (0, 0)
        for number in 0..<60 {
            var random = TestRandom(case: number)
            let lying = [Double](repeating: 0, count: 90)
            let radii = radii(lying, walk: walk, &random).enumerated().map { $1 * exp(drift * Double($0) / 90) }
            followed(radii) { index, lift in
                // The first half of a second tells what is usual.
                guard index >= 15 else { return }
                all += 1
                count += lift.isLifted ? 1 : 0
            }
        }
        #expect(100 * count <= all)
    }

    /// Law: a finger that is wider by any factor tells the same.
    @Test(arguments: [0.3, 2.0, 10.0]) func onlyChangesCount(factor: Double) {
        var random = TestRandom()
        let radii = radii(heights(lift: 0.03, seconds: 6), walk: 0.03, &random)
        var probabilities: [Double] = []
        followed(radii) { probabilities.append($1.probability) }
        followed(radii.map { factor * $0 }) { index, lift in
            #expect(abs(lift.probability - probabilities[index]) < 1e-9)
        }
    }

    /// What is no measurement changes nothing.
    @Test(arguments: [0, -1, Double.nan, .infinity]) func whatIsNoNumberIsNotTaken(value: Double) {
        var lift = FingertipLift()
        lift.update(radiusOnPlane: 0.007, cameraHeight: 0.4, after: 0.03)
        lift.update(radiusOnPlane: 0.0072, cameraHeight: 0.4, after: 0.03)
        let probability = lift.probability
        lift.update(radiusOnPlane: value, cameraHeight: 0.4, after: 0.03)
        lift.update(radiusOnPlane: 0.007, cameraHeight: value, after: 0.03)
        lift.update(radiusOnPlane: 0.007, cameraHeight: 0.4, after: value)
        #expect(lift.probability == probability)
        #expect((0...1).contains(probability))
    }
}

extension TestRandom {
    /// A number of mean 0 and variance 1, nearly normal: twelve even ones.
    fileprivate mutating func normal() -> Double { (0..<12).reduce(-6) { sum, _ in sum + uniform(0...1) } }
}
