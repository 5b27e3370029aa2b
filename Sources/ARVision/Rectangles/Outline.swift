// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A quadrilateral's corners, ready to be compared with many others.
struct Outline {
    private let xs, ys: SIMD4<Double>
    private let middle: Vector2
    private let limit: Double

    /// - Parameter fraction: how close others are, as a share of the shorter side.
    init(_ quad: PixelQuad, fraction: Double) {
        xs = SIMD4(quad.topLeft.x, quad.topRight.x, quad.bottomRight.x, quad.bottomLeft.x)
        ys = SIMD4(quad.topLeft.y, quad.topRight.y, quad.bottomRight.y, quad.bottomLeft.y)
        middle = Vector2(xs.sum(), ys.sum()) / 4
        limit = fraction * min(quad.width, quad.height)
    }

    /// Whether all corners, whichever way they are named, are closer than both limits.
    func isNear(_ other: Outline) -> Bool {
        let limit = min(limit, other.limit)
        guard abs(middle.x - other.middle.x) < limit, abs(middle.y - other.middle.y) < limit else { return false }
        // Of a square that lies on a corner, two are the upper left one, or nearly.
        var (others, othersY) = (other.xs, other.ys)
        for _ in 0..<4 {
            let (dx, dy) = (xs - others, ys - othersY)
            if (dx * dx + dy * dy).max() < limit * limit { return true }
            (others, othersY) = (others.turned, othersY.turned)
        }
        return false
    }
}

extension SIMD4<Double> {
    fileprivate var turned: SIMD4<Double> { SIMD4(y, z, w, x) }
}
