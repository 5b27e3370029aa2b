// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARRandom
import ARSensing

extension SeededRandom {
    /// The chance of one event, from a fault's seed and the event's stamp.
    ///
    /// What befalls an event thereby does not depend on how many came before it, and is the same wherever it is asked.
    init(seed: UInt64, stream: SensorEvent.Stream, timestamp: Timestamp) {
        let event = Self.mix(UInt64(bitPattern: timestamp.nanoseconds) &+ Self.increment)
        self.init(entry: (seed ^ event) &+ UInt64(stream.rawValue))
    }

    /// A seed for that fault of a list; it fits into the whole numbers of JSON readers, which have a sign.
    static func seed(_ seed: UInt64, fault name: String, index: Int) -> UInt64 {
        mix((mix(seed &+ increment) ^ hash(of: name)) &+ UInt64(index)) >> 1
    }
}
