// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// The matrix is cut into its two left and its two right columns. Laplace's expansion along that cut needs only the
// 2×2 minors of either half, six each: the minor of rows i and j is named `ij`, of the left half `left`, of the right
// half `right`. (Horn and Johnson 2013, "Matrix Analysis", section 0.8.9, Laplace expansion by minors.)

extension Matrix4x4 {
    /// The 2×2 minors of two columns, for each pair of rows.
    @usableFromInline struct RowPairMinors {
        @usableFromInline let m01, m02, m03, m12, m13, m23: Double

        @inlinable init(_ a: Vector4, _ b: Vector4) {
            m01 = a.x * b.y - a.y * b.x
            m02 = a.x * b.z - a.z * b.x
            m03 = a.x * b.w - a.w * b.x
            m12 = a.y * b.z - a.z * b.y
            m13 = a.y * b.w - a.w * b.y
            m23 = a.z * b.w - a.w * b.z
        }

        /// The determinant of the matrix whose left half has these minors.
        @inlinable func determinant(withRightHalf right: RowPairMinors) -> Double {
            m01 * right.m23 - m02 * right.m13 + m03 * right.m12
                + m12 * right.m03 - m13 * right.m02 + m23 * right.m01
        }

        /// The row of the adjugate that belongs to a column of the other half: the cofactors of that column's
        /// *neighbour* `v` in its half are the expansion of v by these minors.
        @inlinable func cofactors(_ v: Vector4) -> Vector4 {
            Vector4(
                v.y * m23 - v.z * m13 + v.w * m12,
                v.z * m03 - v.x * m23 - v.w * m02,
                v.x * m13 - v.y * m03 + v.w * m01,
                v.y * m02 - v.x * m12 - v.z * m01)
        }
    }

    /// The determinant.
    @inlinable public var determinant: Double {
        RowPairMinors(columns.0, columns.1).determinant(withRightHalf: RowPairMinors(columns.2, columns.3))
    }

    /// The inverse, or `nil` when the determinant is zero or not finite.
    ///
    /// Law: `Matrix4x4Tests.inverse`.
    @inlinable public var inverse: Matrix4x4? {
        let left = RowPairMinors(columns.0, columns.1)
        let right = RowPairMinors(columns.2, columns.3)
        let determinant = left.determinant(withRightHalf: right)
        guard determinant != 0, determinant.isFinite else { return nil }
        let scale = 1 / determinant
        return Matrix4x4(
            rows: right.cofactors(columns.1) * scale, right.cofactors(columns.0) * -scale,
            left.cofactors(columns.3) * scale, left.cofactors(columns.2) * -scale)
    }
}
