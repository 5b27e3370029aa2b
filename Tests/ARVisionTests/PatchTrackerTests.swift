// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Foundation
import TestSupport
import Testing

/// Patches that move, turn, grow, hide and vanish, where the truth is known.
@Suite struct PatchTrackerTests {
    private static let start = Vector2(100, 90)

    private static func tracker(
        _ scene: PatchScene, _ level: PatchTracker.Level = .fast, at center: Vector2 = start
    ) throws -> PatchTracker {
        var configuration = PatchTracker.Configuration()
        configuration.level = level
        return try #require(
            PatchTracker(scene.picture(at: center), box: scene.box(at: center), configuration: configuration))
    }

    /// By less than a tenth of a pixel, over shifts that are no whole pixels.
    @Test(arguments: PatchTracker.Level.allCases, 0..<3)
    func shiftsAreFollowedToAFractionOfAPixel(level: PatchTracker.Level, number: Int) throws {
        var random = TestRandom(case: number)
        let scene = PatchScene(&random)
        var tracker = try Self.tracker(scene, level)
        var center = Self.start
        for _ in 0..<12 {
            center += Vector2(random.uniform(0...3), random.uniform(-2...2))
            let patch = tracker.track(scene.picture(at: center))
            #expect(!patch.isLost)
            #expect(patch.box.center.distance(to: PixelPoint(center)) < 0.1)
        }
    }

    /// Over more than the size of the patch, and back.
    @Test(arguments: 0..<3) func leapsAreFollowed(number: Int) throws {
        var random = TestRandom(case: number)
        let scene = PatchScene(&random)
        var tracker = try Self.tracker(scene)
        for place in [Vector2(160, 60), Vector2(60, 120), Vector2(205, 145), Vector2(40, 40)] {
            let patch = tracker.track(scene.picture(at: place))
            #expect(patch.box.center.distance(to: PixelPoint(place)) < 0.1)
        }
    }

    /// At 10° a picture.
    @Test(arguments: [-1.0, 1], 0..<2) func turnsAreFollowed(sign: Double, number: Int) throws {
        var random = TestRandom(case: number)
        let scene = PatchScene(&random)
        var tracker = try Self.tracker(scene)
        for step in 1...12 {
            let turn = sign * Double(step) * 10 * .pi / 180
            let patch = tracker.track(scene.picture(at: Self.start + Vector2(Double(step), 0), rotation: turn))
            #expect(abs(patch.box.rotation - turn) < 0.01)
        }
    }

    /// By 4 % a picture, to half and to one and a half of the size.
    @Test(arguments: [1.04, 1 / 1.04], 0..<2) func growthIsFollowed(rate: Double, number: Int) throws {
        var random = TestRandom(case: number)
        let scene = PatchScene(&random)
        var tracker = try Self.tracker(scene)
        for step in 1...(rate > 1 ? 10 : 16) {
            let scale = pow(rate, Double(step))
            let patch = tracker.track(scene.picture(at: Self.start, scale: scale))
            #expect(abs(patch.box.width / scene.side / scale - 1) < 0.02)
        }
    }

    /// Whatever hides the patch, more of it never makes the tracker surer, and all of it makes it lost.
    @Test(arguments: 0..<4) func confidenceFallsAsThePatchHides(number: Int) throws {
        var random = TestRandom(case: number)
        let scene = PatchScene(&random)
        var tracker = try Self.tracker(scene)
        for step in 1...3 { _ = tracker.track(scene.picture(at: Self.start + Vector2(Double(step), 0))) }
        let confidences = [0, 0.25, 0.5, 0.75, 1].map { hidden in
            var tracker = tracker
            return tracker.track(scene.picture(at: Self.start + Vector2(3, 0), hidden: hidden)).confidence
        }
        #expect(confidences[0] > 0.8)
        #expect(confidences[4] < 0.3)
        // What is left of a patch that is almost hidden may answer by accident.
        for (more, less) in zip(confidences, confidences.dropFirst()) { #expect(less <= more + 0.05) }
    }

    /// While the patch is gone it is lost, from the first picture on, wherever the search looks; when it comes back, it is
    /// found in place, turned though it be.
    @Test(arguments: PatchTracker.Level.allCases, 0..<3)
    func whatVanishesIsLostAndFoundAgain(level: PatchTracker.Level, number: Int) throws {
        var random = TestRandom(case: number)
        let scene = PatchScene(&random)
        var tracker = try Self.tracker(scene, level)
        func center(_ step: Int) -> Vector2 { Self.start + Vector2(3 * Double(step), 0) }
        for step in 1...5 { _ = tracker.track(scene.picture(at: center(step))) }
        for _ in 6...15 {
            let patch = tracker.track(scene.empty)
            #expect(patch.isLost && patch.confidence < 0.3 && patch.correlation == nil)
            // It stays where it was seen last.
            #expect(patch.box.center.distance(to: PixelPoint(center(5))) < 0.1)
        }
        for step in 16...18 {
            let patch = tracker.track(scene.picture(at: center(step), rotation: 0.1))
            if step > 16 {
                #expect(patch.box.center.distance(to: PixelPoint(center(step))) < 0.1)
                #expect(abs(patch.box.rotation - 0.1) < 0.01)
            }
        }
    }

    /// Noise of 5 grey levels and light that falls by a third move the box by less than half a pixel.
    @Test func lightAndNoiseAreBorne() throws {
        var random = TestRandom()
        let scene = PatchScene(&random)
        var tracker = try Self.tracker(scene)
        for step in 1...12 {
            let center = Self.start + Vector2(2.3, -0.7) * Double(step)
            var picture = scene.picture(at: center)
            let gain = 1 - Double(step) / 36
            for index in picture.bytes.indices { picture.bytes[index] = UInt8(Double(picture.bytes[index]) * gain) }
            let patch = tracker.track(picture.withNoise(5, &random))
            #expect(patch.box.center.distance(to: PixelPoint(center)) < 0.5)
        }
    }

    @Test func samePicturesGiveTheSameBoxes() throws {
        func run() throws -> [TrackedPatch] {
            var random = TestRandom()
            let scene = PatchScene(&random)
            var tracker = try Self.tracker(scene)
            return (1...6).map { step in
                let center = Self.start + random.vector2() * 20
                return tracker.track(step == 4 ? scene.empty : scene.picture(at: center, rotation: 0.02 * Double(step)))
            }
        }
        #expect(try run() == run())
    }

    /// A copy goes its own way.
    @Test func trackersAreValues() throws {
        var random = TestRandom()
        let scene = PatchScene(&random)
        var one = try Self.tracker(scene)
        let other = one
        _ = one.track(scene.picture(at: Self.start + Vector2(20, 0)))
        #expect(other.patch.box == scene.box(at: Self.start))
    }

    @Test func uselessBoxesAreRefused() {
        let picture = ImageBuffer(size: ImageSize(width: 100, height: 80), format: .gray8, filledWith: 90)
        for box in [
            PatchBox(center: PixelPoint(50, 40), width: 5, height: 20),
            PatchBox(center: PixelPoint(50, 40), width: 20, height: .nan),
            PatchBox(center: PixelPoint(50, 40), width: 101, height: 20),
            PatchBox(center: PixelPoint(100, 40), width: 20, height: 20),
        ] { #expect(PatchTracker(picture, box: box) == nil) }
    }

    /// Nothing can be followed where nothing is to be seen: the tracker says so, and does not fail.
    @Test func blankPicturesAreLost() throws {
        let picture = ImageBuffer(size: ImageSize(width: 100, height: 80), format: .gray8, filledWith: 90)
        let box = PatchBox(center: PixelPoint(50, 40), width: 20, height: 20)
        var tracker = try #require(PatchTracker(picture, box: box))
        #expect(tracker.track(picture).isLost)
    }
}
