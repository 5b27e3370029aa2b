// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A symmetric 2×2 matrix: how points of a plane scatter.
struct SymmetricMatrix2 {
    var xx, xy, yy: Double

    static let zero = SymmetricMatrix2(xx: 0, xy: 0, yy: 0)

    init(xx: Double, xy: Double, yy: Double) {
        self.xx = xx
        self.xy = xy
        self.yy = yy
    }

    /// v · vᵀ.
    init(square v: Vector2) { self.init(xx: v.x * v.x, xy: v.x * v.y, yy: v.y * v.y) }

    static func + (a: SymmetricMatrix2, b: SymmetricMatrix2) -> SymmetricMatrix2 {
        SymmetricMatrix2(xx: a.xx + b.xx, xy: a.xy + b.xy, yy: a.yy + b.yy)
    }

    static func * (factor: Double, a: SymmetricMatrix2) -> SymmetricMatrix2 {
        SymmetricMatrix2(xx: factor * a.xx, xy: factor * a.xy, yy: factor * a.yy)
    }

    var largestEigenvalue: Double { (xx + yy) / 2 + radius }

    var smallestEigenvalue: Double { (xx + yy) / 2 - radius }

    /// The direction in which the matrix is smallest, up to its sign; `nil` when it is as large in all.
    ///
    /// (xx − yy, 2 xy) points at twice the angle of the largest direction.
    var axisOfSmallestEigenvalue: Vector2? {
        guard let doubled = Vector2(xx - yy, 2 * xy).normalized() else { return nil }
        // The half angle's cosine and sine, from the one of them that does not cancel.
        let largest =
            doubled.x >= 0
            ? Vector2(1 + doubled.x, doubled.y).normalized() : Vector2(doubled.y, 1 - doubled.x).normalized()
        return largest?.perpendicular
    }

    private var radius: Double { Vector2((xx - yy) / 2, xy).length }
}
