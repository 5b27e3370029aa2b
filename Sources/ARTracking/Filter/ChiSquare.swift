// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The chi-square distribution: what squared Mahalanobis distances of honest measurements follow.
enum ChiSquare {
    /// The value that all but a share of 5 % stay below, within 0.5 %.
    static func quantile95(degreesOfFreedom: Int) -> Double { quantile(1.6448536269514722, degreesOfFreedom) }

    /// The value that four in five stay below, within 0.5 %.
    static func quantile80(degreesOfFreedom: Int) -> Double { quantile(0.8416212335729143, degreesOfFreedom) }

    /// From the normal distribution's quantile of the same share (Wilson & Hilferty 1931).
    private static func quantile(_ normal: Double, _ degreesOfFreedom: Int) -> Double {
        let spread = 2 / (9 * Double(degreesOfFreedom))
        let root = 1 - spread + normal * spread.squareRoot()
        return Double(degreesOfFreedom) * root * root * root
    }
}
