// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A small square matrix of any order: normal equations and covariances.
struct SquareMatrix: Hashable, Sendable {
    let order: Int
    private var elements: [Double]

    /// Zeros.
    init(order: Int) {
        self.order = order
        elements = [Double](repeating: 0, count: order * order)
    }

    subscript(row: Int, column: Int) -> Double {
        get { elements[row * order + column] }
        set { elements[row * order + column] = newValue }
    }

    /// Adds w r rᵀ.
    mutating func add(_ row: [Double], weight: Double) {
        for i in 0..<order {
            let scaled = weight * row[i]
            for j in 0..<order { self[i, j] += scaled * row[j] }
        }
    }

    /// L with L Lᵀ = this symmetric matrix, zero above the diagonal. `nil` unless it is positive definite.
    var choleskyFactor: SquareMatrix? {
        var factor = SquareMatrix(order: order)
        for column in 0..<order {
            var pivot = self[column, column]
            for k in 0..<column { pivot -= factor[column, k] * factor[column, k] }
            guard pivot > 1e-14 * abs(self[column, column]), pivot.isFinite else { return nil }
            factor[column, column] = pivot.squareRoot()
            for row in column + 1..<max(order, column + 1) {
                var sum = self[row, column]
                for k in 0..<column { sum -= factor[row, k] * factor[column, k] }
                factor[row, column] = sum / factor[column, column]
            }
        }
        return factor
    }

    /// The solution of L Lᵀ x = b, this being L.
    func solveByFactor(_ right: [Double]) -> [Double] {
        var x = right
        for row in 0..<order {
            for k in 0..<row { x[row] -= self[row, k] * x[k] }
            x[row] /= self[row, row]
        }
        for row in stride(from: order - 1, through: 0, by: -1) {
            for k in row + 1..<max(order, row + 1) { x[row] -= self[k, row] * x[k] }
            x[row] /= self[row, row]
        }
        return x
    }

    /// The inverse of L Lᵀ, this being L.
    var inverseByFactor: SquareMatrix {
        var inverse = SquareMatrix(order: order)
        for column in 0..<order {
            var unit = [Double](repeating: 0, count: order)
            unit[column] = 1
            for (row, value) in solveByFactor(unit).enumerated() { inverse[row, column] = value }
        }
        // Rounding must not leave it asymmetric.
        for i in 0..<order {
            for j in 0..<i {
                let mean = (inverse[i, j] + inverse[j, i]) / 2
                inverse[i, j] = mean
                inverse[j, i] = mean
            }
        }
        return inverse
    }

    static func * (scale: Double, matrix: SquareMatrix) -> SquareMatrix {
        var scaled = matrix
        for place in scaled.elements.indices { scaled.elements[place] *= scale }
        return scaled
    }
}
