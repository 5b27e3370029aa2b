// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

extension RectangleFit.Outcome {
    /// How the corners err, for cameras that are where they are believed to be.
    var errors: CornerErrors { shape.errors(covariance) }

    /// The larger deviation of the two sides' logarithms.
    var sizeDeviation: Double { max(covariance[6, 6], covariance[7, 7]).squareRoot() }

    /// The same once the size is known too: what the fit would give with that knowledge, to first order. `nil` where the
    /// covariance is none.
    ///
    /// Kalman's update with the sides' logarithms: K = C Hᵀ (H C Hᵀ + σ²)⁻¹, δ = K (known − found), C′ = C − K H C.
    /// Law: `RectangleFitTests.knowledgeCountsAfterwardsAsBefore`.
    func knowing(_ size: RectangleSize, deviation: Double) -> RectangleFit.Outcome? {
        let order = RectangleShape.dimension
        let (a, b, c) = (
            covariance[6, 6] + deviation * deviation, covariance[6, 7], covariance[7, 7] + deviation * deviation
        )
        let determinant = a * c - b * b
        guard determinant > 0 else { return nil }
        let gains = (0..<order).map { row in
            (
                (covariance[row, 6] * c - covariance[row, 7] * b) / determinant,
                (covariance[row, 7] * a - covariance[row, 6] * b) / determinant
            )
        }
        let (width, height) = (log(size.width / shape.size.width), log(size.height / shape.size.height))
        var outcome = self
        outcome.shape = shape.moved(by: gains.map { $0.0 * width + $0.1 * height })
        for row in 0..<order {
            for column in 0..<order {
                outcome.covariance[row, column] -=
                    gains[row].0 * covariance[6, column] + gains[row].1 * covariance[7, column]
            }
        }
        return outcome
    }
}
