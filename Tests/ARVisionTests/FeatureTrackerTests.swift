// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision
import Foundation
import TestSupport
import Testing

@Suite struct FeatureTrackerTests {
    private static let size = ImageSize(width: 240, height: 180)
    private static let camera = Camera.pinhole(
        PinholeCamera(PinholeIntrinsics(fx: 200, fy: 200, cx: 119.5, cy: 89.5)))

    /// A flat world that the camera glides over by 1.3 and 0.7 pixels a frame.
    private static func frames(_ count: Int, _ random: inout TestRandom) -> [ImageBuffer] {
        let texture = WaveTexture(&random)
        return (0..<count).map { frame in
            texture.picture(size) { $0 + Vector2(1.3, 0.7) * Double(frame) }
        }
    }

    @Test func pointsStayOnWhatTheyWereSeenOn() throws {
        var random = TestRandom()
        var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
        var births: [FeatureID: Vector2] = [:]
        var errors: [Double] = []
        for (number, image) in Self.frames(20, &random).enumerated() {
            let frame = tracker.track(image)
            #expect(frame.number == number)
            #expect(frame.observations.count > 50)
            let shift = Vector2(1.3, 0.7) * Double(number)
            for point in frame.observations {
                let place = point.pixel.vector + shift
                let birth = births[point.id, default: place]
                births[point.id] = birth
                errors.append((place - birth).length)
            }
        }
        // Grey levels are rounded, and light between pixels is interpolated.
        #expect(errors.max() ?? .infinity < 0.1)
        #expect((errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot() < 0.025)
    }

    @Test func idsGrowAndAreNeverUsedAgain() {
        var random = TestRandom()
        var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
        var seen: Set<FeatureID> = []
        var last: Set<FeatureID> = []
        for image in Self.frames(12, &random) {
            let frame = tracker.track(image)
            let ids = frame.observations.map(\.id)
            #expect(ids == ids.sorted())
            let new = Set(ids).subtracting(last)
            #expect(new.isDisjoint(with: seen))
            #expect(new.count == frame.counts.new)
            #expect(frame.counts.followed + frame.counts.new == ids.count)
            seen.formUnion(new)
            last = Set(ids)
        }
    }

    @Test func sameFramesGiveTheSamePoints() {
        var random = TestRandom()
        let frames = Self.frames(6, &random)
        func run() -> [[FeaturePoint]] {
            var tracker = FeatureTracker(camera: Self.camera, imageSize: Self.size)
            return frames.map { tracker.track($0).observations }
        }
        #expect(run() == run())
    }
}
