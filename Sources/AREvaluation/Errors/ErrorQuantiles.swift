// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How large errors are: the middle one, and the one that 95 % do not exceed. Signs do not count.
public struct ErrorQuantiles: Hashable, Sendable {
    /// How many errors there are.
    public var count: Int
    /// The middle one, or the mean of the two in the middle.
    public var median: Double
    /// The smallest error that at least 95 % of them do not exceed.
    public var p95: Double
    /// The largest.
    public var maximum: Double

    /// The figures of a list, or `nil` of an empty one.
    public init?(_ errors: [Double]) {
        guard !errors.isEmpty else { return nil }
        let sorted = errors.map { abs($0) }.sorted()
        count = sorted.count
        median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
        p95 = sorted[(sorted.count * 95 + 99) / 100 - 1]
        maximum = sorted[sorted.count - 1]
    }

    /// The figures in another unit, of which the old one holds that many.
    public func scaled(by factor: Double) -> ErrorQuantiles {
        var scaled = self
        scaled.median *= factor
        scaled.p95 *= factor
        scaled.maximum *= factor
        return scaled
    }

    /// The figures of angles in degrees, from those in radians.
    public var inDegrees: ErrorQuantiles { scaled(by: 180 / .pi) }
    /// The figures of lengths in millimetres, from those in metres.
    public var inMillimetres: ErrorQuantiles { scaled(by: 1000) }
}
