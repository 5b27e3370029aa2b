// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Which four neighbours in a row a place between pixels is read from, and by what weights: Catmull and Rom's cubic, which keeps what is
/// linear (1974, "A class of local interpolating splines").
struct CubicTaps {
    /// Each neighbour and its weight; these add up to one.
    let pairs: [(index: Int, weight: Double)]

    init(at place: Double) {
        let left = place.rounded(.down)
        let (first, t) = (Int(left) - 1, place - left)
        pairs = [
            (first, ((-0.5 * t + 1) * t - 0.5) * t), (first + 1, (1.5 * t - 2.5) * t * t + 1),
            (first + 2, ((-1.5 * t + 2) * t + 0.5) * t), (first + 3, (0.5 * t - 0.5) * t * t),
        ]
    }
}
