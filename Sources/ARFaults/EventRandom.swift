// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import Foundation

/// Repeatable chance for one event: SplitMix64 (Steele, Lea, Flood 2014), started from a fault's seed and the event's
/// stamp.
///
/// What befalls one event thereby does not depend on how many came before it, and is the same wherever it is asked.
struct EventRandom: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64, stream: SensorEvent.Stream, timestamp: Timestamp) {
        let event = Self.mix(UInt64(bitPattern: timestamp.nanoseconds) &+ 0x9e37_79b9_7f4a_7c15)
        state = Self.mix(seed ^ event) &+ UInt64(stream.rawValue)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mix(state)
    }

    /// A number from 0 to 1, 1 excluded.
    mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// True with that probability.
    mutating func happens(_ probability: Double) -> Bool { uniform() < probability }

    /// A number of the standard normal distribution (Box, Muller 1958).
    mutating func normal() -> Double {
        (-2 * log(1 - uniform())).squareRoot() * cos(2 * .pi * uniform())
    }

    /// A seed for that fault of a list.
    static func seed(_ seed: UInt64, fault name: String, index: Int) -> UInt64 {
        // FNV-1a over the name, because Swift's own hashes differ from run to run. One bit less, to fit into JSON.
        let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
        return mix((mix(seed &+ 0x9e37_79b9_7f4a_7c15) ^ hash) &+ UInt64(index)) >> 1
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var z = value
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
