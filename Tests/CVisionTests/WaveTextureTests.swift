// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import Testing

@testable import TestSupport

/// The texture that features are followed over is what it says, or what is measured on it is not.
@Suite struct WaveTextureTests {
    @Test func sineIsAsExactAsIsSaid() {
        var random = TestRandom()
        for size in [1.0, 30, 2000] {
            var worst = 0.0
            for _ in 0..<20_000 {
                var turns = SIMD4<Double>.zero
                for index in 0..<4 { turns[index] = random.uniform(-size...size) }
                let sines = FourWaves.sine(ofTurns: turns)
                for index in 0..<4 {
                    // The nearest whole turn is taken off without rounding.
                    let angle = 2 * Double.pi * (turns[index] - turns[index].rounded())
                    worst = max(worst, abs(sines[index] - sin(angle)))
                }
            }
            #expect(worst < 1e-10, "\(worst) within \(size) turns")
        }
    }

    @Test func smearedTextureIsTheMeanOfTheWay() {
        var random = TestRandom()
        let texture = WaveTexture(&random)
        let (way, count) = (Vector2(3.7, -1.9), 400)
        let smeared = texture.smeared(over: way)
        for _ in 0..<20 {
            let place = Vector2(random.uniform(0...300), random.uniform(0...300))
            let lights = (0..<count).map { number in
                let fraction = (Double(number) + 0.5) / Double(count) - 0.5
                return texture.light(at: place + way * fraction)
            }
            let mean = lights.reduce(0, +) / Double(count)
            #expect(abs(smeared.light(at: place) - mean) < 1e-3)
        }
    }
}
