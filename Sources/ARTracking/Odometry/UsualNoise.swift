// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// How large the errors of most points are, beside what is stated for them.
///
/// A point's stated deviation has room for what its picture does not show: patches that look different from elsewhere, lenses
/// that are a little otherwise than their model. Where most points are far better than that, one that is just within it is
/// wrong: a corner that two edges at different distances make, or one that slides along an edge. So points are tested by the
/// errors that most show, and weighed by those that are stated, because what they have in common is not seen in them. What all
/// points show is no fault of any: the share rises within a frame, and falls within some ten.
///
/// Law: `UsualNoiseTests`.
struct UsualNoise: Sendable {
    /// The share of the stated variance, at most 1.
    private(set) var share = 1.0
    /// Kept, so that no frame allocates it.
    private var sorted: [Double] = []

    /// Points are not tested more strictly than by this share: noise of 0.05 pixels where 0.2 are stated.
    static let leastShare = 0.05
    /// Fewer points do not tell what is usual.
    static let leastCount = 8
    /// How much of the share remains from one frame to the next, at least.
    private static let remains = 0.7
    /// The median of the chi-square distribution of two degrees of freedom, 2 ln 2.
    private static let usualSquare = 1.3862943611198906

    /// Learns from the squared distances of a frame's points, two degrees of freedom each, by the noise that was usual before.
    mutating func learn(from squaredDistances: some Sequence<Double>) {
        sorted.removeAll(keepingCapacity: true)
        sorted.append(contentsOf: squaredDistances)
        guard sorted.count >= Self.leastCount else {
            share = min(share / Self.remains, 1)
            return
        }
        sorted.sort()
        let median = sorted[sorted.count / 2]
        share = min(max(share * max(median / Self.usualSquare, Self.remains), Self.leastShare), 1)
    }
}
