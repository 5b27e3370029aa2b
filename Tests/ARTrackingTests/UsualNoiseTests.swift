// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARRandom
import Testing

@testable import ARTracking

@Suite struct UsualNoiseTests {
    /// The squared distances of pairs whose errors have a share of the stated variance, by the noise that was usual before.
    private static func distances(
        _ share: Double, by usual: UsualNoise, count: Int = 30, random: inout SeededRandom
    ) -> [Double] {
        (0..<count).map { _ in
            let pair = random.normalPair()
            return (pair.0 * pair.0 + pair.1 * pair.1) * share / usual.share
        }
    }

    /// Within ten frames of thirty points the share is what their errors show, to within a factor of three, and stays so; one
    /// point in five that is far off changes that little.
    @Test(arguments: [0.1, 0.3, 1], [0, 6]) func learnsWhatMostPointsShow(share: Double, outliers: Int) {
        var (usual, random) = (UsualNoise(), SeededRandom(seed: 1, purpose: "usual noise"))
        for frame in 0..<100 {
            var distances = Self.distances(share, by: usual, random: &random)
            for index in 0..<outliers { distances[index] += 50 }
            usual.learn(from: distances)
            guard frame >= 10 else { continue }
            #expect((share / 3...min(1, share * 3)).contains(usual.share))
        }
    }

    /// What a blurred picture shows of all points is believed at once, and forgotten within a second.
    @Test func risesAtOnceAndFallsSlowly() {
        var (usual, random) = (UsualNoise(), SeededRandom(seed: 2, purpose: "usual noise"))
        for _ in 0..<30 {
            usual.learn(from: Self.distances(0.06, by: usual, random: &random))
        }
        #expect(usual.share < 0.15)
        usual.learn(from: Self.distances(0.9, by: usual, random: &random))
        #expect(usual.share > 0.45)
        usual.learn(from: Self.distances(0.06, by: usual, random: &random))
        #expect(usual.share > 0.3)
        for _ in 0..<30 {
            usual.learn(from: Self.distances(0.06, by: usual, random: &random))
        }
        #expect(usual.share < 0.15)
    }

    /// The share keeps its limits; and a few points say nothing, so that what was learned fades to what is stated.
    @Test func keepsItsLimits() {
        var usual = UsualNoise()
        for _ in 0..<50 {
            usual.learn(from: repeatElement(0, count: 30))
        }
        #expect(usual.share == UsualNoise.leastShare)
        for _ in 0..<50 {
            usual.learn(from: repeatElement(0, count: UsualNoise.leastCount - 1))
        }
        #expect(usual.share == 1)
        usual.learn(from: repeatElement(1e9, count: 30))
        #expect(usual.share == 1)
    }
}
