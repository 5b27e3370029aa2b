// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// The matrix is cut into its two left columns and its two right columns. Laplace's expansion along that cut needs only
// the 2×2 minors of either half, six each, one for every pair of rows. The same step of both halves is done at once, in
// the two lanes of a vector: `left` is lane x, `right` is lane y.
// Reference: Horn and Johnson 2013, "Matrix Analysis", section 0.8, on the Laplace expansion and the adjugate.

extension Matrix4x4 {
    /// For each pair of rows, the minor of the left two columns and the minor of the right two columns.
    @usableFromInline struct HalfMinors {
        @usableFromInline let rows01, rows02, rows03, rows12, rows13, rows23: Vector2

        @inlinable @inline(__always) init(_ matrix: Matrix4x4) {
            let (c0, c1, c2, c3) = matrix.columns
            let (a0, b0) = (Vector2(c0.x, c2.x), Vector2(c1.x, c3.x))
            let (a1, b1) = (Vector2(c0.y, c2.y), Vector2(c1.y, c3.y))
            let (a2, b2) = (Vector2(c0.z, c2.z), Vector2(c1.z, c3.z))
            let (a3, b3) = (Vector2(c0.w, c2.w), Vector2(c1.w, c3.w))
            rows01 = a0 * b1 - a1 * b0
            rows02 = a0 * b2 - a2 * b0
            rows03 = a0 * b3 - a3 * b0
            rows12 = a1 * b2 - a2 * b1
            rows13 = a1 * b3 - a3 * b1
            rows23 = a2 * b3 - a3 * b2
        }

        /// Every minor of the left half times the complementary minor of the right half, with the sign of the
        /// permutation of rows.
        @inlinable @inline(__always) var determinant: Double {
            let products =
                rows01 * Vector2(rows23.y, rows23.x) - rows02 * Vector2(rows13.y, rows13.x)
                + rows03 * Vector2(rows12.y, rows12.x)
            return products.x + products.y
        }
    }

    /// The determinant.
    @inlinable @inline(__always) public var determinant: Double { HalfMinors(self).determinant }

    /// The inverse, or `nil` when the determinant is zero or not finite.
    ///
    /// The adjugate over the determinant. Law: `Matrix4x4Tests.inverse`.
    @inlinable @inline(__always) public var inverse: Matrix4x4? {
        let minors = HalfMinors(self)
        let determinant = minors.determinant
        guard determinant != 0, determinant.isFinite else { return nil }
        let (c0, c1, c2, c3) = columns

        // The upper two rows of the inverse come from the left columns, exchanged, and the minors of the right half; the
        // lower two rows from the right columns and the minors of the left half.
        let (upper0, lower0) = (Vector2(c1.x, c0.x), Vector2(c3.x, c2.x))
        let (upper1, lower1) = (Vector2(c1.y, c0.y), Vector2(c3.y, c2.y))
        let (upper2, lower2) = (Vector2(c1.z, c0.z), Vector2(c3.z, c2.z))
        let (upper3, lower3) = (Vector2(c1.w, c0.w), Vector2(c3.w, c2.w))
        let scale = Vector2(1, -1) / determinant
        return Matrix4x4(
            Vector4(
                lowHalf: (upper1 * minors.rows23.y - upper2 * minors.rows13.y + upper3 * minors.rows12.y) * scale,
                highHalf: (lower1 * minors.rows23.x - lower2 * minors.rows13.x + lower3 * minors.rows12.x) * scale),
            Vector4(
                lowHalf: (upper2 * minors.rows03.y - upper0 * minors.rows23.y - upper3 * minors.rows02.y) * scale,
                highHalf: (lower2 * minors.rows03.x - lower0 * minors.rows23.x - lower3 * minors.rows02.x) * scale),
            Vector4(
                lowHalf: (upper0 * minors.rows13.y - upper1 * minors.rows03.y + upper3 * minors.rows01.y) * scale,
                highHalf: (lower0 * minors.rows13.x - lower1 * minors.rows03.x + lower3 * minors.rows01.x) * scale),
            Vector4(
                lowHalf: (upper1 * minors.rows02.y - upper0 * minors.rows12.y - upper2 * minors.rows01.y) * scale,
                highHalf: (lower1 * minors.rows02.x - lower0 * minors.rows12.x - lower2 * minors.rows01.x) * scale))
    }
}
