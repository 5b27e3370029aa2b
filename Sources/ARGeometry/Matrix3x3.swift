// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A 3×3 matrix of doubles, stored by columns, acting on column vectors.
///
/// `matrix.columns.2.x` is row 0 of column 2; `matrix[column, row]` reads in the same order, as in Apple's `simd`.
public struct Matrix3x3: Hashable, Sendable {
    /// The columns, left to right.
    public var columns: (Vector3, Vector3, Vector3)

    /// The matrix with the given columns.
    @inlinable public init(columns: (Vector3, Vector3, Vector3)) { self.columns = columns }

    /// The matrix with the given columns.
    @inlinable public init(_ c0: Vector3, _ c1: Vector3, _ c2: Vector3) { columns = (c0, c1, c2) }

    /// The matrix with the given rows: the order in which formulas are printed.
    @inlinable public init(rows r0: Vector3, _ r1: Vector3, _ r2: Vector3) {
        columns = (Vector3(r0.x, r1.x, r2.x), Vector3(r0.y, r1.y, r2.y), Vector3(r0.z, r1.z, r2.z))
    }

    /// The matrix that is zero but for its diagonal.
    @inlinable public init(diagonal: Vector3) {
        columns = (Vector3(diagonal.x, 0, 0), Vector3(0, diagonal.y, 0), Vector3(0, 0, diagonal.z))
    }

    /// The identity.
    @inlinable public static var identity: Matrix3x3 { Matrix3x3(diagonal: Vector3(1, 1, 1)) }

    /// The matrix of zeros.
    @inlinable public static var zero: Matrix3x3 { Matrix3x3(diagonal: .zero) }

    /// [v]×, the matrix with `crossProduct(v) * w == v.cross(w)`.
    @inlinable public static func crossProduct(_ v: Vector3) -> Matrix3x3 {
        Matrix3x3(Vector3(0, v.z, -v.y), Vector3(-v.z, 0, v.x), Vector3(v.y, -v.x, 0))
    }

    /// a bᵀ.
    @inlinable public static func outerProduct(_ a: Vector3, _ b: Vector3) -> Matrix3x3 {
        Matrix3x3(a * b.x, a * b.y, a * b.z)
    }

    /// The column with that index, 0…2.
    @inlinable public subscript(column: Int) -> Vector3 {
        get {
            switch column {
            case 0: columns.0
            case 1: columns.1
            case 2: columns.2
            default: preconditionFailure("Matrix3x3 has columns 0…2, not \(column)")
            }
        }
        set {
            switch column {
            case 0: columns.0 = newValue
            case 1: columns.1 = newValue
            case 2: columns.2 = newValue
            default: preconditionFailure("Matrix3x3 has columns 0…2, not \(column)")
            }
        }
    }

    /// The element at that column and row, column first.
    @inlinable public subscript(column: Int, row: Int) -> Double {
        get { self[column][row] }
        set { self[column][row] = newValue }
    }

    /// Rows become columns.
    @inlinable @inline(__always) public var transpose: Matrix3x3 { Matrix3x3(rows: columns.0, columns.1, columns.2) }

    /// The determinant.
    @inlinable public var determinant: Double { columns.0.dot(columns.1.cross(columns.2)) }

    /// The sum of the diagonal.
    @inlinable public var trace: Double { columns.0.x + columns.1.y + columns.2.z }

    /// The inverse, or `nil` when the determinant is zero (or so close to it that one over it overflows) or not finite.
    ///
    /// Law: `Matrix3x3Tests.inverse`.
    @inlinable public var inverse: Matrix3x3? {
        let r0 = columns.1.cross(columns.2)
        let r1 = columns.2.cross(columns.0)
        let r2 = columns.0.cross(columns.1)
        let determinant = columns.0.dot(r0)
        guard determinant.isNormal else { return nil }
        let scale = 1 / determinant
        return Matrix3x3(rows: r0 * scale, r1 * scale, r2 * scale)
    }

    /// The largest magnitude among the elements.
    ///
    /// NaN when any element is: a comparison with it is then false.
    public var maximumMagnitude: Double {
        var maximum = 0.0
        for column in 0..<3 {
            for row in 0..<3 {
                let magnitude = abs(self[column, row])
                if magnitude.isNaN { return .nan }
                maximum = max(maximum, magnitude)
            }
        }
        return maximum
    }

    /// The largest magnitude among the elements of MᵀM − I: zero when the columns are at right angles and of length one.
    public var deviationFromOrthonormal: Double { (transpose * self - .identity).maximumMagnitude }

    @inlinable @inline(__always) public static func * (a: Matrix3x3, v: Vector3) -> Vector3 {
        a.columns.0 * v.x + a.columns.1 * v.y + a.columns.2 * v.z
    }

    @inlinable @inline(__always) public static func * (a: Matrix3x3, b: Matrix3x3) -> Matrix3x3 {
        Matrix3x3(a * b.columns.0, a * b.columns.1, a * b.columns.2)
    }

    @inlinable @inline(__always) public static func * (s: Double, a: Matrix3x3) -> Matrix3x3 {
        Matrix3x3(a.columns.0 * s, a.columns.1 * s, a.columns.2 * s)
    }

    @inlinable public static func + (a: Matrix3x3, b: Matrix3x3) -> Matrix3x3 {
        Matrix3x3(a.columns.0 + b.columns.0, a.columns.1 + b.columns.1, a.columns.2 + b.columns.2)
    }

    @inlinable public static func - (a: Matrix3x3, b: Matrix3x3) -> Matrix3x3 {
        Matrix3x3(a.columns.0 - b.columns.0, a.columns.1 - b.columns.1, a.columns.2 - b.columns.2)
    }

    @inlinable public static prefix func - (a: Matrix3x3) -> Matrix3x3 {
        Matrix3x3(-a.columns.0, -a.columns.1, -a.columns.2)
    }

    public static func == (a: Matrix3x3, b: Matrix3x3) -> Bool { a.columns == b.columns }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(columns.0)
        hasher.combine(columns.1)
        hasher.combine(columns.2)
    }
}

extension Matrix3x3: CustomStringConvertible {
    /// The rows, as printed in formulas.
    public var description: String {
        let rows = transpose
        return "[\(rows[0].x) \(rows[0].y) \(rows[0].z); \(rows[1].x) \(rows[1].y) \(rows[1].z); "
            + "\(rows[2].x) \(rows[2].y) \(rows[2].z)]"
    }
}
