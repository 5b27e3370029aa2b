// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The normal equations of a smoothing spline: which controls bring a uniform cubic B-spline near samples, and keep its
/// third derivative small?
///
/// Minimises Σ wₖ |p(uₖ) − zₖ|² + λ ∫ |p‴|² dt. Four controls act on a sample and on the third derivative between two
/// knots, so that the matrix has three diagonals beside its own and is solved in a time that grows with its length.
/// - Reference: Eilers, Marx 1996, "Flexible smoothing with B-splines and penalties"; Golub, Van Loan 2013, section
///   4.3.5, for the banded factorisation.
struct SplineSystem {
    private struct Sample {
        var segment: Int
        var basis: SIMD4<Double>
        var weight: Double
    }

    private let samples: [Sample]
    private let roughnessWeight: Double
    /// L and D of L D Lᵀ: row i holds D's element and then L's elements (i, i − 1), (i, i − 2), (i, i − 3).
    private let factor: [SIMD4<Double>]

    var controlCount: Int { factor.count }

    /// The equations of samples at parameters (in knots) with weights.
    /// - Parameters:
    ///   - intervalSeconds: the time from one knot to the next.
    ///   - smoothness: λ, in seconds to the power of six where the weights are in seconds.
    init(
        parameters: [Double], weights: [Double], segmentCount: Int, intervalSeconds: Double, smoothness: Double
    ) {
        samples = zip(parameters, weights).map { parameter, weight in
            let (segment, u) = UniformCubicBasis.segment(of: parameter, count: segmentCount)
            let b = UniformCubicBasis(u).value
            return Sample(segment: segment, basis: SIMD4(1 - b.0, b.0 - b.1, b.1 - b.2, b.2), weight: weight)
        }
        // The third derivative between two knots is the third difference of four controls over h³, for a time h.
        roughnessWeight =
            smoothness / (intervalSeconds * intervalSeconds * intervalSeconds * intervalSeconds * intervalSeconds)
        var rows = [SIMD4<Double>](repeating: .zero, count: segmentCount + 3)
        func add(_ stencil: SIMD4<Double>, at first: Int, weight: Double) {
            for row in 0..<4 {
                for column in 0...row { rows[first + row][row - column] += weight * stencil[row] * stencil[column] }
            }
        }
        for sample in samples { add(sample.basis, at: sample.segment, weight: sample.weight) }
        for segment in 0..<segmentCount { add(Self.thirdDifference, at: segment, weight: roughnessWeight) }
        factor = Self.factored(rows)
    }

    private static let thirdDifference = SIMD4<Double>(-1, 3, -3, 1)

    /// The change of the controls that best answers residuals of the samples and third differences of the controls.
    func solve(residuals: [Vector3], thirdDifferences: [Vector3]) -> [Vector3] {
        var right = [Vector3](repeating: .zero, count: controlCount)
        for (sample, residual) in zip(samples, residuals) {
            for index in 0..<4 { right[sample.segment + index] += sample.weight * sample.basis[index] * residual }
        }
        for (segment, difference) in thirdDifferences.enumerated() {
            for index in 0..<4 {
                right[segment + index] -= roughnessWeight * Self.thirdDifference[index] * difference
            }
        }
        for row in right.indices {
            for back in 1...3 where row >= back { right[row] -= factor[row][back] * right[row - back] }
        }
        for row in right.indices { right[row] /= factor[row][0] }
        for row in right.indices.reversed() {
            for back in 1...3 where row >= back { right[row - back] -= factor[row][back] * right[row] }
        }
        return right
    }

    /// The root of the weighted mean of the squared residuals.
    func rootMeanSquare(of residuals: [Vector3]) -> Double {
        let weight = samples.reduce(0) { $0 + $1.weight }
        let sum = zip(samples, residuals).reduce(0) { $0 + $1.0.weight * $1.1.squaredLength }
        return (sum / weight).squareRoot()
    }

    private static func factored(_ rows: [SIMD4<Double>]) -> [SIMD4<Double>] {
        var factor = rows
        for row in rows.indices {
            for column in max(0, row - 3)..<row {
                // L(row, column) D(column) = A(row, column) − Σ L(row, k) D(k) L(column, k).
                var value = factor[row][row - column]
                for k in max(0, row - 3)..<column {
                    value -= factor[row][row - k] * factor[k][0] * factor[column][column - k]
                }
                factor[row][row - column] = value / factor[column][0]
            }
            for k in max(0, row - 3)..<row {
                factor[row][0] -= factor[row][row - k] * factor[row][row - k] * factor[k][0]
            }
        }
        return factor
    }
}
