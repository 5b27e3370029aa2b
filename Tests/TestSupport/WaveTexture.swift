// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A smooth random texture, of which any shift can be looked at exactly: a sum of sixty plane waves.
public struct WaveTexture {
    private var waves: [FourWaves]

    /// Waves of 6 to 60 pixels.
    public init(_ random: inout TestRandom) {
        waves = (0..<15).map { _ in
            var four = FourWaves()
            for index in 0..<4 {
                let wavelength = 6 * pow(10, random.uniform(0...1))
                let angle = random.uniform(0...(2 * Double.pi))
                four.across[index] = cos(angle) / wavelength
                four.down[index] = sin(angle) / wavelength
                four.phase[index] = random.uniform(0...1)
                four.amplitude[index] = wavelength.squareRoot()
            }
            return four
        }
        let power = waves.reduce(0) { $0 + ($1.amplitude * $1.amplitude).sum() / 2 }.squareRoot()
        for index in waves.indices { waves[index].amplitude *= 45 / power }
    }

    /// The texture as a camera sees it that moves over it by so many pixels along its rows while it exposes.
    public func smeared(over pixels: Double) -> WaveTexture { smeared(over: Vector2(pixels, 0)) }

    /// The texture as a camera sees it that moves over it while it exposes: each wave loses what its mean over that way loses.
    /// Law: `WaveTextureTests.smearedTextureIsTheMeanOfTheWay`.
    public func smeared(over way: Vector2) -> WaveTexture {
        var smeared = self
        for (number, four) in waves.enumerated() {
            for index in 0..<4 {
                let halfAngle = .pi * (four.across[index] * way.x + four.down[index] * way.y)
                if halfAngle != 0 { smeared.waves[number].amplitude[index] *= sin(halfAngle) / halfAngle }
            }
        }
        return smeared
    }

    /// The grey level at a place, before rounding: 128 ± 45, to within a millionth.
    public func light(at place: Vector2) -> Double {
        var light = SIMD4<Double>.zero
        for four in waves { light += four.light(at: place) }
        return 128 + light.sum()
    }
}

/// Four waves, each with its turns a pixel along both axes, its phase in turns, and its height.
struct FourWaves {
    var across = SIMD4<Double>.zero
    var down = SIMD4<Double>.zero
    var phase = SIMD4<Double>.zero
    var amplitude = SIMD4<Double>.zero

    @inline(__always) func light(at place: Vector2) -> SIMD4<Double> {
        amplitude * Self.sine(ofTurns: across * place.x + down * place.y + phase)
    }

    /// The sine of angles of at most some thousand turns, to 10⁻¹⁰: what is left beside the nearest whole turn, r, times ¼ − r², which
    /// has the sine's zeros, times a polynomial of r² that meets the rest at the Chebyshev nodes of [0, ¼]. Law:
    /// `WaveTextureTests.sineIsAsExactAsIsSaid`.
    @inline(__always) static func sine(ofTurns turns: SIMD4<Double>) -> SIMD4<Double> {
        // Adding this leaves no bits for fractions.
        let large = SIMD4<Double>(repeating: 0x1.8p52)
        let rest = turns - ((turns + large) - large)
        let square = rest * rest
        var sum = SIMD4<Double>(repeating: 0.6094242727248048)
        sum = sum * square - 3.6186702699604036
        sum = sum * square + 14.17821427460562
        sum = sum * square - 38.512542821102556
        sum = sum * square + 67.07760378185976
        sum = sum * square - 64.8358437793977
        sum = sum * square + 25.132741228036593
        return rest * (0.25 - square) * sum
    }
}
