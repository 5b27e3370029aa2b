// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Four corners in a picture, clockwise as one sees them: what a rectangle in the world becomes.
///
/// Corners may lie outside the picture. Which corner is called the upper left one is the maker's to say: a detector of
/// rectangles means the picture's directions (``upright``), a reader of codes the code's own.
public struct PixelQuad: Hashable, Sendable {
    /// The corner where the top begins.
    public var topLeft: PixelPoint
    /// The corner where the top ends.
    public var topRight: PixelPoint
    /// The corner opposite the first.
    public var bottomRight: PixelPoint
    /// The corner before the first.
    public var bottomLeft: PixelPoint

    /// The quadrilateral with these corners.
    @inlinable public init(
        topLeft: PixelPoint, topRight: PixelPoint, bottomRight: PixelPoint, bottomLeft: PixelPoint
    ) {
        self.topLeft = topLeft
        self.topRight = topRight
        self.bottomRight = bottomRight
        self.bottomLeft = bottomLeft
    }

    /// The quadrilateral with four corners in the order in which ``corners`` gives them.
    @inlinable public init(corners: [PixelPoint]) {
        precondition(corners.count == 4, "a quadrilateral has 4 corners, not \(corners.count)")
        self.init(topLeft: corners[0], topRight: corners[1], bottomRight: corners[2], bottomLeft: corners[3])
    }

    /// Upper left, upper right, lower right, lower left.
    @inlinable public var corners: [PixelPoint] { [topLeft, topRight, bottomRight, bottomLeft] }

    /// The same corners, counted from the `steps`-th.
    @inlinable public func turned(by steps: Int) -> PixelQuad {
        let corners = self.corners
        return PixelQuad(corners: (0..<4).map { corners[($0 + steps % 4 + 4) % 4] })
    }
}

// MARK: - Shape

extension PixelQuad {
    /// The enclosed area in square pixels, positive where the corners go clockwise in the picture.
    public var signedArea: Double {
        (bottomRight.vector - topLeft.vector).cross(bottomLeft.vector - topRight.vector) / 2
    }

    /// Whether each corner turns clockwise: the quadrilateral can be a rectangle's image, and is not seen from behind.
    public var isConvex: Bool {
        let (a, b, c, d) = (topLeft.vector, topRight.vector, bottomRight.vector, bottomLeft.vector)
        return (b - a).cross(c - b) > 0 && (c - b).cross(d - c) > 0 && (d - c).cross(a - d) > 0
            && (a - d).cross(b - a) > 0
    }

    /// Where the diagonals cross: the image of the rectangle's centre, whatever the perspective. `nil` where they do not.
    public var center: PixelPoint? {
        let (start, along) = (topLeft.vector, bottomRight.vector - topLeft.vector)
        let across = bottomLeft.vector - topRight.vector
        let denominator = along.cross(across)
        guard abs(denominator) > 1e-12 * (along.squaredLength + across.squaredLength) else { return nil }
        return PixelPoint(start + along * ((topRight.vector - start).cross(across) / denominator))
    }

    /// The mean length of the top and the bottom, in pixels.
    public var width: Double { (topLeft.distance(to: topRight) + bottomLeft.distance(to: bottomRight)) / 2 }

    /// The mean length of the left and the right side, in pixels.
    public var height: Double { (topLeft.distance(to: bottomLeft) + topRight.distance(to: bottomRight)) / 2 }

    /// Whether all four corners turn clockwise, in the picture, by angles that are at most so far from right ones.
    ///
    /// - Parameter tolerance: in radians, 0 … π / 2, the end excluded.
    ///
    /// Law: `PixelQuadTests.rightAnglesAreThoseNearANinetyDegreeTurn`.
    public func hasRightAngles(within tolerance: Double) -> Bool {
        let slope = tan(tolerance)
        func isRight(_ corner: PixelPoint, _ next: PixelPoint, _ last: PixelPoint) -> Bool {
            let (ahead, back) = (next.vector - corner.vector, last.vector - corner.vector)
            let turn = ahead.cross(back)
            return turn > 0 && abs(ahead.dot(back)) <= slope * turn
        }
        return isRight(topLeft, topRight, bottomLeft) && isRight(topRight, bottomRight, topLeft)
            && isRight(bottomRight, bottomLeft, topRight) && isRight(bottomLeft, topLeft, bottomRight)
    }

    /// Whether a place lies inside or on the edge; the corners must go clockwise and be convex.
    public func contains(_ point: PixelPoint) -> Bool {
        let corners = self.corners.map(\.vector)
        return (0..<4).allSatisfy { corner in
            let side = corners[(corner + 1) % 4] - corners[corner]
            return side.cross(point.vector - corners[corner]) >= 0
        }
    }

    /// The same quadrilateral, named as one sees it: the direction from the left side to the right side lies within 45°
    /// of the picture's x axis, −45° excluded. Wants corners that go clockwise.
    public var upright: PixelQuad {
        let across = (topRight.vector + bottomRight.vector) - (topLeft.vector + bottomLeft.vector)
        let down = (bottomLeft.vector + bottomRight.vector) - (topLeft.vector + topRight.vector)
        // The shares of x of the four sides' directions, were the quadrilateral turned by so many corners.
        let (acrossShare, downShare) = (across.x / max(across.length, 1e-300), down.x / max(down.length, 1e-300))
        var best = (share: acrossShare, y: across.y, upright: self)
        func consider(_ share: Double, _ y: Double, _ quad: PixelQuad) {
            if share > best.share || (share == best.share && y > best.y) { best = (share, y, quad) }
        }
        consider(
            downShare, down.y,
            PixelQuad(topLeft: topRight, topRight: bottomRight, bottomRight: bottomLeft, bottomLeft: topLeft))
        consider(
            -acrossShare, -across.y,
            PixelQuad(topLeft: bottomRight, topRight: bottomLeft, bottomRight: topLeft, bottomLeft: topRight))
        consider(
            -downShare, -down.y,
            PixelQuad(topLeft: bottomLeft, topRight: topLeft, bottomRight: topRight, bottomLeft: bottomRight))
        return best.upright
    }
}

// MARK: - Perspective

extension PixelQuad {
    /// The homography from the unit square, (0, 0) the upper left and (1, 1) the lower right corner, onto the
    /// quadrilateral (Heckbert 1989, "Fundamentals of texture mapping and image warping", 2.2.3). `nil` where three
    /// corners lie on a line.
    public var pixelFromUnitSquare: Matrix3x3? {
        let (p0, p1, p2, p3) = (topLeft.vector, topRight.vector, bottomRight.vector, bottomLeft.vector)
        let (u, v, w) = (p1 - p2, p3 - p2, p0 - p1 + p2 - p3)
        let denominator = u.cross(v)
        guard abs(denominator) > 1e-12 * (u.squaredLength + v.squaredLength) else { return nil }
        let g = w.cross(v) / denominator
        let h = u.cross(w) / denominator
        let (a, b) = (p1 - p0 + p1 * g, p3 - p0 + p3 * h)
        return Matrix3x3(Vector3(a.x, a.y, g), Vector3(b.x, b.y, h), Vector3(p0.x, p0.y, 1))
    }

    /// The image of a place of the unit square, (0, 0) the upper left corner, (1, 1) the lower right one. `nil` on the
    /// horizon, beyond it, and where three corners lie on a line.
    public func point(_ x: Double, _ y: Double) -> PixelPoint? {
        pixelFromUnitSquare?.image(of: Vector2(x, y)).map { PixelPoint($0) }
    }
}
