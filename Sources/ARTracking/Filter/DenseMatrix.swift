// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CSolve

/// A small matrix of any shape, by columns.
struct DenseMatrix: Sendable {
    let rows: Int
    let columns: Int
    var values: [Double]

    /// Zeros.
    init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
        values = [Double](repeating: 0, count: rows * columns)
    }

    subscript(row: Int, column: Int) -> Double {
        get { values[column * rows + row] }
        set { values[column * rows + row] = newValue }
    }

    /// The first rows of the first columns, as many of both.
    func leading(_ count: Int) -> DenseMatrix {
        var part = DenseMatrix(rows: count, columns: count)
        part.values = (0..<count).flatMap { column in values[(column * rows)..<(column * rows + count)] }
        return part
    }

    /// A Bᵀ.
    ///
    /// Law: `CovarianceTests.multipliesAndTransforms`.
    func timesTransposed(_ other: DenseMatrix) -> DenseMatrix {
        precondition(columns == other.columns, "A Bᵀ of matrices that do not fit")
        var product = DenseMatrix(rows: rows, columns: other.rows)
        let status = csolve_multiply_transposed(
            values, Int32(rows), other.values, Int32(other.rows), Int32(columns), &product.values)
        precondition(status == CSOLVE_OK, "no memory for a product of matrices")
        return product
    }

    /// J S Jᵀ, of a symmetric S.
    ///
    /// Law: `CovarianceTests.multipliesAndTransforms`.
    func transformed(by jacobian: DenseMatrix) -> DenseMatrix {
        jacobian.timesTransposed(self).timesTransposed(jacobian)
    }

    /// A 3×3 block.
    func block(_ row: Int, _ column: Int) -> Matrix3x3 {
        func part(_ c: Int) -> Vector3 {
            Vector3(self[row, column + c], self[row + 1, column + c], self[row + 2, column + c])
        }
        return Matrix3x3(columns: (part(0), part(1), part(2)))
    }

    /// Writes a 3×3 block.
    mutating func set(_ row: Int, _ column: Int, _ block: Matrix3x3) {
        for c in 0..<3 {
            for r in 0..<3 { self[row + r, column + c] = block[c][r] }
        }
    }

    /// Adds a 3×3 block to what is there.
    mutating func add(_ row: Int, _ column: Int, _ block: Matrix3x3) {
        for c in 0..<3 {
            for r in 0..<3 { self[row + r, column + c] += block[c][r] }
        }
    }
}
