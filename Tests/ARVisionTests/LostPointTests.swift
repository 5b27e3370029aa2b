// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Foundation
import TestSupport
import Testing

/// Points that are lost, and found again where somebody expects them.
@Suite struct LostPointTests {
    private static let size = ImageSize(width: 240, height: 180)
    private static let camera = Camera.pinhole(
        PinholeCamera(PinholeIntrinsics(fx: 200, fy: 200, cx: 119.5, cy: 89.5)))
    /// How far the camera has glided to the right over a flat world in each frame, in pixels: out and back.
    private static let ways: [Double] = (Array(0...20) + (0..<20).reversed()).map { 6 * Double($0) }

    /// The points of the first frame, and those that the last one shows: it is told where those should be that were lost.
    ///
    /// - turn: how the picture is turned on the way back, in radians about its middle.
    private static func run(
        wrongBy error: Vector2 = .zero, deviation: Double = 1, turn: Double = 0, areKept: Bool = true
    ) -> (first: [FeatureID: PixelPoint], last: FeatureFrame) {
        var random = TestRandom(case: 0, "lost points")
        let texture = WaveTexture(&random)
        let middle = Vector2(119.5, 89.5)
        func turned(_ place: Vector2, by angle: Double) -> Vector2 {
            let (x, y) = (place.x - middle.x, place.y - middle.y)
            return middle + Vector2(cos(angle) * x - sin(angle) * y, sin(angle) * x + cos(angle) * y)
        }
        var tracker = FeatureTracker(camera: camera, imageSize: size)
        var first: [FeatureID: PixelPoint] = [:]
        var last: FeatureFrame?
        for (number, way) in ways.enumerated() {
            let isLast = number == ways.count - 1
            let angle = isLast ? turn : 0
            let image = texture.picture(size) { turned($0, by: angle) + Vector2(way, 0) }
            var motion = PredictedMotion(opticalFromPreviousOptical: .identity)
            if isLast {
                let (c, s) = (cos(angle), sin(angle))
                motion.returns = first.sorted { $0.key < $1.key }.map { id, pixel in
                    ExpectedReturn(
                        id: id, pixel: PixelPoint(turned(pixel.vector, by: -angle) + error), deviationPixels: deviation,
                        acrossColumns: Vector2(c, -s), acrossRows: Vector2(s, c))
                }
            }
            let frame = tracker.track(image, motion: motion)
            if number == 0 {
                first = Dictionary(uniqueKeysWithValues: frame.observations.map { ($0.id, $0.pixel) })
                if areKept { tracker.lastingPoints = Set(first.keys) }
            }
            last = frame
        }
        return (first, last!)
    }

    /// A third of the points of the first picture are lost on the way and found again, nineteen in twenty of them where they were, to
    /// a fifth of a pixel, also where the picture is turned meanwhile; ids still grow, and nothing is followed twice.
    @Test(arguments: [0, 0.3, -0.5]) func lostPointsAreFoundAgain(turn: Double) {
        let (first, last) = Self.run(turn: turn)
        let again = last.observations.filter { first[$0.id] != nil }
        #expect(last.counts.returned > first.count / 3)
        #expect(last.observations.map(\.id) == last.observations.map(\.id).sorted())
        let (c, s) = (cos(turn), sin(turn))
        let isWhereItWas = again.map { point in
            let (x, y) = (first[point.id]!.x - 119.5, first[point.id]!.y - 89.5)
            let place = PixelPoint(119.5 + c * x + s * y, 89.5 - s * x + c * y)
            return point.pixel.distance(to: place) < 0.2
        }
        #expect(20 * isWhereItWas.count(where: { $0 }) >= 19 * again.count)
        for (index, point) in last.observations.enumerated() {
            for other in last.observations[..<index] { #expect(point.pixel.distance(to: other.pixel) > 2) }
        }
    }

    /// A point is found as far from where it is expected as the expectation allows for, and no farther.
    @Test func pointsAreLookedForWithinThreeDeviations() {
        #expect(Self.run(wrongBy: Vector2(4, -3), deviation: 2).last.counts.returned > 10)
        #expect(Self.run(wrongBy: Vector2(4, -3), deviation: 1).last.counts.returned == 0)
    }

    /// What nobody wants to find again is forgotten.
    @Test func pointsThatAreNotToLastDoNotReturn() {
        let (first, last) = Self.run(areKept: false)
        #expect(last.counts.returned == 0)
        #expect(last.observations.filter { first[$0.id] != nil && $0.pixel.x < 60 }.isEmpty)
    }

    /// Something covers half of the picture for a frame: nineteen in twenty of the points that it covers return where they were, to a
    /// fifth of a pixel.
    @Test func coveredPointsReturn() {
        var random = TestRandom(case: 1, "lost points")
        let (world, cover) = (WaveTexture(&random), WaveTexture(&random))
        let open = world.picture(Self.size)
        let other = cover.picture(Self.size)
        var covered = open
        for index in open.bytes.indices where index % Self.size.width < Self.size.width / 2 {
            covered.bytes[index] = other.bytes[index]
        }
        var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
        var motion = PredictedMotion(opticalFromPreviousOptical: .identity)
        let first = tracker.track(open, motion: motion).observations
        tracker.lastingPoints = Set(first.map(\.id))
        for _ in 0..<3 { _ = tracker.track(open, motion: motion) }
        let left = Set(tracker.track(covered, motion: motion).observations.map(\.id))
        let lost = first.filter { !left.contains($0.id) }
        #expect(lost.count > 50)
        motion.returns = lost.map {
            ExpectedReturn(
                id: $0.id, pixel: $0.pixel, deviationPixels: 1, acrossColumns: Vector2(1, 0), acrossRows: Vector2(0, 1))
        }
        let again = tracker.track(open, motion: motion).observations
        let returned = lost.filter { point in
            again.contains { $0.id == point.id && $0.pixel.distance(to: point.pixel) < 0.2 }
        }
        #expect(20 * returned.count >= 19 * lost.count)
    }
}
