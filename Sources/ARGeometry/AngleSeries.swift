// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The functions of an angle θ in which every exponential map of rotations and motions, and every derivative of one,
/// can be written without a division by zero.
///
/// Eₙ(θ) = Σₖ (−1)ᵏ θ²ᵏ / (2k + n)!, the cosine's and sine's series with their first terms taken away:
/// E₀ = cos θ, E₁ = sin θ / θ, E₂ = (1 − cos θ) / θ², E₃ = (θ − sin θ) / θ³, and Eₙ = 1/n! − θ² Eₙ₊₂.
/// That last rule is used downwards for angles below one, where it only ever subtracts something smaller, and upwards
/// above. All are accurate to a few units in the last place for |θ| ≤ 2π. Law: `AngleSeriesTests.definition`.
struct AngleSeries {
    let e1: Double
    let e2: Double
    let e3: Double
    let e4: Double
    let e5: Double

    init(squaredAngle: Double) {
        if squaredAngle < 1 {
            e5 = Self.sum(squaredAngle, firstDenominator: 120, order: 5)
            e4 = Self.sum(squaredAngle, firstDenominator: 24, order: 4)
            e3 = 1.0 / 6 - squaredAngle * e5
            e2 = 1.0 / 2 - squaredAngle * e4
            e1 = 1 - squaredAngle * e3
        } else {
            let angle = squaredAngle.squareRoot()
            let sineOfHalf = sin(angle / 2)
            e1 = sin(angle) / angle
            e2 = 2 * sineOfHalf * sineOfHalf / squaredAngle
            e3 = (1 - e1) / squaredAngle
            e4 = (1.0 / 2 - e2) / squaredAngle
            e5 = (1.0 / 6 - e3) / squaredAngle
        }
    }

    /// The series by Horner's rule, for θ² < 1: eight terms, of which the last is below 1e-17.
    private static func sum(_ squaredAngle: Double, firstDenominator: Double, order: Double) -> Double {
        var nested = 1.0
        for k in stride(from: 7.0, through: 1, by: -1) {
            nested = 1 - nested * squaredAngle / ((2 * k + order - 1) * (2 * k + order))
        }
        return nested / firstDenominator
    }
}
