// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CSolve

/// Whitened measurements that depend on a range of the state's variables: a Jacobian and, in the last column, residuals.
struct Measurements: Sendable {
    /// What they depend on.
    let variables: Range<Int>
    /// The room for rows.
    let stride: Int
    /// The rows in use.
    var rows = 0
    /// (variables.count + 1) columns of `stride` numbers.
    var values: [Double]

    /// No measurements, with room for so many.
    init(of variables: Range<Int>, capacity: Int) {
        self.variables = variables
        stride = capacity
        values = [Double](repeating: 0, count: (variables.count + 1) * capacity)
    }

    /// Where the residuals begin.
    var residualOffset: Int { variables.count * stride }

    /// Adds rows of zeros and says where they begin.
    mutating func appendRows(_ count: Int) -> Int {
        precondition(rows + count <= stride, "\(rows) + \(count) measurements do not fit in \(stride) rows")
        let first = rows
        for column in 0...variables.count {
            for row in first..<(first + count) { values[column * stride + row] = 0 }
        }
        rows += count
        return first
    }

    /// The derivative of a measurement by a variable of the state.
    subscript(row: Int, variable: Int) -> Double {
        get { values[(variable - variables.lowerBound) * stride + row] }
        set { values[(variable - variables.lowerBound) * stride + row] = newValue }
    }

    /// How far a measurement is from what was expected, in standard deviations.
    subscript(residual row: Int) -> Double {
        get { values[residualOffset + row] }
        set { values[residualOffset + row] = newValue }
    }

    /// Turns the rows so that those after the first `count` no longer depend on the first `count` variables, of which the first
    /// rows then hold a triangle.
    mutating func eliminateFirstColumns(_ count: Int) {
        let (rows, columns, stride) = (Int32(rows), Int32(variables.count + 1), Int32(stride))
        let status = values.withUnsafeMutableBufferPointer {
            csolve_eliminate_columns($0.baseAddress, rows, columns, stride, Int32(count))
        }
        precondition(status == CSOLVE_OK, "measurements: \(String(cString: csolve_status_message(status)))")
    }

    /// Makes rows independent, with unit variance, of which `write` gives the covariance: the lower triangle of rows × rows
    /// numbers, by columns. `false` where that is no covariance; the rows are then as they were.
    mutating func whiten(_ write: (UnsafeMutableBufferPointer<Double>) -> Void) -> Bool {
        let (rows, columns, stride) = (rows, Int32(variables.count + 1), Int32(stride))
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: rows * rows) { covariance in
            covariance.initialize(repeating: 0)
            write(covariance)
            let status = values.withUnsafeMutableBufferPointer {
                csolve_whiten_measurements($0.baseAddress, Int32(rows), columns, stride, covariance.baseAddress)
            }
            precondition(
                status == CSOLVE_OK || status == CSOLVE_FAILED,
                "measurements: \(String(cString: csolve_status_message(status)))")
            return status == CSOLVE_OK
        }
    }

    /// Makes all rows count less, or more.
    mutating func scale(by factor: Double) { scale(0..<rows, by: factor) }

    /// Makes some rows count less, or more, or not at all.
    mutating func scale(_ some: Range<Int>, by factor: Double) {
        precondition(some.upperBound <= rows, "\(some) of \(rows) measurements cannot be scaled")
        for column in 0...variables.count {
            for row in some { values[column * stride + row] *= factor }
        }
    }

    /// Takes over the rows of another set of measurements, which depends on no other variables than this one.
    mutating func append(_ other: Measurements) {
        let first = appendRows(other.rows)
        for variable in other.variables {
            for row in 0..<other.rows { self[first + row, variable] = other[row, variable] }
        }
        for row in 0..<other.rows { self[residual: first + row] = other[residual: row] }
    }

    /// Becomes the rows of a block from one row on, without the block's first variables where they are not its own.
    mutating func copy(_ block: Measurements, fromRow firstRow: Int) {
        rows = 0
        _ = appendRows(block.rows - firstRow)
        for variable in variables {
            for row in 0..<rows { self[row, variable] = block[firstRow + row, variable] }
        }
        for row in 0..<rows { self[residual: row] = block[residual: firstRow + row] }
    }
}
