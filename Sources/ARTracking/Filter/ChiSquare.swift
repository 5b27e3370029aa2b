// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The chi-square distribution: what squared Mahalanobis distances of honest measurements follow.
enum ChiSquare {
    /// The value that all but a share of 5 % stay below, within 0.5 % (Wilson & Hilferty 1931).
    static func quantile95(degreesOfFreedom: Int) -> Double {
        let spread = 2 / (9 * Double(degreesOfFreedom))
        let root = 1 - spread + 1.6448536269514722 * spread.squareRoot()
        return Double(degreesOfFreedom) * root * root * root
    }
}
