// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARVision

/// Fingers whose ends are known exactly: any way round, of any skin, over any ground.
@Suite struct FingertipTests {
    /// Found without a tap, to less than a pixel along the finger and across it.
    @Test(arguments: 0..<8) func drawnFingersAreFound(number: Int) throws {
        var random = TestRandom(case: number)
        let hand = DrawnHand.random(&random)
        let found = try #require(FingertipFinder().find(in: hand.picture(&random)))
        #expect(found.tip.distance(to: hand.tip) < 1, "\(found.tip) instead of \(hand.tip)")
        #expect(found.direction.dot(hand.direction) > cos(4 * .pi / 180))
        #expect(abs(found.radius - hand.fingerRadius) < 0.6)
        #expect(found.confidence > 0.8)
    }

    /// A blurred finger is a little less certain, and its end is still found to a pixel and a half.
    @Test func aBlurredFingerIsFound() throws {
        var random = TestRandom()
        var hand = DrawnHand.random(&random)
        hand.blur = 5
        let found = try #require(FingertipFinder().find(in: hand.picture(&random)))
        #expect(found.tip.distance(to: hand.tip) < 1.5, "\(found.tip) instead of \(hand.tip)")
    }

    /// Law: light and exposure do not count. In a picture of a half or a quarter of the brightness the finger is found, and
    /// followed, as well as in the whole.
    @Test(arguments: [0.5, 0.25], 0..<3) func darkFingersAreFoundAndFollowed(gain: Double, number: Int) throws {
        var random = TestRandom(case: number)
        var hand = DrawnHand.random(&random)
        func picture() -> ImageBuffer {
            var picture = hand.picture(&random)
            picture.bytes = picture.bytes.map { UInt8((Double($0) * gain).rounded()) }
            return picture
        }
        let found = try #require(FingertipFinder().find(in: picture()))
        #expect(found.tip.distance(to: hand.tip) < 1, "\(found.tip) instead of \(hand.tip)")
        var tracker = FingertipTracker(finder: nil)
        let begun = tracker.start(at: found.center, in: picture())
        try #require(begun != nil)
        for _ in 0..<3 {
            hand.tip = PixelPoint(hand.tip.vector - 4 * hand.direction)
            let next = tracker.next(picture())
            let followed = try #require(next)
            #expect(followed.tip.distance(to: hand.tip) < 1, "\(followed.tip) instead of \(hand.tip)")
        }
    }

    /// A finger that is begun in the dark is followed when the light comes on.
    @Test(arguments: 0..<3) func theLightMayComeOn(number: Int) throws {
        var random = TestRandom(case: number)
        var hand = DrawnHand.random(&random)
        var dark = hand.picture(&random)
        dark.bytes = dark.bytes.map { UInt8((Double($0) * 0.25).rounded()) }
        let found = try #require(FingertipFinder().find(in: dark))
        var tracker = FingertipTracker(finder: nil)
        let begun = tracker.start(at: found.center, in: dark)
        try #require(begun != nil)
        for _ in 0..<3 {
            hand.tip = PixelPoint(hand.tip.vector - 4 * hand.direction)
            let next = tracker.next(hand.picture(&random))
            let followed = try #require(next)
            #expect(followed.tip.distance(to: hand.tip) < 1, "\(followed.tip) instead of \(hand.tip)")
        }
    }

    /// A finger is followed where the camera exposes more or less at once, and the ground has about its hue.
    @Test(arguments: [0.6, 1.5], 0..<3) func theExposureMayJump(gain: Double, number: Int) throws {
        var random = TestRandom(case: number)
        var hand = DrawnHand.random(&random)
        (hand.skin, hand.ground, hand.texture) = (Vector3(140, 112, 98), Vector3(118, 98, 88), 8)
        var tracker = FingertipTracker(finder: nil)
        let begun = tracker.start(
            at: PixelPoint(hand.tip.vector - hand.fingerRadius * hand.direction), in: hand.picture(&random))
        try #require(begun != nil)
        for step in 1...3 {
            hand.tip = PixelPoint(hand.tip.vector - 4 * hand.direction)
            var picture = hand.picture(&random)
            if step > 1 { picture.bytes = picture.bytes.map { UInt8(min(Double($0) * gain, 255).rounded()) } }
            let next = tracker.next(picture)
            let followed = try #require(next, "step \(step)")
            #expect(followed.tip.distance(to: hand.tip) < 1.5, "step \(step): \(followed.tip) instead of \(hand.tip)")
        }
    }

    /// A tap near the finger begins it, in every orientation of the interface: the tap is given in the view's points.
    @Test(arguments: InterfaceOrientation.allCases) func aTapBeginsTheFinger(orientation: InterfaceOrientation) throws {
        var random = TestRandom()
        let hand = DrawnHand.random(&random)
        let image = hand.picture(&random)
        let viewport = Viewport(size: ViewSize(width: 390, height: 700), orientation: orientation)
        let middle = PixelPoint(hand.tip.vector - hand.fingerRadius * hand.direction + Vector2(3, -4))
        let tap = ViewPoint(middle, in: viewport, imageSize: image.size)
        var tracker = FingertipTracker(finder: nil)
        let begun = tracker.start(at: tap, of: viewport, in: image)
        let found = try #require(begun)
        #expect(found.tip.distance(to: hand.tip) < 1)
    }

