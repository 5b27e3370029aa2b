// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct AllanDeviationTests {
    /// A ramp's stretches differ by its slope times their length: σ = slope τ / √2.
    @Test func ofARamp() {
        let ramp = (0..<1000).map { Vector3(repeating: 0.3 * Double($0) / 50) }
        for point in AllanDeviation(of: ramp, sampleSeconds: 1.0 / 50).points {
            #expect(abs(point.deviation - 0.3 * point.seconds / 2.0.squareRoot()) < 1e-9)
        }
    }

    @Test func ofAConstant() {
        let allan = AllanDeviation(of: [Vector3](repeating: Vector3(1, 2, 3), count: 100), sampleSeconds: 0.01)
        #expect(allan.points.allSatisfy { $0.deviation < 1e-12 })
        #expect(allan.noise == (0, 0))
    }

    /// By the definition, without overlap left out and without sums that are carried along.
    @Test func isTheDefinition() {
        var random = TestRandom()
        let readings = (0..<64).map { _ in random.vector3() }
        for point in AllanDeviation(of: readings, sampleSeconds: 1).points {
            let length = Int(point.seconds)
            let mean = { (start: Int) in readings[start..<start + length].reduce(.zero, +) / Double(length) }
            let differences = (0...64 - 2 * length).map { (mean($0 + length) - mean($0)).squaredLength / 3 }
            let variance = differences.reduce(0, +) / Double(differences.count) / 2
            #expect(abs(point.deviation - variance.squareRoot()) < 1e-12)
        }
    }

    @Test func findsWhiteNoiseAndRandomWalk() {
        var random = SeededRandom(seed: 9, purpose: "test")
        var bias = Vector3.zero
        let (density, walk, dt) = (0.02, 0.01, 0.1)
        let readings = (0..<200_000).map { _ in
            bias += walk * dt.squareRoot() * random.normalTriple()
            return bias + density / dt.squareRoot() * random.normalTriple()
        }
        let noise = AllanDeviation(of: readings, sampleSeconds: dt).noise
        #expect(abs(noise.density / density - 1) < 0.03)
        #expect(abs(noise.randomWalk / walk - 1) < 0.03)
    }

    @Test func normalNumbersAreNormal() {
        var random = SeededRandom(seed: 4, purpose: "test")
        let numbers = (0..<100_000).flatMap { _ in
            let triple = random.normalTriple()
            return [triple.x, triple.y, triple.z]
        }
        // Moments of 300,000 numbers, within four deviations of their estimates.
        let moment = { (power: Int) in
            numbers.reduce(0) { sum, number in sum + (0..<power).reduce(1) { product, _ in product * number } }
                / Double(numbers.count)
        }
        #expect(abs(moment(1)) < 0.008)
        #expect(abs(moment(2) - 1) < 0.011)
        #expect(abs(moment(3)) < 0.03)
        #expect(abs(moment(4) - 3) < 0.075)
        let neighbours = zip(numbers, numbers.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 } / Double(numbers.count)
        #expect(abs(neighbours) < 0.008)
    }
}
