// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// How many questions of a kind a frame asks its pictures: as many as are allowed as long as an eighth of those asked lately, or more,
/// told something new; else fewer, in that measure. So what is new is looked at as it comes into view, and a world that is known costs
/// little, for however long it is looked at. Laws: `PictureEvidenceTests.whatIsKnownIsAskedLess`, `whatIsNoPlaneIsNotSweptForever`.
struct Attention: Sendable {
    /// The most and the fewest questions a frame.
    let most: Int
    let fewest: Int
    /// The share of the latest questions that told something new.
    private var novelty = 1.0

    /// Over how many questions that share is counted.
    private static let span = 64.0

    init(most: Int, fewest: Int) { (self.most, self.fewest) = (most, fewest) }

    /// How many questions are asked in a frame.
    var questions: Int { min(max(Int(8 * novelty * Double(most)), fewest), most) }

    /// Learns whether a question told something new.
    mutating func learn(isNews: Bool) { novelty += ((isNews ? 1 : 0) - novelty) / Self.span }
}
