// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import Foundation

/// The size of a rigid rectangle: the mean of what all moments say, each with the weight that it deserves.
struct SizeMemory: Sendable {
    /// The sums of weights, and of weights times the sides' logarithms.
    private var information = 0.0
    private var sums = (width: 0.0, height: 0.0)
    private var newest: Timestamp?

    /// Nothing is known to less than this part of it: what is measured in pictures has errors of its own that never change.
    private static let leastDeviation = 0.002

    /// Takes in what is believed at a moment.
    ///
    /// - Parameters:
    ///   - deviation: that of the sides' logarithms.
    ///   - correlationSeconds: estimates closer together than this err alike, and share the weight of one.
    mutating func remember(
        _ size: RectangleSize, deviation: Double, at instant: Timestamp, correlationSeconds: Double
    ) {
        let elapsed = newest.map { instant.seconds(since: $0) } ?? 0
        newest = instant
        let share = min(max(elapsed / correlationSeconds, 0.02), 1)
        let weight = share / (deviation * deviation + Self.leastDeviation * Self.leastDeviation)
        information += weight
        sums.width += weight * log(size.width)
        sums.height += weight * log(size.height)
    }

    /// The sides change their names.
    mutating func turnByQuarter() { sums = (sums.height, sums.width) }

    /// The size, and the deviation of its logarithms; `nil` while nothing is known.
    var known: (size: RectangleSize, deviation: Double)? {
        guard information > 0 else { return nil }
        let size = RectangleSize(width: exp(sums.width / information), height: exp(sums.height / information))
        return (size, max(1 / information.squareRoot(), Self.leastDeviation))
    }
}
