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
    public var covariance: PixelCovariance
    /// 0 … 1: how much of the outline lies on edges between the finger's colours and others.
    public var confidence: Double

    /// A fingertip with these values; the direction must be of unit length.
    public init(
        tip: PixelPoint, direction: Vector2, radius: Double, covariance: PixelCovariance, confidence: Double
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
