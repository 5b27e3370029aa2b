// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A rotation of space, stored as a unit quaternion.
///
/// Hamilton's convention (ij = k), coefficients in the order x y z w, active: `rotation * vector` turns the vector. The
/// name of a value says what it maps: `worldFromCamera.rotation * directionInCamera` is a direction in the world.
/// `q` and `−q` are the same rotation; ``canonical`` picks the one with w ≥ 0.
public struct Rotation: Sendable {
    /// The unit quaternion's coefficients x, y, z, w.
    public let coefficients: Vector4

    /// Wraps coefficients that are known to have length one.
    @inlinable public init(unitCoefficients: Vector4) { coefficients = unitCoefficients }

    /// The rotation with the direction of the given quaternion, or `nil` when it has none (zero, infinite or NaN).
    public init?(x: Double, y: Double, z: Double, w: Double) {
        let scale = Swift.max(abs(x), abs(y), abs(z), abs(w))
        guard scale > 0, scale.isFinite else { return nil }
        let scaled = Vector4(x, y, z, w) / scale
        guard scaled.length.isFinite else { return nil }
        coefficients = scaled / scaled.length
    }

    /// The rotation that changes nothing.
    @inlinable public static var identity: Rotation { Rotation(unitCoefficients: Vector4(0, 0, 0, 1)) }

    /// The vector part.
    @inlinable public var imaginary: Vector3 { coefficients.xyz }

    /// The scalar part.
    @inlinable public var real: Double { coefficients.w }

    /// The same rotation with w ≥ 0 (and, when w is zero, with its first non-zero coefficient positive).
    public var canonical: Rotation {
        let q = coefficients
        let leading = q.w != 0 ? q.w : q.x != 0 ? q.x : q.y != 0 ? q.y : q.z
        return leading < 0 ? Rotation(unitCoefficients: -q) : self
    }

    /// The rotation that undoes this one.
    @inlinable public var inverse: Rotation {
        Rotation(unitCoefficients: Vector4(-coefficients.x, -coefficients.y, -coefficients.z, coefficients.w))
    }

    /// Applies `b`, then `a`: `aFromC = aFromB * bFromC`.
    @inlinable @inline(__always) public static func * (a: Rotation, b: Rotation) -> Rotation {
        let p = a.coefficients
        let (xy, zw) = (b.coefficients.lowHalf, b.coefficients.highHalf)
        // Hamilton's product, two coefficients at a time: p.x and p.z meet those of q crosswise.
        let yx = Vector2(xy.y, -xy.x)
        let wz = Vector2(zw.y, -zw.x)
        return Rotation(
            unitCoefficients: Vector4(
                lowHalf: (p.w * xy + p.y * zw) + (p.x * wz - p.z * yx),
                highHalf: (p.w * zw - p.y * xy) + (p.x * yx + p.z * wz)))
    }

    /// The turned vector: v + 2u × (u × v + w v), with u the quaternion's vector part.
    @inlinable @inline(__always) public static func * (rotation: Rotation, vector: Vector3) -> Vector3 {
        let u = rotation.coefficients.xyz
        let halfChange = u.cross(u.cross(vector) + rotation.coefficients.w * vector)
        return vector + (halfChange + halfChange)
    }

    /// The quaternion scaled back to length one: after long chains of products, whose rounding errors add up.
    @inlinable public var normalized: Rotation {
        Rotation(unitCoefficients: coefficients / coefficients.length)
    }
}

extension Rotation: Hashable {
    /// Equal when both are the same rotation: `q` and `−q` are equal.
    public static func == (a: Rotation, b: Rotation) -> Bool {
        a.canonical.coefficients == b.canonical.coefficients
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(canonical.coefficients) }
}

extension Rotation {
    /// The rotation by `angle` radians about `axis`, counter-clockwise seen against it; `nil` for an axis without
    /// direction, or an angle that is infinite or NaN. Law: `RotationDomainTests.anglesOfAnySize`.
    public init?(angle: Double, axis: Vector3) {
        guard let axis = axis.normalized(), angle.isFinite else { return nil }
        self.init(unitCoefficients: Vector4(axis * sin(angle / 2), cos(angle / 2)))
    }

    /// The rotation's matrix: its columns are the images of the axes.
    @inlinable public var matrix: Matrix3x3 {
        Matrix3x3(self * Vector3(1, 0, 0), self * Vector3(0, 1, 0), self * Vector3(0, 0, 1))
    }

    /// The rotation with the given matrix, or `nil` when the matrix is none.
    ///
    /// A rotation matrix is orthonormal with determinant +1; deviations up to `tolerance` in any element of RᵀR are
    /// accepted and rounded off.
    /// - Reference: Shepperd 1978, "Quaternion from rotation matrix": the largest of the four squared coefficients is
    ///   the divisor. Law: `RotationTests.matrixRoundTrip`.
    public init?(_ matrix: Matrix3x3, tolerance: Double = 1e-6) {
        guard matrix.deviationFromOrthonormal <= tolerance, matrix.determinant > 0 else { return nil }
        let (c0, c1, c2) = matrix.columns
        let squaredTimesFour = Vector4(
            1 + c0.x - c1.y - c2.z, 1 - c0.x + c1.y - c2.z, 1 - c0.x - c1.y + c2.z, 1 + c0.x + c1.y + c2.z)
        let q: Vector4
        switch squaredTimesFour.max() {
        case squaredTimesFour.w: q = Vector4(c1.z - c2.y, c2.x - c0.z, c0.y - c1.x, squaredTimesFour.w)
        case squaredTimesFour.x: q = Vector4(squaredTimesFour.x, c1.x + c0.y, c2.x + c0.z, c1.z - c2.y)
        case squaredTimesFour.y: q = Vector4(c1.x + c0.y, squaredTimesFour.y, c2.y + c1.z, c2.x - c0.z)
        default: q = Vector4(c2.x + c0.z, c2.y + c1.z, squaredTimesFour.z, c0.y - c1.x)
        }
        self = Rotation(unitCoefficients: q / q.length).canonical
    }

    /// The angle of the rotation, 0…π.
    public var angle: Double { 2 * atan2(imaginary.length, abs(real)) }

    /// The angle between two rotations, 0…π: the angle of `inverse * other`.
    public func angle(to other: Rotation) -> Double { (inverse * other).angle }
}

extension Rotation: CustomStringConvertible {
    /// x y z w, with w ≥ 0.
    public var description: String {
        let q = canonical.coefficients
        return "rotation xyzw [\(q.x), \(q.y), \(q.z), \(q.w)]"
    }
}
