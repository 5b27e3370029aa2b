// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The light on a print as von Kries has it: each of red, green and blue is multiplied, and haze adds to it.
enum PrintLight {
    /// The variance of the logarithms of a light's gains at which it explains nothing: lights are more or less white, so that
    /// a tint of black and white does not make a print in two colours of it.
    static let mostTint = 0.3

    /// How much of a picture's colours one light explains, 0…1: one less twice the root of the share of their variance that is
    /// left, and less for a light that is the more coloured. The tenth of the cells that disturb most, a glare or a finger,
    /// does not count.
    ///
    /// Law: `TargetColorTests.lightExplainsColors`.
    static func explained(_ own: [CellColor], as seen: [CellColor]) -> Double {
        let channels: [KeyPath<CellColor, Double>] = [\.red, \.green, \.blue]
        let fits = channels.map { channel in
            LineFit(of: seen.map { $0[keyPath: channel] }, over: own.map { $0[keyPath: channel] })
        }
        guard let tint = tint(of: fits.compactMap(\.slope)) else { return 0 }
        var squares = [Double](repeating: 0, count: seen.count)
        var variances = squares
        for (channel, fit) in zip(channels, fits) {
            for index in seen.indices {
                let off = seen[index][keyPath: channel] - fit.seenMean
                let rest = off - (fit.slope ?? 0) * (own[index][keyPath: channel] - fit.ownMean)
                squares[index] += rest * rest
                variances[index] += off * off
            }
        }
        let kept = squares.indices.sorted { squares[$0] < squares[$1] }.prefix(squares.count * 9 / 10)
        let variance = kept.reduce(0) { $0 + variances[$1] }
        guard variance > 0 else { return 0 }
        let rest = kept.reduce(0) { $0 + squares[$1] } / variance
        return max(0, 1 - 2 * rest.squareRoot() - tint / mostTint)
    }

    /// How coloured a light is in which white looks so: the variance of the logarithms of its gains.
    ///
    /// Law: `TargetColorTests.whiteInAnInkHasATint`.
    static func tint(ofWhite seen: some Collection<CellColor>) -> Double {
        // Black is a level, so that it has a logarithm.
        let channels: [KeyPath<CellColor, Double>] = [\.red, \.green, \.blue]
        return tint(
            of: channels.map { channel in max(1, seen.reduce(0) { $0 + $1[keyPath: channel] } / Double(seen.count)) })
            ?? 0
    }

    /// The variance of the logarithms of gains. `nil` where there are none, or some change light and dark and others do not.
    private static func tint(of gains: [Double]) -> Double? {
        guard let first = gains.first, gains.allSatisfy({ $0 * first > 0 }) else { return nil }
        let logarithms = gains.map { log(abs($0)) }
        let mean = logarithms.reduce(0, +) / Double(gains.count)
        return logarithms.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gains.count)
    }
}

/// A straight line through one channel of the cells, by least squares.
private struct LineFit {
    /// `nil` where the print has the same of a colour everywhere: the light's share of it is not known.
    let slope: Double?
    let ownMean: Double
    let seenMean: Double

    init(of seen: [Double], over own: [Double]) {
        let count = Double(own.count)
        let (ownMean, seenMean) = (own.reduce(0, +) / count, seen.reduce(0, +) / count)
        let both = zip(own, seen).reduce(0) { $0 + ($1.0 - ownMean) * ($1.1 - seenMean) }
        let squares = own.reduce(0) { $0 + ($1 - ownMean) * ($1 - ownMean) }
        slope = squares > count ? both / squares : nil
        (self.ownMean, self.seenMean) = (ownMean, seenMean)
    }
}
