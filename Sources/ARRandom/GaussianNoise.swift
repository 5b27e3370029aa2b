// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Random numbers of mean 0 and variance 1 that belong to places: the same place always has the same number.
///
/// A number is the sum of two out of a table of 1024, divided by √2. The table holds the means of the normal
/// distribution's 1024 parts of equal probability, scaled to variance 1: the sum takes half a million values out to
/// ±4.8, and its fourth moment is within 1 % of the normal distribution's. Laws: `GaussianNoiseTests`.
///
/// The hash of a place is an element of the stream SplitMix64 (Steele, Lea, Flood 2014), which can be entered
/// anywhere; a place costs one of its elements, 60 of whose bits are three pairs of entries.
public struct GaussianNoise: Sendable {
    @usableFromInline let key: UInt64

    /// The numbers that belong to a key.
    public init(key: UInt64) { self.key = key }

    /// The numbers for a purpose in a scene, those of one frame of a sequence.
    public init(seed: UInt64, purpose: String, frame: Int = 0) {
        var random = SeededRandom(seed: seed, purpose: purpose)
        key = SeededRandom.mix(random.next() &+ UInt64(truncatingIfNeeded: frame) &* SeededRandom.increment)
    }

    /// Lends the function from a place, such as a pixel's index, to its three independent numbers; the fourth is zero.
    @inlinable @inline(__always) public func withValues(_ body: ((Int) -> SIMD4<Float>) -> Void) {
        Self.table.withUnsafeBufferPointer { table in
            guard let entries = table.baseAddress else { return }
            body { place in
                let bits = SeededRandom.mix(key &+ UInt64(truncatingIfNeeded: place) &* SeededRandom.increment)
                @inline(__always) func entry(_ shift: UInt64) -> Float { entries[Int((bits >> shift) & 1023)] }
                return SIMD4(entry(0), entry(10), entry(20), 0) + SIMD4(entry(30), entry(40), entry(50), 0)
            }
        }
    }

    /// The means of 1024 equally probable parts, over √2 and scaled so that the sum of two has the variance 1.
    @usableFromInline static let table: [Float] = {
        let count = 1024
        let density = (0...count).map { index in
            index == 0 || index == count
                ? 0 : exp(-pow(quantile(Double(index) / Double(count)), 2) / 2) / (2 * Double.pi).squareRoot()
        }
        let means = (0..<count).map { (density[$0] - density[$0 + 1]) * Double(count) }
        let variance = means.reduce(0) { $0 + $1 * $1 } / Double(count)
        return means.map { Float($0 / (2 * variance).squareRoot()) }
    }()

    /// The point below which the normal distribution has that probability, by halving the interval.
    private static func quantile(_ probability: Double) -> Double {
        var (low, high) = (-10.0, 10.0)
        for _ in 0..<64 {
            let middle = (low + high) / 2
            if 0.5 * erfc(-middle / 2.0.squareRoot()) < probability { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
