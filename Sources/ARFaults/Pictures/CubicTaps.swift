// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Which four neighbours in a row a place between pixels is read from, and by what weights: Catmull and Rom's cubic, which keeps what is
/// linear (1974, "A class of local interpolating splines").
struct CubicTaps {
    /// The first neighbour; the others follow.
    let first: Int
    /// They add up to one.
    let weights: (Double, Double, Double, Double)

    init(at place: Double) {
        let left = place.rounded(.down)
        let t = place - left
        first = Int(left) - 1
        weights = (
            ((-0.5 * t + 1) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1, ((-1.5 * t + 2) * t + 0.5) * t,
            (0.5 * t - 0.5) * t * t
        )
    }

    /// Each neighbour and its weight.
    var pairs: [(index: Int, weight: Double)] {
        [(first, weights.0), (first + 1, weights.1), (first + 2, weights.2), (first + 3, weights.3)]
    }
}
