// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

extension SeededRandom {
    /// Three independent numbers with mean zero and variance one.
    ///
    /// Two pairs by the formula of Box and Muller 1958, of which one number is given up: what is drawn then
    /// never depends on what was drawn before, and every call takes four numbers from the stream.
    mutating func normalTriple() -> Vector3 {
        let (x, y) = normalPair()
        return Vector3(x, y, normalPair().0)
    }

    private mutating func normalPair() -> (Double, Double) {
        // 1 − u lies in (0, 1], where the logarithm is finite.
        let radius = (-2 * log(1 - uniform(0..<1))).squareRoot()
        let angle = uniform(0..<2 * .pi)
        return (radius * cos(angle), radius * sin(angle))
    }
}
