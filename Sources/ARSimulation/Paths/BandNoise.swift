// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation

/// An irregular movement of three independent axes with a given spectrum, which never repeats and has no lines in it.
///
/// The spectrum is filled with narrow bands side by side. Each is a wave in the band's middle, of which the parts in phase
/// and out of phase wander: white normal numbers, smoothed by a cubic B-spline whose knots lie as far apart as gives
/// the band its width.
struct BandNoise {
    private struct Band {
        var radiansPerSecond: Double
        var knotSeconds: Double
        var amplitude: Double
        var noise: GaussianNoise

        /// What wanders, at a time.
        func parts(at seconds: Double) -> (inPhase: Vector3, outOfPhase: Vector3) {
            let knots = seconds / knotSeconds
            let first = knots.rounded(.down)
            let weights = UniformCubicBasis(knots - first).weights
            var parts = (inPhase: Vector3.zero, outOfPhase: Vector3.zero)
            noise.withValues { value in
                for knot in 0..<4 {
                    let place = 2 * (Int(first) + knot)
                    parts.inPhase += weights[knot] * Vector3(value(place))
                    parts.outOfPhase += weights[knot] * Vector3(value(place + 1))
                }
            }
            return parts
        }
    }

    private let bands: [Band]
    /// What the squares of a cubic B-spline's weights add up to on the average: the variance of a smoothed part, and
    /// the width of a band times the time between its knots (Parseval).
    private static let meanSquare = 151.0 / 315

    /// The noise with that standard deviation on each axis.
    /// - Parameters:
    ///   - ratio: of a band's bounds.
    ///   - power: the power density at a frequency in hertz, in any unit.
    init(
        deviation: Double, hertz: Range<Double>, ratio: Double = 1.1, seed: UInt64, purpose: String,
        power: (Double) -> Double
    ) {
        var bands: [Band] = []
        var low = hertz.lowerBound
        while low < hertz.upperBound {
            let width = low * (ratio - 1)
            let middle = low + width / 2
            bands.append(
                Band(
                    radiansPerSecond: 2 * .pi * middle, knotSeconds: Self.meanSquare / width,
                    amplitude: (power(middle) * width).squareRoot(),
                    noise: GaussianNoise(seed: seed, purpose: purpose, frame: bands.count)))
            low *= ratio
        }
        let variance = bands.reduce(0) { $0 + $1.amplitude * $1.amplitude } * Self.meanSquare
        let scale = variance > 0 ? deviation / variance.squareRoot() : 0
        self.bands = bands.map { band in
            var band = band
            band.amplitude *= scale
            return band
        }
    }

    /// The displacement at a time.
    func value(at seconds: Double) -> Vector3 {
        bands.reduce(.zero) { sum, band in
            let parts = band.parts(at: seconds)
            let angle = band.radiansPerSecond * seconds
            return sum + band.amplitude * (cos(angle) * parts.inPhase + sin(angle) * parts.outOfPhase)
        }
    }
}

extension UniformCubicBasis {
    /// The weights of the four controls around a place.
    fileprivate var weights: SIMD4<Double> {
        SIMD4(1 - value.0, value.0 - value.1, value.1 - value.2, value.2)
    }
}
