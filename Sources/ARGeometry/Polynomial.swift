// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A polynomial in one variable, with its coefficients from the constant upwards.
struct Polynomial {
    var coefficients: [Double]

    /// The value at `x`, by Horner's rule.
    func callAsFunction(_ x: Double) -> Double { coefficients.reversed().reduce(0) { $0 * x + $1 } }

    var derivative: Polynomial {
        Polynomial(coefficients: coefficients.enumerated().dropFirst().map { Double($0.offset) * $0.element })
    }

    /// The places in the range where the value stops or starts to be positive, ascending; each is the last number
    /// before the change.
    ///
    /// Between two sign changes of the derivative the value is monotonic, so that bisection finds the one change.
    func signChanges(in range: ClosedRange<Double>) -> [Double] {
        guard coefficients.count > 1 else { return [] }
        let bounds = [range.lowerBound] + derivative.signChanges(in: range) + [range.upperBound]
        return zip(bounds, bounds.dropFirst()).compactMap { lower, upper in
            (self(lower) > 0) != (self(upper) > 0) ? bisect(lower, upper) : nil
        }
    }

    private func bisect(_ lower: Double, _ upper: Double) -> Double {
        var (lower, upper) = (lower, upper)
        let isPositiveBefore = self(lower) > 0
        while true {
            let middle = lower + (upper - lower) / 2
            guard middle > lower, middle < upper else { return lower }
            if (self(middle) > 0) == isPositiveBefore { lower = middle } else { upper = middle }
        }
    }
}
