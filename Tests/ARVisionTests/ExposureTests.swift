// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARVision

/// Pictures that are too dark, or that the camera exposes more or less than the one before, are judged as if they were not.
@Suite struct ExposureTests {
    /// A picture of a hand whose brightest tenth has one value, and nothing else a greater one.
    private func picture(brightest: Double) -> ImageBuffer {
        var random = TestRandom()
        var picture = DrawnHand.random(&random).picture(&random)
        let bright = picture.bytes.count / 10
        picture.bytes = picture.bytes.enumerated().map { at, value in
            at < bright ? UInt8(brightest) : UInt8(Double(value) * brightest / 255)
        }
        return picture
    }

    /// Law: what is brightest in a dark picture is brightened to nearly white, but for the values' steps.
    @Test(arguments: [40.0, 75, 130, 160]) func darkPicturesAreBrightened(brightest: Double) {
        let dark = picture(brightest: brightest)
        let exposure = Exposure(of: dark)
        #expect(exposure.gain > 1)
        #expect(abs(Exposure.missing(exposure.applied(to: dark)) - 1) < 0.05)
    }

    /// Law: a picture that misses little of white is left alone.
    @Test(arguments: [175.0, 200, 250, 255]) func brightPicturesAreLeftAlone(brightest: Double) {
        let bright = picture(brightest: brightest)
        let exposure = Exposure(of: bright)
        #expect(exposure.gain == 1)
        #expect(exposure.applied(to: bright) == bright)
    }

    /// Law: where the light rises, the gain of a finger that was begun in the dark gives way by no more than what would be
    /// brightened past white, and never to less than 1.
    @Test(arguments: [1.0, 1.05, 1.2, 1.5, 1.7]) func theGainGivesWayToTheLight(light: Double) {
        let begun = Exposure(of: picture(brightest: 150))
        let limited = begun.limited(for: picture(brightest: (150 * light).rounded()))
        #expect(abs(limited.gain - max(begun.gain / light, 1)) < 0.01)
        // In a darker picture it is what it was.
        #expect(begun.limited(for: picture(brightest: 90)).gain == begun.gain)
    }

    /// The colours of a drawn hand, as a tracker that begins with it learns them.
    private func colors(of hand: DrawnHand, in picture: ImageBuffer) throws -> HandColors {
        var colors = try #require(FingertipFinder(minimumConfidence: 0.3).findHand(in: picture, near: hand.center))
            .colors
        colors.expectOtherLight()
        return colors
    }

    /// The picture under light that is stronger by a factor, through a sensor whose values are a power of the light, with noise of
    /// its own.
    private func exposed(_ picture: ImageBuffer, gain: Double, gamma: Double, _ random: inout TestRandom) -> ImageBuffer
    {
        let values = (0...255).map { 255 * min(pow(Double($0) / 255, gamma) * gain, 1).root(gamma) }
        var exposed = picture
        exposed.bytes = picture.bytes.map {
            UInt8(min(max(values[Int($0)] + random.uniform(-2...2), 0), 255).rounded())
        }
        return exposed
    }

    /// A small picture of a hand, for laws that need many.
    private func smallHand(_ random: inout TestRandom) -> DrawnHand {
        var hand = DrawnHand.random(&random)
        hand.size = ImageSize(width: 320, height: 240)
        hand.tip = PixelPoint(160 + random.uniform(-30...30), 120 + random.uniform(-25...25))
        hand.fingerRadius = random.uniform(6...9)
        return hand
    }

    /// What turns a picture into itself: nothing in it is brightened.
    private func plain(_ picture: ImageBuffer) -> Exposure {
        var white = picture
        white.bytes = picture.bytes.map { _ in 255 }
        return Exposure(of: white)
    }

    /// The hands of the laws about steps: of darker and lighter skin, which the greatest of them leaves below white, before rough
    /// and even grounds.
    private func steppedHand(_ number: Int, _ random: inout TestRandom) -> DrawnHand {
        var hand = smallHand(&random)
        (hand.skin, hand.ground) =
            number % 2 == 0
            ? (Vector3(120, 78, 56), Vector3(60, 70, 110)) : (Vector3(150, 107, 86), Vector3(80, 85, 90))
        if number == 0 || number == 1 { hand.texture = 0 }
        return hand
    }

    /// Law: a step of the gain multiplies the light of hand and ground alike. Its values, a power of the light, all change by one
    /// factor, and nine tenths of it, in its logarithm, are taken back to a sixth and 4 %: before rough and even grounds, with
    /// the hand where it was and a diameter away, linear and with the usual gamma, with noise.
    @Test(arguments: [0.4, 0.6, 1.25, 1.6], [1, 2.2]) func stepsOfTheGainAreTakenBack(gain: Double, gamma: Double)
        throws
    {
        for number in 0..<4 {
            var random = TestRandom(case: number)
            var hand = steppedHand(number, &random)
            var (before, after) = (random, random)
            let earlier = hand.picture(&before)
            let colors = try colors(of: hand, in: earlier)
            if number == 3 { hand.tip.x += 2 * hand.fingerRadius }
            let later = exposed(hand.picture(&after), gain: gain, gamma: gamma, &random)
            let taken = log(plain(earlier).matching(later, to: earlier, colors: colors).gain)
            let change = -log(gain) / gamma
            #expect(abs(taken - change) < abs(change) / 6 + 0.04, "hand \(number)")
        }
    }

