// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Testing

@testable import ARTracking

@Suite struct PictureShakeTests {
    /// How well a filter knows where landmarks are to be seen, and how well they are, in radians.
    private static let known = 0.0002
    private static let noise = 0.0003

    /// A frame of landmarks that lie beside their places by what the filter does not know and the picture's own turn, together, and by
    /// their own noise.
    private static func frame(
        _ shake: inout PictureShake, by deviation: Double, count: Int = 30, outliers: Int = 0,
        random: inout SeededRandom
    ) {
        let (turn, error) = (random.normalPair(), random.normalPair())
        let common = Vector2(
            deviation * turn.0 + known * error.0, deviation * turn.1 + known * error.1)
        for index in 0..<count {
            let own = random.normalPair()
            let other = index < outliers ? Vector2(0.05, -0.03) : .zero
            shake.hear(
                common + Vector2(noise * own.0, noise * own.1) + other, variance: known * known, noise: noise * noise)
        }
        shake.learn()
    }

    /// Over many frames the variance is, in the mean, that of the pictures' own turns: neither what the filter does not know nor the
    /// landmarks' noise is taken for it, nor are a few landmarks that are elsewhere.
    @Test(arguments: [0.0005, 0.003], [0, 5]) func learnsHowFarPicturesTurn(deviation: Double, outliers: Int) {
        var (shake, random) = (PictureShake(), SeededRandom(seed: 1, purpose: "picture shake"))
        var sum = 0.0
        for frame in 0..<500 {
            Self.frame(&shake, by: deviation, outliers: outliers, random: &random)
            if frame >= 100 { sum += shake.variance }
        }
        // What counts at once because it is far beyond chance makes the mean a little larger.
        #expect((0.7...1.5).contains(sum / 400 / (deviation * deviation)), "\(sum / 400 / (deviation * deviation))")
    }

    /// Steady pictures are taken to be so in all but a few frames.
    @Test func leavesSteadyPicturesAlone() {
        var (shake, random) = (PictureShake(), SeededRandom(seed: 2, purpose: "picture shake"))
        var shaken = 0
        for _ in 0..<2000 {
            Self.frame(&shake, by: 0, random: &random)
            if shake.variance > 0 { shaken += 1 }
        }
        #expect(shaken < 20, "\(shaken)")
    }

    /// One picture that is turned far counts at once, and is forgotten within a second or so.
    @Test func risesAtOnceAndFallsSlowly() {
        var (shake, random) = (PictureShake(), SeededRandom(seed: 3, purpose: "picture shake"))
        for _ in 0..<30 { Self.frame(&shake, by: 0, random: &random) }
        Self.frame(&shake, by: 0.02, random: &random)
        let risen = shake.variance
        #expect(risen > 0.0025 * 0.0025)
        Self.frame(&shake, by: 0, random: &random)
        #expect(shake.variance > risen / 2)
        for _ in 0..<90 { Self.frame(&shake, by: 0, random: &random) }
        #expect(shake.variance < 0.01 * risen)
    }

    /// A few points do not tell what all have in common: what was known remains.
    @Test func fewPointsTellNothing() {
        var (shake, random) = (PictureShake(deviation: 0.001), SeededRandom(seed: 4, purpose: "picture shake"))
        for _ in 0..<10 {
            Self.frame(&shake, by: 0.01, count: UsualNoise.leastCount - 1, random: &random)
        }
        #expect(shake.variance == 0.001 * 0.001)
    }
}
