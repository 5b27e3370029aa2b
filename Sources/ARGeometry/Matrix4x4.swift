// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A 4×4 matrix of doubles, stored by columns, acting on column vectors: as Apple's `simd_double4x4`.
///
/// The translation of a transform is `columns.3`; `matrix[column][row]` and `matrix[column, row]` read column first.
public struct Matrix4x4: Hashable, Sendable {
    /// The columns, left to right.
    public var columns: (Vector4, Vector4, Vector4, Vector4)

    /// The matrix with the given columns.
    @inlinable public init(columns: (Vector4, Vector4, Vector4, Vector4)) { self.columns = columns }

    /// The matrix with the given columns.
    @inlinable public init(_ c0: Vector4, _ c1: Vector4, _ c2: Vector4, _ c3: Vector4) { columns = (c0, c1, c2, c3) }

    /// The matrix with the given rows: the order in which formulas are printed.
    @inlinable public init(rows r0: Vector4, _ r1: Vector4, _ r2: Vector4, _ r3: Vector4) {
        self = Matrix4x4(r0, r1, r2, r3).transpose
    }

    /// The matrix that is zero but for its diagonal.
    @inlinable public init(diagonal: Vector4) {
        columns = (
            Vector4(diagonal.x, 0, 0, 0), Vector4(0, diagonal.y, 0, 0), Vector4(0, 0, diagonal.z, 0),
            Vector4(0, 0, 0, diagonal.w)
        )
    }

    /// The identity.
    @inlinable public static var identity: Matrix4x4 { Matrix4x4(diagonal: Vector4(1, 1, 1, 1)) }

    /// The matrix of zeros.
    @inlinable public static var zero: Matrix4x4 { Matrix4x4(diagonal: .zero) }

    /// The column with that index, 0…3.
    @inlinable public subscript(column: Int) -> Vector4 {
        get {
            switch column {
            case 0: columns.0
            case 1: columns.1
            case 2: columns.2
            case 3: columns.3
            default: preconditionFailure("Matrix4x4 has columns 0…3, not \(column)")
            }
        }
        set {
            switch column {
            case 0: columns.0 = newValue
            case 1: columns.1 = newValue
            case 2: columns.2 = newValue
            case 3: columns.3 = newValue
            default: preconditionFailure("Matrix4x4 has columns 0…3, not \(column)")
            }
        }
    }

    /// The element at that column and row, column first.
    @inlinable public subscript(column: Int, row: Int) -> Double {
        get { self[column][row] }
        set { self[column][row] = newValue }
    }

    /// Rows become columns.
    @inlinable @inline(__always) public var transpose: Matrix4x4 {
        let (a, b, c, d) = columns
        return Matrix4x4(
            Vector4(a.x, b.x, c.x, d.x), Vector4(a.y, b.y, c.y, d.y),
            Vector4(a.z, b.z, c.z, d.z), Vector4(a.w, b.w, c.w, d.w))
    }

    @inlinable public static func == (a: Matrix4x4, b: Matrix4x4) -> Bool { a.columns == b.columns }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(columns.0)
        hasher.combine(columns.1)
        hasher.combine(columns.2)
        hasher.combine(columns.3)
    }
}

extension Matrix4x4 {
    /// The combination of the columns with these weights.
    @inlinable @inline(__always) public static func * (a: Matrix4x4, v: Vector4) -> Vector4 {
        a.columns.0 * v.x + a.columns.1 * v.y + a.columns.2 * v.z + a.columns.3 * v.w
    }

    /// Applies `b`, then `a`: `aFromC = aFromB * bFromC`. Law: `Matrix4x4Tests.associativity`.
    @inlinable @inline(__always) public static func * (a: Matrix4x4, b: Matrix4x4) -> Matrix4x4 {
        Matrix4x4(a * b.columns.0, a * b.columns.1, a * b.columns.2, a * b.columns.3)
    }

    /// The image of a point under a projective map: the point (x, y, z, 1) transformed and divided by its last
    /// coordinate, or `nil` when that is zero (the image lies at infinity) or not a number.
    @inlinable public func project(_ point: Point3) -> Point3? {
        let image = self * Vector4(point, 1)
        guard image.w != 0, !image.w.isNaN else { return nil }
        return image.xyz / image.w
    }
}

extension Matrix4x4: CustomStringConvertible {
    /// The rows, as printed in formulas.
    public var description: String {
        let rows = transpose
        return "["
            + (0..<4).map { "\(rows[$0].x) \(rows[$0].y) \(rows[$0].z) \(rows[$0].w)" }.joined(separator: "; ") + "]"
    }
}
