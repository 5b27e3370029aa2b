// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Testing

@testable import ARTracking

/// How light is spread by the way of points.
@Suite struct PointBlurTests {
    private static let frame_ns: Int64 = 40_000_000
    private static let exposureSeconds = 0.02
    private static let variance = exposureSeconds * exposureSeconds / 12

    private static func point(_ id: UInt64, _ x: Double, _ y: Double) -> SeenPoint {
        SeenPoint(id: id, pixel: PixelPoint(x, y), deviationPixels: 0.1)
    }

    private static func blurs(_ frames: [(atFrame: Double, points: [SeenPoint])]) -> [PixelCovariance] {
        var blur = PointBlur()
        for (frame, points) in frames {
            let instant = Timestamp(nanoseconds: 1_000_000_000 + Int64(frame * Double(frame_ns)))
            blur.update(points, at: instant, exposureVariance: variance)
        }
        return blur.ofPoints
    }

    private static func isNear(_ a: PixelCovariance, _ b: PixelCovariance) -> Bool { (a - b).norm < 1e-9 }

    /// A point that goes by w from frame to frame, which is twice the exposure, goes by w/2 while it is exposed: evenly, so that the
    /// variance along it is a twelfth of its square. Of points that come and go each finds its own way.
    @Test func lightSpreadsAlongTheWay() {
        let blurs = Self.blurs([
            (0, [Self.point(1, 10, 10), Self.point(3, 50, 60), Self.point(4, 80, 80)]),
            (1, [Self.point(1, 10, 10), Self.point(4, 92, 64)]),
        ])
        #expect(blurs.count == 2)
        #expect(Self.isNear(blurs[0], .zero))
        #expect(Self.isNear(blurs[1], PixelCovariance(along: 100.0 / 12, of: Vector2(0.6, -0.8), across: 0)))
    }

    /// A point that was not seen before is blurred as the others are in the mean.
    @Test func newPointsGoAsTheOthers() {
        let blurs = Self.blurs([
            (0, [Self.point(1, 10, 10), Self.point(2, 50, 60)]),
            (1, [Self.point(1, 30, 10), Self.point(2, 50, 80), Self.point(7, 5, 5)]),
        ])
        let mean = 0.5 * (blurs[0] + blurs[1])
        #expect(blurs[0].xx > 8 && blurs[1].yy > 8)
        #expect(Self.isNear(blurs[2], mean))
    }

    /// The first frame says nothing of a way, and neither does one after a loss.
    @Test func nobodyKnowsTheWayAfterALoss() {
        #expect(Self.blurs([(0, [Self.point(1, 10, 10)])]) == [.zero])
        let ends = [Self.point(1, 10, 10)], moved = [Self.point(1, 40, 10)]
        #expect(Self.blurs([(0, ends), (20, moved)]) == [.zero])
        #expect(Self.blurs([(0, ends), (0, moved)]) == [.zero])
        #expect(Self.blurs([(0, ends), (4, moved)])[0].xx > 0)
    }
}
