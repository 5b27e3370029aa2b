// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A repeatable stream of random numbers: SplitMix64 (Steele, Lea, Flood 2014).
///
/// Each purpose has its own stream, named after it, so that drawing more numbers for one changes nothing for another.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    /// The stream for a purpose in a scene.
    init(seed: UInt64, purpose: String) {
        // FNV-1a over the purpose, because Swift's own hashes differ from run to run.
        let hash = purpose.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        state = Self.mix(seed &+ Self.increment) ^ hash
    }

    mutating func next() -> UInt64 {
        state &+= Self.increment
        return Self.mix(state)
    }

    /// A number between the bounds, the upper one excluded.
    mutating func uniform(_ range: Range<Double>) -> Double {
        range.lowerBound + Double(next() >> 11) * 0x1p-53 * (range.upperBound - range.lowerBound)
    }

    /// What the state grows by from one number to the next: 2⁶⁴ over the golden ratio, made odd.
    static let increment: UInt64 = 0x9e37_79b9_7f4a_7c15

    /// A bijection of 64 bits that looks random.
    @inline(__always) static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
