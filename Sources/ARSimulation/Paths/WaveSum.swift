// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation

/// An irregular movement of three independent axes: a sum of waves with phases drawn at random.
struct WaveSum {
    private struct Wave {
        var radiansPerSecond: Double
        var phase: Vector3
        var amplitude: Double
    }

    private let waves: [Wave]

    /// Waves that fill a spectrum, with that standard deviation on each axis.
    ///
    /// Each band of frequencies is one wave, somewhere in the band, with the band's power.
    /// - Parameter power: the power density at a frequency in hertz, in any unit.
    init(
        deviation: Double, bandsInHertz: Range<Double>, ratio: Double = 1.17, random: inout SeededRandom,
        power: (Double) -> Double
    ) {
        var unscaled: [Wave] = []
        var frequency = bandsInHertz.lowerBound
        while frequency < bandsInHertz.upperBound {
            let drawn = frequency * random.uniform(1..<ratio)
            let phase = Vector3(random.uniform(0..<1), random.uniform(0..<1), random.uniform(0..<1)) * (2 * .pi)
            unscaled.append(
                Wave(
                    radiansPerSecond: 2 * .pi * drawn, phase: phase,
                    amplitude: (power(drawn) * frequency * (ratio - 1)).squareRoot()))
            frequency *= ratio
        }
        let variance = unscaled.reduce(0) { $0 + $1.amplitude * $1.amplitude / 2 }
        let scale = variance > 0 ? deviation / variance.squareRoot() : 0
        waves = unscaled.map { wave in
            var wave = wave
            wave.amplitude *= scale
            return wave
        }
    }

    func value(at seconds: Double) -> Vector3 {
        waves.reduce(.zero) { sum, wave in
            let angle = wave.radiansPerSecond * seconds
            return sum + wave.amplitude
                * Vector3(sin(angle + wave.phase.x), sin(angle + wave.phase.y), sin(angle + wave.phase.z))
        }
    }
}
