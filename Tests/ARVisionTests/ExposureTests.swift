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

    /// Law: a camera that exposes more or less from one picture to the next is seen by what did not move, also where a third of
    /// the picture is another: nine tenths of the change, in its logarithm, are taken back, to the histogram's 1.6 % and to rounding.
    @Test(arguments: [0.5, 0.7, 1.4, 1.9]) func changesOfExposureAreTakenBack(gain: Double) throws {
        var random = TestRandom()
        let hand = DrawnHand.random(&random)
        let (picture, other) = (hand.picture(&random), hand.picture(&random))
        var changed = picture
        changed.bytes.replaceSubrange(0..<picture.bytes.count / 3, with: other.bytes[0..<picture.bytes.count / 3])
        changed.bytes = changed.bytes.map { UInt8(min(Double($0) * gain, 255).rounded()) }
        var white = picture
        white.bytes = picture.bytes.map { _ in 255 }
        let plain = Exposure(of: white)
        let back = plain.matching(changed, to: picture)
        #expect(abs(log(back.gain) + 0.9 * log(gain)) < 0.03)
        let ratio = try #require(Exposure.ratio(of: back.applied(to: changed), to: picture))
        #expect(abs(log(ratio) - 0.1 * log(gain)) < 0.05)
        // Where nothing changed, or too little is seen, nothing is taken back.
        #expect(plain.matching(picture, to: picture).gain == 1)
        var black = picture
        black.bytes = black.bytes.map { _ in 0 }
        #expect(plain.matching(black, to: picture).gain == 1)
    }

    /// Law: the same hand over another ground, in which each place differs by its own factor, was exposed as before.
    @Test(arguments: [0.5, 2], 0..<3) func anotherGroundIsNoOtherExposure(brightness: Double, number: Int) {
        var random = TestRandom(case: number)
        var hand = DrawnHand.random(&random)
        hand.ground = Vector3(80, 85, 90)
        let earlier = hand.picture(&random)
        hand.ground *= brightness
        let later = hand.picture(&random)
        var white = earlier
        white.bytes = earlier.bytes.map { _ in 255 }
        #expect(Exposure(of: white).matching(later, to: earlier).gain == 1)
    }
}
