// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// The size of a rigid rectangle: the mean of what all stands say, each with the weight that it deserves.
///
/// Estimates from one stand err alike, however many they are: together they count as the best of them. Those from several
/// stands rest on the same planes and in part on the same views, so that all of them never count as more than
/// ``estimateLimit`` of the best.
struct SizeMemory: Sendable {
    /// What is believed, as sums of weights and of weights times the sides' logarithms.
    private struct Belief {
        var information = 0.0
        var width = 0.0
        var height = 0.0

        /// The same mean, as certain as that.
        func holding(_ information: Double) -> Belief {
            guard self.information > 0 else { return self }
            let factor = information / self.information
            return Belief(information: information, width: factor * width, height: factor * height)
        }

        static func + (a: Belief, b: Belief) -> Belief {
            Belief(information: a.information + b.information, width: a.width + b.width, height: a.height + b.height)
        }
    }

    /// What earlier stands said.
    private var settled = Belief()
    /// What is said from here, and the largest weight that an estimate had: here, and anywhere.
    private var current = Belief()
    private var largestHere = 0.0
    private var largest = 0.0
    private var stand: Stand?
    /// How many estimates in a row have spoken against all that is known.
    private var contradictionCount = 0

    /// Nothing is known to less than this part of it: what is measured in pictures has errors of its own that never change.
    private static let leastDeviation = 0.002
    /// As how many of the best estimate all of them count at most.
    private static let estimateLimit = 16.0

    /// Takes in what is believed at a moment. An estimate that is off by more than three deviations is left out; where a second
    /// one follows, all that was known is forgotten.
    ///
    /// - Parameters:
    ///   - deviation: that of the sides' logarithms.
    ///   - stand: from where it is seen.
    ///   - standDifference: estimates from stands less different than that err alike.
    mutating func remember(
        _ size: RectangleSize, deviation: Double, from stand: Stand, standDifference: Double
    ) {
        if contradicts(size, deviation: deviation) {
            contradictionCount += 1
            guard contradictionCount > 1 else { return }
            self = SizeMemory()
        }
        contradictionCount = 0
        let isElsewhere = self.stand.map { stand.difference(from: $0) >= standDifference } ?? true
        if isElsewhere {
            settled = all
            (current, largestHere) = (Belief(), 0)
            self.stand = stand
        }
        let weight = 1 / (deviation * deviation + Self.leastDeviation * Self.leastDeviation)
        current =
            current + Belief(information: weight, width: weight * log(size.width), height: weight * log(size.height))
        largestHere = max(largestHere, weight)
        largest = max(largest, weight)
    }

    private func contradicts(_ size: RectangleSize, deviation: Double) -> Bool {
        guard let known else { return false }
        let error = max(abs(log(size.width / known.size.width)), abs(log(size.height / known.size.height)))
        return error > 3 * hypot(deviation, known.deviation)
    }

    /// What is known, where the newest estimate does not speak against it.
    var trusted: (size: RectangleSize, deviation: Double)? { contradictionCount == 0 ? known : nil }

    private var all: Belief {
        let sum = settled + current.holding(largestHere)
        return sum.holding(min(sum.information, Self.estimateLimit * largest))
    }

    /// The sides change their names.
    mutating func turnByQuarter() {
        swap(&settled.width, &settled.height)
        swap(&current.width, &current.height)
    }

    /// The size, and the deviation of its logarithms; `nil` while nothing is known.
    var known: (size: RectangleSize, deviation: Double)? {
        let all = all
        guard all.information > 0 else { return nil }
        let size = RectangleSize(width: exp(all.width / all.information), height: exp(all.height / all.information))
        return (size, max(1 / all.information.squareRoot(), Self.leastDeviation))
    }
}
