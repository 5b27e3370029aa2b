// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The distribution of the sum of that many squared standard normal variables.
public struct ChiSquared: Hashable, Sendable {
    /// The number of variables, greater than zero.
    public let degreesOfFreedom: Int

    /// The distribution for a number of variables.
    public init(degreesOfFreedom: Int) {
        precondition(degreesOfFreedom > 0, "chi squared has at least one degree of freedom, not \(degreesOfFreedom)")
        self.degreesOfFreedom = degreesOfFreedom
    }

    /// The probability of a value up to x: the regularized incomplete gamma function P(k/2, x/2).
    ///
    /// By its series below the mean, by its continued fraction above, each where it converges fast.
    /// - Reference: Abramowitz and Stegun 1964, eqs. 6.5.29 and 6.5.31. Law: `ChiSquaredTests`.
    public func probability(upTo x: Double) -> Double {
        guard x > 0 else { return 0 }
        let (a, z) = (Double(degreesOfFreedom) / 2, x / 2)
        let scale = exp(a * log(z) - z - lgamma(a))
        guard z >= a + 1 else { return scale * Self.series(a, z) }
        return 1 - scale * Self.continuedFraction(a, z)
    }

    /// The value that is not exceeded with a probability, strictly between zero and one.
    public func quantile(_ probability: Double) -> Double {
        precondition(probability > 0 && probability < 1, "a probability lies between 0 and 1, not at \(probability)")
        var (low, high) = (0.0, Double(degreesOfFreedom) + 10)
        while self.probability(upTo: high) < probability { high *= 2 }
        while case let middle = (low + high) / 2, middle > low, middle < high {
            if self.probability(upTo: middle) < probability { low = middle } else { high = middle }
        }
        return high
    }

    /// The bounds that hold the middle part of the distribution, for example 0.95 of it.
    public func bounds(holding part: Double) -> ClosedRange<Double> {
        quantile((1 - part) / 2)...quantile((1 + part) / 2)
    }

    /// Σ zⁿ / (a (a + 1) … (a + n)).
    private static func series(_ a: Double, _ z: Double) -> Double {
        var (term, sum, divisor) = (1 / a, 1 / a, a)
        while term > sum * 1e-17 {
            divisor += 1
            term *= z / divisor
            sum += term
        }
        return sum
    }

    /// 1/(z + 1 − a − 1(1 − a)/(z + 3 − a − 2(2 − a)/(z + 5 − a − …))), by Lentz's method.
    private static func continuedFraction(_ a: Double, _ z: Double) -> Double {
        var b = z + 1 - a
        var (c, d) = (1e300, 1 / b)
        var value = d
        for n in 1...10_000 {
            let numerator = -Double(n) * (Double(n) - a)
            b += 2
            d = 1 / (numerator * d + b)
            c = b + numerator / c
            value *= d * c
            if abs(d * c - 1) < 1e-16 { break }
        }
        return value
    }
}
