// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// The end of a finger in a picture.
///
/// A finger ends in a ball: its outline there is half a circle about ``center``, and ``tip`` is where that circle is
/// crossed by the finger's axis. What people mark as "the fingertip" lies near the centre of the ball, and so does the
/// point with which a finger seen from above touches a table.
public struct Fingertip: Hashable, Sendable {
    /// The end of the finger's outline, on its axis.
    public var tip: PixelPoint
    /// The direction in which the finger points, in the picture: of unit length, x right, y down.
    public var direction: Vector2
    /// Half the finger's width at its end, in pixels.
    public var radius: Double
    /// How uncertain ``tip`` is: its variances along x and y and their covariance, in square pixels.
    public var covariance: TipCovariance
    /// 0 … 1: how much of the outline lies on edges between the finger's colours and others.
    public var confidence: Double

    /// A fingertip with these values; the direction must be of unit length.
    public init(
        tip: PixelPoint, direction: Vector2, radius: Double, covariance: TipCovariance, confidence: Double
    ) {
        self.tip = tip
        self.direction = direction
        self.radius = radius
        self.covariance = covariance
        self.confidence = confidence
    }

    /// The centre of the ball in which the finger ends.
    public var center: PixelPoint { PixelPoint(tip.vector - radius * direction) }

    /// Where the finger points, as the angle from +x to +y.
    var angle: Double { atan2(direction.y, direction.x) }
}

/// The covariance of a point in a picture, in square pixels.
public struct TipCovariance: Hashable, Sendable {
    /// The variance along x.
    public var xx: Double
    /// The covariance of x and y.
    public var xy: Double
    /// The variance along y.
    public var yy: Double

    /// A covariance with these entries.
    public init(xx: Double, xy: Double, yy: Double) {
        self.xx = xx
        self.xy = xy
        self.yy = yy
    }

    /// The covariance with these variances along a direction of unit length and across it.
    public init(along variance: Double, of direction: Vector2, across other: Double) {
        let difference = variance - other
        self.init(
            xx: other + difference * direction.x * direction.x, xy: difference * direction.x * direction.y,
            yy: other + difference * direction.y * direction.y)
    }
}
