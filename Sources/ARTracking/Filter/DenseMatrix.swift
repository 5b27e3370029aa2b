// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

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
