// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a list of errors amounts to, in the errors' unit: evo's seven figures.
public struct ErrorStatistics: Hashable, Sendable {
    /// How many errors there are.
    public var count: Int
    /// The square root of the mean square.
    public var rmse: Double
    /// The mean.
    public var mean: Double
    /// The middle one, or the mean of the two in the middle.
    public var median: Double
    /// The standard deviation: the root of the mean squared distance from the mean.
    public var standardDeviation: Double
    /// The smallest.
    public var minimum: Double
    /// The largest.
    public var maximum: Double
    /// The sum of the squares, in the unit squared.
    public var sumOfSquares: Double

    /// The figures of a list, or `nil` of an empty one.
    public init?(_ errors: [Double]) {
        guard !errors.isEmpty else { return nil }
        let sorted = errors.sorted()
        let count = Double(errors.count)
        let mean = errors.reduce(0, +) / count
        self.count = errors.count
        self.mean = mean
        sumOfSquares = errors.reduce(0) { $0 + $1 * $1 }
        rmse = (sumOfSquares / count).squareRoot()
        standardDeviation = (errors.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / count).squareRoot()
        median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        minimum = sorted[0]
        maximum = sorted[sorted.count - 1]
    }

    /// The figures in another unit, of which the old one holds that many.
    public func scaled(by factor: Double) -> ErrorStatistics {
        var scaled = self
        scaled.rmse *= factor
        scaled.mean *= factor
        scaled.median *= factor
        scaled.standardDeviation *= factor
        scaled.minimum *= factor
        scaled.maximum *= factor
        scaled.sumOfSquares *= factor * factor
        return scaled
    }

    /// The figures of angles in degrees, from those in radians.
    public var inDegrees: ErrorStatistics { scaled(by: 180 / .pi) }
}
