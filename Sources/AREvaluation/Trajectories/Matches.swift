// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// Which pose of an estimate belongs to which pose of the truth.
///
/// As evo does it, so that figures agree: each pose of the trajectory with fewer poses (the estimate, where both have as
/// many) takes the pose of the other that is nearest in time, the earlier of two that are as near; a pair that is further
/// apart than allowed is left out. A pose of the longer trajectory may be taken more than once.
///
/// Instants are compared as evo does it, too: in seconds, as doubles, which at today's epoch tell apart a quarter of a
/// microsecond. In published trajectories poses often lie exactly midway, and this rounding chooses.
public struct Matches: Hashable, Sendable {
    /// Places in the estimate and in the truth, pair by pair.
    public private(set) var pairs: [Pair] = []
    /// Poses of the estimate that belong to no pair.
    public private(set) var unmatchedInEstimate: Int
    /// Poses of the truth that belong to no pair.
    public private(set) var unmatchedInTruth: Int

    /// Two places that belong together.
    public struct Pair: Hashable, Sendable {
        /// The place in the estimate's poses.
        public var estimate: Int
        /// The place in the truth's poses.
        public var truth: Int
    }

    /// Matches poses by their instants.
    /// - Parameters:
    ///   - longest: the longest time between two that belong together, in nanoseconds.
    ///   - offset: what is added to the estimate's instants first, in nanoseconds.
    public init(_ estimate: Trajectory, _ truth: Trajectory, within longest: Int64, offset: Int64 = 0) {
        let (estimates, truths) = (estimate.poses, truth.poses)
        let estimateSeconds = estimates.map { $0.timestamp.seconds + Double(offset) / 1e9 }
        let truthSeconds = truths.map(\.timestamp.seconds)
        let longest = Double(longest) / 1e9
        if truths.count < estimates.count {
            for (index, seconds) in truthSeconds.enumerated() {
                if let nearest = estimateSeconds.nearest(to: seconds, within: longest) {
                    pairs.append(Pair(estimate: nearest, truth: index))
                }
            }
        } else {
            for (index, seconds) in estimateSeconds.enumerated() {
                if let nearest = truthSeconds.nearest(to: seconds, within: longest) {
                    pairs.append(Pair(estimate: index, truth: nearest))
                }
            }
        }
        // Nearest places do not decrease, so that equal ones are neighbours.
        func distinct(_ places: [Int]) -> Int {
            zip(places, places.dropFirst()).count { $0 != $1 } + min(places.count, 1)
        }
        unmatchedInEstimate = estimates.count - distinct(pairs.map(\.estimate))
        unmatchedInTruth = truths.count - distinct(pairs.map(\.truth))
    }
}

extension Timestamp {
    /// The double that is nearest to the instant in seconds.
    fileprivate var seconds: Double {
        let (whole, part) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Double(whole) + Double(part) / 1e9
    }
}

extension [Double] {
    /// The place of the first of the nearest values in an ordered list, or `nil` where none is near enough.
    fileprivate func nearest(to value: Double, within longest: Double) -> Int? {
        let after = firstPlace { $0 >= value }
        var nearest: Int?
        if after < count { nearest = after }
        if after > 0, after == count || value - self[after - 1] <= self[after] - value {
            let before = self[after - 1]
            nearest = firstPlace { $0 >= before }
        }
        return nearest.flatMap { Swift.abs(self[$0] - value) <= longest ? $0 : nil }
    }

    /// The first place whose value fulfils a condition that, once fulfilled, stays so; `count` where none does.
    fileprivate func firstPlace(where isBeyond: (Double) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
