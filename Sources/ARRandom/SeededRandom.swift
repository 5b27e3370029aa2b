// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A repeatable stream of random numbers: SplitMix64 (Steele, Lea, Flood 2014).
///
/// Each purpose has its own stream, named after it, so that drawing more numbers for one changes nothing for another.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    @usableFromInline var state: UInt64

    /// The stream for a purpose.
    public init(seed: UInt64, purpose: String) {
        state = Self.mix(seed &+ Self.increment) ^ Self.hash(of: purpose)
    }

    /// The stream that a number enters; numbers that are close give streams that are not.
    public init(entry: UInt64) { state = Self.mix(entry &+ Self.increment) }

    @inlinable public mutating func next() -> UInt64 {
        state &+= Self.increment
        return Self.mix(state)
    }

    /// A number between the bounds, the upper one excluded.
    @inlinable public mutating func uniform(_ range: Range<Double>) -> Double {
        range.lowerBound + Double(next() >> 11) * 0x1p-53 * (range.upperBound - range.lowerBound)
    }

    /// True with that probability.
    @inlinable public mutating func happens(_ probability: Double) -> Bool { uniform(0..<1) < probability }

    /// Two independent numbers of the standard normal distribution (Box, Muller 1958).
    public mutating func normalPair() -> (Double, Double) {
        // 1 − u lies in (0, 1], where the logarithm is finite.
        let radius = (-2 * log(1 - uniform(0..<1))).squareRoot()
        let angle = uniform(0..<2 * .pi)
        return (radius * cos(angle), radius * sin(angle))
    }

    /// Three independent numbers of the standard normal distribution.
    ///
    /// Two pairs, of which one number is given up: what is drawn then never depends on what was drawn before, and every
    /// call takes four numbers from the stream.
    public mutating func normalTriple() -> SIMD3<Double> {
        let (x, y) = normalPair()
        return SIMD3(x, y, normalPair().0)
    }

    /// What the state grows by from one number to the next: 2⁶⁴ over the golden ratio, made odd.
    @inlinable public static var increment: UInt64 { 0x9e37_79b9_7f4a_7c15 }

    /// A bijection of 64 bits that looks random.
    @inlinable @inline(__always) public static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// FNV-1a of a text, because Swift's own hashes differ from run to run.
    public static func hash(of text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
