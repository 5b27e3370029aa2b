// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation
import Testing

@testable import ARTracking

@Suite struct PictureShakeTests {
    /// How well a filter knows where landmarks are to be seen, and how well they are, in radians.
    private static let known = 0.0002
    private static let noise = 0.0003

    /// A frame of landmarks that lie beside their places by what the filter does not know and the picture's own motion, together, and by
    /// their own noise. Of that motion a share is a turn.
    private static func frame(
        _ shake: inout PictureShake, by deviation: Double, turned share: Double = 0, count: Int = 30, outliers: Int = 0,
        random: inout SeededRandom
    ) {
        let (turn, error) = (random.normalPair(), random.normalPair())
        let common = Vector2(
            deviation * turn.0 + known * error.0, deviation * turn.1 + known * error.1)
        for index in 0..<count {
            let own = random.normalPair()
            let other = index < outliers ? Vector2(0.05, -0.03) : .zero
            let place = Vector2(0.6 * cos(2.4 * Double(index)), 0.5 * sin(1.7 * Double(index)))
            let turned = share * place.dot(common) * place
            shake.hear(
                common + turned + Vector2(noise * own.0, noise * own.1) + other, variance: known * known,
                noise: noise * noise, fromCenter: place)
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
        Self.frame(&shake, by: 0.01, random: &random)
        let risen = shake.variance
        #expect(risen > 0.00125 * 0.00125)
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

    /// A picture that lies farther aside than any lens moves one was not taken from there: it is not taken to be turned, not even where pictures
    /// shake, and nothing is learned from it.
    @Test func noLensMovesAPictureFar() {
        var (shake, random) = (PictureShake(deviation: 0.003), SeededRandom(seed: 5, purpose: "picture shake"))
        for _ in 0..<5 { Self.frame(&shake, by: 1, random: &random) }
        #expect(shake.variance == 0)
        for _ in 0..<30 {
            shake.hear(
                .zero, variance: Self.known * Self.known, noise: Self.noise * Self.noise, fromCenter: Vector2(0.3, 0.2))
        }
        shake.learn()
        #expect((0.8 * 9e-6...9e-6).contains(shake.variance))
    }

    /// A picture that is moved as a whole lacks at its edges what one that is turned has there: that is found from what the points lie aside, and nothing
    /// of it where pictures are turned.
    @Test(arguments: [0, 1.0 / 3, 1]) func tellsMovedPicturesFromTurnedOnes(share: Double) {
        var (shake, random) = (PictureShake(), SeededRandom(seed: 6, purpose: "picture shake"))
        for _ in 0..<60 { Self.frame(&shake, by: 0.002, turned: share, outliers: 4, random: &random) }
        let common = Vector2(0.004, -0.002)
        for index in 0..<30 {
            let place = Vector2(0.02 * Double(index) - 0.3, 0.3)
            shake.hear(
                common + share * place.dot(common) * place, variance: Self.known * Self.known,
                noise: Self.noise * Self.noise, fromCenter: place)
        }
        shake.learn()
        let place = Vector2(-0.5, 0.4)
        let missing = (1 - share) * place.dot(common) * place
        #expect((shake.missingTurn(at: place) - missing).length < 0.0002, "\(shake.missingTurn(at: place)), \(missing)")
    }

    /// Where few points show a picture, or none, nothing is known of how it lies aside, whatever the one before did.
    @Test func whatFewPointsShowIsLeftAsItIs() {
        var (shake, random) = (PictureShake(), SeededRandom(seed: 7, purpose: "picture shake"))
        for _ in 0..<60 { Self.frame(&shake, by: 0.002, random: &random) }
        #expect(shake.missingTurn(at: Vector2(0.5, 0.5)) != .zero)
        let known = shake.variance
        Self.frame(&shake, by: 0.002, count: UsualNoise.leastCount - 1, random: &random)
        #expect(shake.missingTurn(at: Vector2(0.5, 0.5)) == .zero && shake.variance == known)
        Self.frame(&shake, by: 1, random: &random)
        #expect(shake.missingTurn(at: Vector2(0.5, 0.5)) == .zero && shake.variance == 0)
        shake.learn()
        #expect(shake.variance == known)
    }
}
