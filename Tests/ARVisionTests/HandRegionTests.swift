// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import Testing

@testable import ARVision

/// The regions of a picture that are taken for hands: where the picture cuts them, what branches off them, what they become.
@Suite struct HandRegionTests {
    private static let (width, height) = (320, 240)

    private func region(_ isInside: (Int, Int) -> Bool) throws -> HandSilhouette {
        let mask: [UInt8] = (0..<Self.width * Self.height).map { isInside($0 % Self.width, $0 / Self.width) ? 1 : 0 }
        let regions = HandSilhouette.all(of: mask, width: Self.width, height: Self.height, minimumCount: 1)
        return try #require(regions.first)
    }

    /// A region without an outside is nowhere deeper than its picture is wide and high, and its fingers can be asked for.
    @Test func aRegionThatFillsThePictureHasNoFinger() throws {
        let whole = try region { _, _ in true }
        #expect(whole.pixels.count == Self.width * Self.height)
        var field = DistanceField(whole.pixels, width: Self.width, height: Self.height)
        let limit = HandSilhouette.unitsPerPixel * Int32(Self.width + Self.height)
        #expect(field.depths().allSatisfy { $0 <= limit })
        #expect(whole.fingers(width: Self.width, height: Self.height).isEmpty)
    }

    /// A comb of 45 teeth, each like a finger: only so many of its branches are looked at as bound the time.
    @Test func ofManyBranchesTheLongestAreLookedAt() throws {
        let comb = try region { x, y in (180..<220).contains(y) || ((60 + x / 7)..<180).contains(y) && x % 7 < 4 }
        #expect((1...16).contains(comb.fingers(width: Self.width, height: Self.height).count))
        let fingers = comb.branchFingers(
            ways: comb.ways(width: Self.width, height: Self.height), width: Self.width, height: Self.height)
        #expect((1...16).contains(fingers.count))
        // The teeth on the left are the longest, and besides them the branch that leads through the comb's back to its other end.
        #expect(fingers.count { $0.center.x > 160 } <= 1)
    }

    /// Law: a finger whose last link is bent, by anything up to a hook, ends where its ball is, to what a fit can begin with,
    /// whichever way the hand lies and in a mirror, too. Where it is stretched its direction is known to half the step between the
    /// directions that are tried and half a pixel at the shaft's farthest places, and errs to neither side.
    @Test(arguments: [0.0, 0.7, 1.4, 2.1, 2.4], [1.0, -1]) func bentFingersEndInTheirBalls(
        bend: Double, side: Double
    ) throws {
        let tolerance: Double = bend == 0 ? 7.5 * Double.pi / 180 + 0.5 / (2.2 * 8) : 0.5
        var turns: [Double] = []
        for turn in stride(from: 0, to: 2 * Double.pi, by: 0.7) {
            func turned(_ point: Vector2) -> Vector2 {
                let (x, y) = (point.x, side * point.y)
                return Vector2(160, 120) + Vector2(cos(turn) * x - sin(turn) * y, sin(turn) * x + cos(turn) * y)
            }
            let link = Vector2(cos(bend), sin(bend))
            let (palm, joint) = (turned(Vector2(-30, 0)), turned(Vector2(45, -12)))
            let end = turned(Vector2(45, -12) + 24 * link)
            let limbs = [
                (palm, turned(Vector2(-400, 0)), 22.0), (palm, palm, 27), (palm, joint, 8), (joint, end, 8),
            ]
            let hand = try region { x, y in
                let point = Vector2(Double(x), Double(y))
                return limbs.contains { start, end, radius in
                    let along = end - start
                    let part = min(max((point - start).dot(along) / max(along.squaredLength, 1e-9), 0), 1)
                    return (point - start - part * along).length <= radius
                }
            }
            let finger = try #require(
                hand.fingers(width: Self.width, height: Self.height).min {
                    ($0.center - end).length < ($1.center - end).length
                })
            #expect((finger.center - end).length < 3, "\(finger.center) instead of \(end), turned by \(turn)")
            #expect(abs(finger.radius - 8) < 3, "\(finger.radius), turned by \(turn)")
            let truth = (end - joint) / 24
            let off = atan2(finger.direction.dot(Vector2(-truth.y, truth.x)), finger.direction.dot(truth))
            #expect(abs(off) < tolerance, "\(off), turned by \(turn)")
            turns.append(off)
        }
        let mean: Double = turns.reduce(0, +) / Double(turns.count)
        #expect(bend > 0 || abs(mean) < 2 * .pi / 180, "\(turns)")
    }

    /// A region that covers the border all round is cut off by no arm's width, though its ends meet.
    @Test func whatLiesAllRoundThePictureIsNoArm() throws {
        let frame = try region { x, y in min(x, y, Self.width - 1 - x, Self.height - 1 - y) < 20 }
        #expect(frame.armWidth == .infinity)
    }

    /// A stretch that turns round two corners is as wide as its places are apart, not as its ends are.
    @Test func aStretchRoundCornersIsAsWideAsItReaches() {
        let (width, height) = (100, 20)
        let pixels = (0..<Int32(width * height)).filter {
            let (x, y) = (Int($0) % width, Int($0) / width)
            return x >= 70 && (y == 0 || y == height - 1 || x == width - 1)
        }
        let stretch = BorderStretch(of: pixels, width: width, height: height)
        #expect(stretch.pixels.count == 78)
        let reach = Vector2(29, 19).length + 1
        #expect(abs(stretch.width - reach) < 1e-9, "\(stretch.width) instead of \(reach)")
    }

    /// The guess is of the ground's colour with some spots; elsewhere lies a block of the spots' colour. The block shares no pixel
    /// with the guess: it is not the hand that was guessed.
    @Test func aHandIsNotExchangedForSomethingElsewhere() throws {
        func isGuess(_ x: Int, _ y: Int) -> Bool { (40..<100).contains(x) && (100..<160).contains(y) }
        var bytes: [UInt8] = []
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let isSpot = isGuess(x, y) && (x - 40) % 15 < 6 && (y - 100) % 15 < 6
                let isBlock = (220..<260).contains(x) && (60..<120).contains(y)
                bytes += isSpot || isBlock ? [196, 140, 112] : [120, 128, 135]
            }
        }
        let picture = ReducedPicture(
            ImageBuffer(size: ImageSize(width: Self.width, height: Self.height), format: .rgb8, bytes: bytes),
            maximumWidth: Self.width)
        let guess = try region(isGuess)
        let hand = PointingHand(guess, in: picture)
        #expect(hand.silhouette.commonCount(with: guess) > 0)
    }
}
