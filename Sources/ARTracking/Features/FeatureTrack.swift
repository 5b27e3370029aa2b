// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A point that is followed through the pictures, as the clones of the window saw it.
struct FeatureTrack: Sendable {
    /// The point's identity in the pictures.
    let id: UInt64
    /// What was seen, oldest first.
    var observations: [Observation]
    /// Whether the newest picture no longer shows it.
    var isLost = false

    /// A sight of the point.
    struct Observation: Sendable {
        /// The slot of the clone that saw it.
        var clone: Int
        /// Where.
        var pixel: PixelPoint
        /// The standard deviation of that place, in pixels, along each axis.
        var deviationPixels: Double
    }

    /// How much its sights tell: the sum of their inverse variances, in 1/px².
    var information: Double {
        observations.reduce(0) { $0 + 1 / ($1.deviationPixels * $1.deviationPixels) }
    }
}

extension [FeatureTrack] {
    /// The indices of those that fulfil a condition, by how much their sights tell, most first; of equals, the older first.
    func bestIndices(where isWanted: (FeatureTrack) -> Bool) -> [Int] {
        indices.filter { isWanted(self[$0]) }
            .map { (index: $0, information: self[$0].information) }
            .sorted { ($0.information, self[$1.index].id) > ($1.information, self[$0.index].id) }
            .map(\.index)
    }
}
