// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// How often something was seen of the times when it should have been: what tells a thing from edges that happened to close, and
/// what is there from what was taken away.
struct SightingRecord: Sendable {
    /// How many looks count: older ones are forgotten exponentially.
    private static let lookCount = 50.0
    /// After so many looks in a row that show it, misses before them weigh at most half as much as all that showed it.
    private static let lookCountOfReturn = 3

    private var seen = 0.0
    private var missed = 0.0
    private var seenInARow = 0

    /// The share of the looks that should have shown it that did, the last fifty or so, and one besides that did not: where little was
    /// seen, one miss weighs much. 1 as long as no look should have.
    var share: Double { seen + missed > 0 ? seen / (seen + missed + 1) : 1 }

    /// A picture was searched that should show it if it is there.
    mutating func count(isSeen: Bool) {
        seen += (isSeen ? 1 : 0) - seen / Self.lookCount
        missed += (isSeen ? 0 : 1) - missed / Self.lookCount
        seenInARow = isSeen ? seenInARow + 1 : 0
        if seenInARow >= Self.lookCountOfReturn { missed = min(missed, seen / 2) }
    }
}
