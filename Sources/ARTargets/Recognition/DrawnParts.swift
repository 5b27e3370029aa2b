// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CFeatures

/// How clearly the parts of a flat print show what is printed there.
///
/// Prints that share all but a few figures or letters agree nearly wholly with each other's pictures. What tells them apart is not how
/// many parts agree, but that one shows clearly what the other hardly does.
///
/// Law: `PrintLightTests.otherDrawingsInTheMidstMismatch`.
struct DrawnParts: Hashable, Sendable {
    /// By rows of ``side``: the correlation of each structured part with the picture, in hundredths, and ``none`` elsewhere.
    private var likeness: [Int8] = []

    private static let none = Int8(CFEATURES_NO_PART)

    /// How many parts a row has, and how many rows there are, at most.
    static let side = Int(CFEATURES_FIELD_ROWS)

    /// The parts of no print.
    init() {}

    init(_ agreement: CFeaturesAgreement) {
        likeness = withUnsafeBytes(of: agreement.likeness) { $0.map { Int8(bitPattern: $0) } }
    }

    /// The parts that correlate as this says with what is printed there, by column and row; `nil` where there is none.
    init(_ correlation: (_ column: Int, _ row: Int) -> Double?) {
        likeness = (0..<Self.side * Self.side).map { place in
            correlation(place % Self.side, place / Self.side).map { Int8((100 * $0).rounded()) } ?? Self.none
        }
    }

    /// How many parts show what is printed here clearly, and what another print in the same place has there much less.
    func clearerCount(than other: DrawnParts) -> Int {
        var count = 0
        for (own, others) in zip(likeness, other.likeness) where others != Self.none && others < Self.unclear {
            let (unlike, othersUnlike) = (100 - Int(own), 100 - Int(others))
            if own >= Self.clear && othersUnlike >= Self.leastRatio * unlike { count += 1 }
        }
        return count
    }

    /// From which correlation on a part clearly shows what is printed, and below which it may show something else, in hundredths; and how
    /// much more must be unlike there. Figures of a year that take each other's place correlate by 0.65 to 0.79 in the size of a part,
    /// and by 0.9 and more with themselves.
    private static let (clear, unclear): (Int8, Int8) = (90, 80)
    private static let leastRatio = 3
}
