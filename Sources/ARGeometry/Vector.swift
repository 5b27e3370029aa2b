// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A displacement or a direction in the plane.
public typealias Vector2 = SIMD2<Double>

/// A position in the plane. The same storage as ``Vector2``; the name says how a transform treats it.
public typealias Point2 = SIMD2<Double>

/// A displacement or a direction in space: rotated, never translated.
public typealias Vector3 = SIMD3<Double>

/// A position in space, in metres: rotated and translated.
public typealias Point3 = SIMD3<Double>

/// A homogeneous vector, or a quaternion's coefficients.
public typealias Vector4 = SIMD4<Double>

extension SIMD2 where Scalar == Double {
    /// The inner product.
    @inlinable @inline(__always) public func dot(_ other: Self) -> Double { x * other.x + y * other.y }

    /// The z component of the cross product of the two vectors in space: positive when `other` lies counter-clockwise.
    @inlinable @inline(__always) public func cross(_ other: Self) -> Double { x * other.y - y * other.x }

    /// The squared Euclidean norm.
    @inlinable public var squaredLength: Double { dot(self) }

    /// The Euclidean norm.
    @inlinable public var length: Double { squaredLength.squareRoot() }

    /// The vector turned by +90°, counter-clockwise where y is up.
    @inlinable public var perpendicular: Self { Self(-y, x) }

    /// The vector of length one in the same direction, or `nil` for a vector that has none (zero, infinite or NaN).
    @inlinable public func normalized() -> Self? {
        let scale = Swift.max(abs(x), abs(y))
        guard scale > 0, scale.isFinite else { return nil }
        let scaled = self / scale
        // A NaN beside a number can hide from `max`, but not from the length.
        let length = scaled.length
        return length > 0 ? scaled / length : nil
    }
}

extension SIMD3 where Scalar == Double {
    /// The inner product.
    @inlinable @inline(__always) public func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

    /// The cross product, right-handed.
    @inlinable @inline(__always) public func cross(_ other: Self) -> Self {
        let xy = Vector2(y, z) * Vector2(other.z, other.x) - Vector2(z, x) * Vector2(other.y, other.z)
        return Self(xy, x * other.y - y * other.x)
    }

    /// The squared Euclidean norm.
    @inlinable public var squaredLength: Double { dot(self) }

    /// The Euclidean norm.
    @inlinable public var length: Double { squaredLength.squareRoot() }

    /// The vector of length one in the same direction, or `nil` for a vector that has none (zero, infinite or NaN).
    ///
    /// The components are scaled first, so that neither tiny nor huge vectors under- or overflow.
    @inlinable public func normalized() -> Self? {
        let scale = Swift.max(abs(x), abs(y), abs(z))
        guard scale > 0, scale.isFinite else { return nil }
        let scaled = self / scale
        // A NaN beside a number can hide from `max`, but not from the length.
        let length = scaled.length
        return length > 0 ? scaled / length : nil
    }

    /// Some unit vector at a right angle to this one, or `nil` for a vector without direction.
    public func anyPerpendicular() -> Self? {
        let leastAligned: Self =
            abs(x) <= abs(y) && abs(x) <= abs(z)
            ? Self(1, 0, 0) : abs(y) <= abs(z) ? Self(0, 1, 0) : Self(0, 0, 1)
        return cross(leastAligned).normalized()
    }

    /// True when no component is infinite or NaN.
    @inlinable public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
}

extension SIMD4 where Scalar == Double {
    /// The inner product.
    @inlinable @inline(__always) public func dot(_ other: Self) -> Double { (self * other).sum() }

    /// The Euclidean norm.
    @inlinable public var length: Double { dot(self).squareRoot() }

    /// The first three components.
    @inlinable public var xyz: Vector3 { Vector3(x, y, z) }
}