    /// Where a tap lies on the hand but near no finger's end, nothing begins.
    @Test(arguments: 0..<2) func aTapOnThePalmBeginsNothing(number: Int) {
        var random = TestRandom(case: number)
        var hand = DrawnHand.random(&random)
        hand.fingerRadius = 10
        let across = Vector2(-hand.direction.y, hand.direction.x)
        var tracker = FingertipTracker(finder: nil)
        // On the side of the palm where no thumb is: 130 pixels from the index' end, 76 from the thumb's.
        let palm = PixelPoint(hand.tip.vector - 140 * hand.direction + 30 * across)
        #expect(tracker.start(at: palm, in: hand.picture(&random)) == nil)
        #expect(tracker.fingertip == nil)
    }

    /// A finger that was followed, and then nothing but its skin's colour from border to border: it is lost.
    @Test func aPictureFullOfSkinHasNoFinger() throws {
        var random = TestRandom()
        let hand = DrawnHand(tip: PixelPoint(250, 200), direction: Vector2(0, -1), fingerRadius: 8)
        var tracker = FingertipTracker(finder: nil)
        let begun = tracker.start(at: PixelPoint(250, 208), in: hand.picture(&random))
        try #require(begun != nil)
        var skin = hand
        (skin.ground, skin.texture, skin.isShown) = (hand.skin, 0, false)
        #expect(tracker.next(skin.picture(&random)) == nil)
    }

    /// What is known of a finger's place holds for pictures of one size: another size begins anew, and tiny pictures have no finger.
    @Test func aPictureOfAnotherSizeBeginsAnew() throws {
        var random = TestRandom()
        var hand = DrawnHand(tip: PixelPoint(160, 100), direction: Vector2(0, -1), fingerRadius: 8)
        hand.size = ImageSize(width: 480, height: 360)
        var tapped = FingertipTracker(finder: nil)
        let begun = tapped.start(at: PixelPoint(160, 108), in: hand.picture(&random))
        try #require(begun != nil)
        var finding = tapped
        finding.finder = FingertipFinder()
        var tiny = finding
        hand.size = ImageSize(width: 400, height: 300)
        let smaller = hand.picture(&random)
        #expect(tapped.next(smaller) == nil)
        let found = finding.next(smaller)
        #expect(try #require(found).tip.distance(to: hand.tip) < 1)
        #expect(tiny.next(ImageBuffer(size: ImageSize(width: 20, height: 20), format: .rgb8)) == nil)
        #expect(tiny.next(ImageBuffer(size: ImageSize(width: 1, height: 1), format: .rgb8)) == nil)
    }

    /// A finger that moves, turns and comes nearer is followed; when it leaves, it is lost, and found again when it returns.
    @Test func aMovingFingerIsFollowedAndItsAbsenceSaid() throws {
        var random = TestRandom()
        var hand = DrawnHand(tip: PixelPoint(250, 200), direction: Vector2(0, -1), fingerRadius: 8)
        var tracker = FingertipTracker(finder: nil)
        let begun = tracker.start(at: PixelPoint(250, 208), in: hand.picture(&random))
        try #require(begun != nil)
        for step in 1...20 {
            let turn = -Double.pi / 2 + 0.04 * Double(step)
            hand.tip = PixelPoint(250 + 9 * Double(step), 200 - 4 * Double(step % 7))
            hand.direction = Vector2(cos(turn), sin(turn))
            hand.fingerRadius = 8 * (1 + 0.01 * Double(step))
            hand.isShown = !(8...11).contains(step)
            let found = tracker.next(hand.picture(&random))
            if hand.isShown {
                let error = try #require(found, "step \(step)").tip.distance(to: hand.tip)
                #expect(error < 1, "step \(step): \(error) px")
            } else {
                #expect(found == nil, "step \(step)")
            }
        }
    }

    /// Law: the errors of many fingers, measured by the covariance that each states, are about one.
    @Test(.tags(.slow), .whenSlowTestsRun) func theCovarianceIsHonest() throws {
        var ratios: [Double] = []
        for number in 0..<24 {
            var random = TestRandom(case: number)
            let hand = DrawnHand.random(&random)
            guard let found = FingertipFinder().find(in: hand.picture(&random)) else { continue }
            let error = found.tip.vector - hand.tip.vector
            let spread = found.covariance
            let determinant = spread.xx * spread.yy - spread.xy * spread.xy
            let squared =
                (spread.yy * error.x * error.x - 2 * spread.xy * error.x * error.y + spread.xx * error.y * error.y)
                / determinant
            ratios.append(squared / 2)
        }
        try #require(ratios.count >= 20)
        let median = ratios.sorted()[ratios.count / 2]
        #expect((0.05...20).contains(median), "\(median)")
    }

    @Test func aPictureWithoutAHandHasNoFinger() {
        var random = TestRandom()
        var ground = DrawnHand.random(&random)
        ground.isShown = false
        #expect(FingertipFinder().find(in: ground.picture(&random)) == nil)
        let empty = ImageBuffer(size: ImageSize(width: 20, height: 20), format: .rgb8)
        #expect(FingertipFinder().find(in: empty) == nil)
    }

    @Test func theSamePicturesGiveTheSameFingers() {
        var random = TestRandom()
        let image = DrawnHand.random(&random).picture(&random)
        #expect(FingertipFinder().find(in: image) == FingertipFinder().find(in: image))
    }
}
