// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// The matrix is cut into its two left columns and its two right columns. Laplace's expansion along that cut needs only
// the 2×2 minors of either half, six each, one for every pair of rows. The same step is done for both halves at once, in
// the two lanes of a vector: lane x belongs to the left half, lane y to the right half.
// Reference: Horn and Johnson 2013, "Matrix Analysis", section 0.8, on the Laplace expansion and the adjugate.

extension Matrix4x4 {
    /// One column of the left half and one of the right half, element by element.
    @usableFromInline struct ColumnPair {
        @usableFromInline let row0, row1, row2, row3: Vector2

        @inlinable @inline(__always) init(left: Vector4, right: Vector4) {
            row0 = Vector2(left.x, right.x)
            row1 = Vector2(left.y, right.y)
            row2 = Vector2(left.z, right.z)
            row3 = Vector2(left.w, right.w)
        }
    }

    /// The 2×2 minors of the left half and of the right half, for each pair of rows.
    @usableFromInline struct HalfMinors {
        @usableFromInline let rows01, rows02, rows03, rows12, rows13, rows23: Vector2

        /// The minors of the halves whose first and second columns are given.
        @inlinable @inline(__always) init(_ first: ColumnPair, _ second: ColumnPair) {
            rows01 = first.row0 * second.row1 - first.row1 * second.row0
            rows02 = first.row0 * second.row2 - first.row2 * second.row0
            rows03 = first.row0 * second.row3 - first.row3 * second.row0
            rows12 = first.row1 * second.row2 - first.row2 * second.row1
            rows13 = first.row1 * second.row3 - first.row3 * second.row1
            rows23 = first.row2 * second.row3 - first.row3 * second.row2
        }

        /// Every minor of the left half times the complementary minor of the right half, with the sign of the
        /// permutation of rows.
        @inlinable @inline(__always) var determinant: Double {
            let products =
                rows01 * Self.exchanged(rows23) - rows02 * Self.exchanged(rows13) + rows03 * Self.exchanged(rows12)
            return products.x + products.y
        }

        /// The expansions of a column of each half by the minors of the *other* half: up to the sign, the cofactors of
        /// that column's neighbour, by row.
        @inlinable @inline(__always) func cofactors(
            _ pair: ColumnPair
        ) -> (row0: Vector2, row1: Vector2, row2: Vector2, row3: Vector2) {
            let (m01, m02, m03) = (Self.exchanged(rows01), Self.exchanged(rows02), Self.exchanged(rows03))
            let (m12, m13, m23) = (Self.exchanged(rows12), Self.exchanged(rows13), Self.exchanged(rows23))
            return (
                pair.row1 * m23 - pair.row2 * m13 + pair.row3 * m12,
                pair.row2 * m03 - pair.row0 * m23 - pair.row3 * m02,
                pair.row0 * m13 - pair.row1 * m03 + pair.row3 * m01,
                pair.row1 * m02 - pair.row0 * m12 - pair.row2 * m01
            )
        }

        /// The right half's minor in the left lane and the other way round.
        @inlinable @inline(__always) static func exchanged(_ minors: Vector2) -> Vector2 { Vector2(minors.y, minors.x) }
    }

    /// The determinant.
    @inlinable @inline(__always) public var determinant: Double {
        HalfMinors(
            ColumnPair(left: columns.0, right: columns.2), ColumnPair(left: columns.1, right: columns.3)
        ).determinant
    }

    /// The inverse, or `nil` when the determinant is zero (or so close to it that one over it overflows) or not finite.
    ///
    /// The transposed matrix of cofactors over the determinant. Law: `Matrix4x4Tests.inverse`.
    @inlinable @inline(__always) public var inverse: Matrix4x4? {
        let first = ColumnPair(left: columns.0, right: columns.2)
        let second = ColumnPair(left: columns.1, right: columns.3)
        let minors = HalfMinors(first, second)
        let determinant = minors.determinant
        guard determinant.isNormal else { return nil }
        let ofFirst = minors.cofactors(second)
        let ofSecond = minors.cofactors(first)
        // Scaled last, so that the processor divides while it multiplies the rest. The sign is that of the cofactors.
        let scale = Vector2(1, -1) / determinant
        func column(_ ofFirst: Vector2, _ ofSecond: Vector2) -> Vector4 {
            let (even, odd) = (ofFirst * scale.x, ofSecond * scale.y)
            return Vector4(even.x, odd.x, even.y, odd.y)
        }
        return Matrix4x4(
            column(ofFirst.row0, ofSecond.row0), column(ofFirst.row1, ofSecond.row1),
            column(ofFirst.row2, ofSecond.row2), column(ofFirst.row3, ofSecond.row3))
    }
}
