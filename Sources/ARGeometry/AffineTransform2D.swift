// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// An affine map of the plane: x' = a x + c y + tx, y' = b x + d y + ty.
///
/// The six numbers have the names and the meaning of `CGAffineTransform`'s.
public struct AffineTransform2D: Hashable, Sendable {
    /// How much of x goes into x'.
    public var a: Double
    /// How much of x goes into y'.
    public var b: Double
    /// How much of y goes into x'.
    public var c: Double
    /// How much of y goes into y'.
    public var d: Double
    /// The displacement along x.
    public var tx: Double
    /// The displacement along y.
    public var ty: Double

    /// The map with these numbers.
    @inlinable public init(a: Double, b: Double, c: Double, d: Double, tx: Double, ty: Double) {
        self.a = a
        self.b = b
        self.c = c
        self.d = d
        self.tx = tx
        self.ty = ty
    }

    /// The map that changes nothing.
    @inlinable public static var identity: AffineTransform2D {
        AffineTransform2D(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0)
    }

    /// Stretches by `factors`, with `center` staying where it is.
    @inlinable public static func scaling(_ factors: Vector2, about center: Point2) -> AffineTransform2D {
        AffineTransform2D(
            a: factors.x, b: 0, c: 0, d: factors.y,
            tx: center.x * (1 - factors.x), ty: center.y * (1 - factors.y))
    }

    /// The image of a point.
    @inlinable public static func * (transform: AffineTransform2D, point: Point2) -> Point2 {
        Point2(
            transform.a * point.x + transform.c * point.y + transform.tx,
            transform.b * point.x + transform.d * point.y + transform.ty)
    }

    /// Composition: `cFromA = cFromB * bFromA`, which CoreGraphics writes `bFromA.concatenating(cFromB)`.
    ///
    /// Law: `AffineTransform2DTests.composition`.
    @inlinable public static func * (cFromB: AffineTransform2D, bFromA: AffineTransform2D) -> AffineTransform2D {
        let origin = cFromB * Point2(bFromA.tx, bFromA.ty)
        return AffineTransform2D(
            a: cFromB.a * bFromA.a + cFromB.c * bFromA.b, b: cFromB.b * bFromA.a + cFromB.d * bFromA.b,
            c: cFromB.a * bFromA.c + cFromB.c * bFromA.d, d: cFromB.b * bFromA.c + cFromB.d * bFromA.d,
            tx: origin.x, ty: origin.y)
    }

    /// The map that undoes this one, or `nil` when it flattens the plane (or almost: one over the determinant overflows).
    ///
    /// Law: `AffineTransform2DTests.inverse`.
    @inlinable public var inverse: AffineTransform2D? {
        let determinant = a * d - b * c
        guard determinant.isNormal else { return nil }
        return AffineTransform2D(
            a: d / determinant, b: -b / determinant, c: -c / determinant, d: a / determinant,
            tx: (c * ty - d * tx) / determinant, ty: (b * tx - a * ty) / determinant)
    }
}
