// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// In which other ways a print fits its own place: turned by quarters, where that leaves its parts as they are.
struct PictureSymmetry: Sendable {
    /// The share of the parts that quarter turns leave as they are; none where the turned print has another shape.
    private let shares: [(turns: Int, share: Double)]

    init(_ turns: PictureTurns, size: ImageSize) {
        let (shorter, longer) = (min(size.width, size.height), max(size.width, size.height))
        let isSquare = Double(shorter) > 0.9 * Double(longer)
        shares = (isSquare ? [1, 2, 3] : [2]).map { ($0, turns.likeness(afterQuarterTurns: $0)) }
    }

    /// In how many ways the print fits, each counted by how surely it does: 1 … 4. Where less than 4 % of its parts tell them
    /// apart, noise may decide.
    var placeCount: Double { 1 + shares.reduce(0) { $0 + min(max(0, ($1.share - 0.96) / 0.04), 1) } }

    /// The smallest turn that leaves nearly all parts as they are, and how many.
    var smallestTurn: (turns: Int, share: Double)? { shares.first { $0.share >= 0.9 } }
}