    /// Law: where an even ground gives way to another even one, most places change by one factor, but not the hand: the camera
    /// exposes as before.
    @Test(arguments: [0.4, 0.6, 2.5]) func anotherEvenGroundIsNoOtherExposure(brightness: Double) throws {
        for number in 0..<4 {
            var random = TestRandom(case: number)
            var hand = steppedHand(number, &random)
            hand.texture = 0
            let earlier = hand.picture(&random)
            let colors = try colors(of: hand, in: earlier)
            hand.ground *= brightness
            let later = hand.picture(&random)
            #expect(Exposure.ratio(of: later, to: earlier) != nil)
            #expect(plain(earlier).matching(later, to: earlier, colors: colors).gain == 1, "hand \(number)")
        }
    }

    /// The finger that a memory follows, begun in one picture, when the next one has come.
    private func followed(_ hand: DrawnHand, from earlier: ImageBuffer, to later: ImageBuffer) throws -> FingerMemory {
        let found = try #require(
            FingertipFinder(minimumConfidence: 0.3).findHand(in: earlier, near: hand.center))
        var memory = FingerMemory(found, in: earlier)
        try #require(memory.follow(in: later, minimumConfidence: 0.45) != nil)
        return memory
    }

    /// Law: whatever the colours say, a finger that is found and is as bright as before shares no step: what passed for one is
    /// forgotten with the same picture, and nothing is learnt from it.
    @Test func whatTheFingerDoesNotShareIsNoStep() throws {
        var mistakenCount = 0
        for (number, brightness) in [0.7, 0.8, 0.85, 1.15, 1.2, 1.3].flatMap({ value in (0..<4).map { ($0, value) } }) {
            var random = TestRandom(case: number)
            var hand = steppedHand(number, &random)
            hand.texture = 0
            let earlier = hand.picture(&random)
            hand.ground *= brightness
            let later = hand.picture(&random)
            let usual = Exposure(of: earlier).limited(for: later)
            let first = Exposure(of: earlier).applied(to: earlier)
            let reading = usual.matching(later, to: first, colors: try colors(of: hand, in: earlier))
            mistakenCount += reading.gain == usual.gain ? 0 : 1
            let memory = try followed(hand, from: earlier, to: later)
            #expect(memory.lastPicture == usual.applied(to: later), "hand \(number), ground × \(brightness)")
        }
        // By their colours alone some of these pass for steps.
        #expect(mistakenCount > 0)
    }

    /// Law: a finger that has become brighter or darker with all else shares the step: nine tenths of it stay taken back,
    /// to a sixth and 4 %.
    @Test(arguments: [0.6, 1.6]) func whatTheFingerSharesIsAStep(gain: Double) throws {
        for number in 0..<4 {
            var random = TestRandom(case: number)
            let hand = steppedHand(number, &random)
            var (before, after) = (random, random)
            let earlier = hand.picture(&before)
            let later = exposed(hand.picture(&after), gain: gain, gamma: 1, &random)
            let memory = try followed(hand, from: earlier, to: later)
            let first = Exposure(of: earlier).applied(to: earlier)
            let ratio = try #require(Exposure.ratio(of: memory.lastPicture, to: first))
            #expect(abs(log(ratio) - 0.1 * log(gain)) < abs(log(gain)) / 6 + 0.04, "hand \(number)")
        }
    }

    /// Law: a camera that exposes more or less from one picture to the next is seen by what did not move, also where a third of
    /// the picture is another: nine tenths of the change, in its logarithm, are taken back, to the histogram's 1.6 % and to rounding.
    @Test(arguments: [0.5, 0.7, 1.4, 1.9]) func changesOfExposureAreTakenBack(gain: Double) throws {
        var random = TestRandom()
        let hand = DrawnHand.random(&random)
        let (picture, other) = (hand.picture(&random), hand.picture(&random))
        var changed = picture
        changed.bytes.replaceSubrange(0..<picture.bytes.count / 3, with: other.bytes[0..<picture.bytes.count / 3])
        changed.bytes = changed.bytes.map { UInt8(min(Double($0) * gain, 255).rounded()) }
        let colors = try colors(of: hand, in: picture)
        let plain = plain(picture)
        let back = plain.matching(changed, to: picture, colors: colors)
        #expect(abs(log(back.gain) + 0.9 * log(gain)) < 0.03)
        let ratio = try #require(Exposure.ratio(of: back.applied(to: changed), to: picture))
        #expect(abs(log(ratio) - 0.1 * log(gain)) < 0.05)
        // Where nothing changed, or too little is seen, nothing is taken back.
        #expect(plain.matching(picture, to: picture, colors: colors).gain == 1)
        var black = picture
        black.bytes = black.bytes.map { _ in 0 }
        #expect(plain.matching(black, to: picture, colors: colors).gain == 1)
    }

    /// Law: the same hand over another ground, in which each place differs by its own factor, was exposed as before.
    @Test(arguments: [0.5, 2], 0..<3) func anotherGroundIsNoOtherExposure(brightness: Double, number: Int) throws {
        var random = TestRandom(case: number)
        var hand = DrawnHand.random(&random)
        hand.ground = Vector3(80, 85, 90)
        let earlier = hand.picture(&random)
        let colors = try colors(of: hand, in: earlier)
        hand.ground *= brightness
        let later = hand.picture(&random)
        #expect(plain(earlier).matching(later, to: earlier, colors: colors).gain == 1)
    }
}

extension DrawnHand {
    /// The middle of the ball in which the finger ends.
    fileprivate var center: PixelPoint { PixelPoint(tip.vector - fingerRadius * direction) }
}

extension Double {
    /// What to this power is the number.
    fileprivate func root(_ index: Double) -> Double { pow(self, 1 / index) }
}
