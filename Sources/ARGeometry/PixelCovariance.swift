// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The covariance of a place in the picture, in pixels²: a symmetric matrix of 2×2.
public struct PixelCovariance: Hashable, Sendable {
    /// The variance along rows.
    public var xx: Double
    /// What errors along rows and along columns have in common.
    public var xy: Double
    /// The variance along columns.
    public var yy: Double

    /// The covariance of these entries.
    public init(xx: Double, xy: Double, yy: Double) {
        self.xx = xx
        self.xy = xy
        self.yy = yy
    }

    /// The covariance with these variances along a direction of unit length and across it, and no common errors of the two.
    ///
    /// Law: `PixelCovarianceTests`.
    public init(along variance: Double, of direction: Vector2, across other: Double) {
        let difference = variance - other
        self.init(
            xx: other + difference * direction.x * direction.x, xy: difference * direction.x * direction.y,
            yy: other + difference * direction.y * direction.y)
    }

    /// No uncertainty.
    public static let zero = PixelCovariance(xx: 0, xy: 0, yy: 0)

    /// The variance along both axes together.
    public var trace: Double { xx + yy }

    /// A multiple.
    public static func * (factor: Double, covariance: PixelCovariance) -> PixelCovariance {
        PixelCovariance(xx: factor * covariance.xx, xy: factor * covariance.xy, yy: factor * covariance.yy)
    }

    /// The covariance of two independent errors together.
    public static func + (a: PixelCovariance, b: PixelCovariance) -> PixelCovariance {
        PixelCovariance(xx: a.xx + b.xx, xy: a.xy + b.xy, yy: a.yy + b.yy)
    }

    /// How two differ, entry by entry: no covariance itself.
    public static func - (a: PixelCovariance, b: PixelCovariance) -> PixelCovariance {
        PixelCovariance(xx: a.xx - b.xx, xy: a.xy - b.xy, yy: a.yy - b.yy)
    }

    /// The root of the squares of all four entries (Frobenius).
    public var norm: Double { (xx * xx + 2 * xy * xy + yy * yy).squareRoot() }
}
