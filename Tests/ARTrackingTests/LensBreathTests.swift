// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Testing

@testable import ARTracking

@Suite struct LensBreathTests {
    /// How well a filter knows where landmarks are to be seen, and how well they are, over the focal length.
    private static let known = 0.0002
    private static let noise = 0.0003

    /// A frame of landmarks, all over the picture, that lie farther out than expected by a share of where they are, which the filter does not
    /// know, and beside that by what it knows of each and by their own noise; or that lie aside together.
    private static func frame(
        _ breath: inout LensBreath, by deviation: Double, aside: Double = 0, count: Int = 30,
        random: inout SeededRandom
    ) {
        let (share, turn) = (deviation * random.normalPair().0, random.normalPair())
        for _ in 0..<count {
            let (error, own) = (random.normalPair(), random.normalPair())
            let place = Vector2(random.uniform(-0.6..<0.6), random.uniform(-0.45..<0.45))
            breath.hear(
                share * place
                    + Vector2(
                        known * error.0 + noise * own.0 + aside * turn.0,
                        known * error.1 + noise * own.1 + aside * turn.1),
                variance: known * known, noise: noise * noise, fromCenter: place)
        }
        breath.learn()
    }

    /// Over many frames the variance is, in the mean, that of the changes.
    @Test(arguments: [0.003, 0.01]) func learnsHowMuchTheFocalLengthChanges(deviation: Double) {
        var (breath, random) = (LensBreath(), SeededRandom(seed: 1, purpose: "lens breath"))
        var sum = 0.0
        for frame in 0..<3000 {
            Self.frame(&breath, by: deviation, random: &random)
            if frame >= 100 { sum += breath.variance }
        }
        // What counts at once because it is far beyond chance makes the mean a little larger.
        #expect((0.7...1.5).contains(sum / 2900 / (deviation * deviation)), "\(sum / 2900 / (deviation * deviation))")
    }

    /// Neither a lens that stays as it is breathes, nor one whose pictures shake by half a pixel.
    @Test(arguments: [0, 0.001]) func leavesOthersAlone(aside: Double) {
        var (breath, random) = (LensBreath(), SeededRandom(seed: 2, purpose: "lens breath"))
        var breaths = 0
        for _ in 0..<2000 {
            Self.frame(&breath, by: 0, aside: aside, random: &random)
            if breath.variance > 0 { breaths += 1 }
        }
        #expect(breaths < 40, "\(breaths)")
    }

    /// A few points tell nothing, nor do those in the middle of the picture.
    @Test func fewPointsTellNothing() {
        var (breath, random) = (LensBreath(), SeededRandom(seed: 3, purpose: "lens breath"))
        for _ in 0..<10 {
            Self.frame(&breath, by: 0.02, count: UsualNoise.leastCount - 1, random: &random)
            for side in [-1.0, 1] {
                for _ in 0..<50 {
                    breath.hear(
                        Vector2(0.01 * side, 0), variance: 1e-8, noise: 1e-8, fromCenter: Vector2(0.09 * side, 0))
                }
            }
            breath.learn()
        }
        #expect(breath.variance == 0)
    }
}
