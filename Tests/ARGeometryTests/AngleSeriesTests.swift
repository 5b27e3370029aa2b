// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import ARGeometry

@Suite struct AngleSeriesTests {
    /// The series, summed until it no longer changes. It alternates: above θ = 3 its own largest term costs digits.
    private func definition(_ order: Int, _ angle: Double) -> Double {
        var term = 1.0
        for factor in stride(from: 1.0, through: Double(order), by: 1) { term /= factor }
        var sum = 0.0
        for k in 0..<40 {
            sum += term
            let next = Double(2 * k + order)
            term *= -angle * angle / ((next + 1) * (next + 2))
        }
        return sum
    }

    @Test(arguments: [0, 1e-160, 1e-9, 1e-3, 0.1, 0.5, 0.999_999, 1, 1.000_001, 1.5, 2, 3, 3.14])
    func definition(angle: Double) {
        let series = AngleSeries(squaredAngle: angle * angle)
        for (order, value) in [(1, series.e1), (2, series.e2), (3, series.e3), (4, series.e4), (5, series.e5)] {
            let expected = definition(order, angle)
            expectClose(value, expected, tolerance: 4e-15, scale: order == 1 ? 1 : expected, "E\(order)(\(angle))")
        }
    }
}
