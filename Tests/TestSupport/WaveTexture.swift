// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A smooth random texture, of which any shift can be looked at exactly: a sum of plane waves.
public struct WaveTexture {
    private var waves: [(frequency: Vector2, phase: Double, amplitude: Double)] = []

    /// Waves of 6 to 60 pixels.
    public init(_ random: inout TestRandom, count: Int = 60) {
        for _ in 0..<count {
            let wavelength = 6 * pow(10, random.uniform(0...1))
            let angle = random.uniform(0...(2 * Double.pi))
            let frequency = Vector2(cos(angle), sin(angle)) * (2 * Double.pi / wavelength)
            waves.append((frequency, random.uniform(0...(2 * Double.pi)), wavelength.squareRoot()))
        }
        let power = waves.reduce(0) { $0 + $1.amplitude * $1.amplitude / 2 }.squareRoot()
        for index in waves.indices { waves[index].amplitude *= 45 / power }
    }

    /// The texture as a camera sees it that moves over it by so many pixels along its rows while it exposes.
    public func smeared(over pixels: Double) -> WaveTexture { smeared(over: Vector2(pixels, 0)) }

    /// The texture as a camera sees it that moves over it while it exposes: each wave loses what its mean over that way loses.
    public func smeared(over way: Vector2) -> WaveTexture {
        var smeared = self
        for index in waves.indices {
            let halfAngle = waves[index].frequency.dot(way) / 2
            if halfAngle != 0 { smeared.waves[index].amplitude *= sin(halfAngle) / halfAngle }
        }
        return smeared
    }

    /// The grey level at a place, before rounding: 128 ± 45.
    public func light(at place: Vector2) -> Double {
        waves.reduce(128) { $0 + $1.amplitude * sin($1.frequency.dot(place) + $1.phase) }
    }
}
