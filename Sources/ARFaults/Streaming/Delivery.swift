// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import ARTruth

/// An event on its way to the session.
struct Delivery {
    var event: SensorEvent
    /// When it arrives: never before its stamp, and mostly then.
    var arrival: Timestamp
    /// The stamp that its source gave it.
    let origin: Timestamp
    /// What is true at it, where that is asked for.
    var truth: FrameTruth?

    /// Moves the event in time: its stamp is wrong, and so it arrives at another place among the others.
    mutating func move(byNanoseconds nanoseconds: Int64) {
        event.timestamp = event.timestamp.advanced(byNanoseconds: nanoseconds)
        arrival = arrival.advanced(byNanoseconds: nanoseconds)
    }
}

/// Puts deliveries into the order of their arrival.
///
/// At equal arrivals those that are on time come first, in the order of their streams, then those that are late.
struct ArrivalQueue {
    private var waiting: [(place: Place, delivery: Delivery)] = []
    private var sequence = 0

    private struct Place: Comparable {
        let arrival: Timestamp
        let tier: Int
        let sequence: Int

        static func < (a: Place, b: Place) -> Bool {
            (a.arrival, a.tier, a.sequence) < (b.arrival, b.tier, b.sequence)
        }
    }

    mutating func insert(_ delivery: Delivery) {
        let isLate = delivery.arrival > delivery.event.timestamp
        let tier = isLate ? SensorEvent.Stream.allCases.count : delivery.event.stream.rawValue
        let place = Place(arrival: delivery.arrival, tier: tier, sequence: sequence)
        sequence += 1
        // Almost all belong at the end.
        var index = waiting.endIndex
        while index > 0, place < waiting[index - 1].place { index -= 1 }
        waiting.insert((place, delivery), at: index)
    }

    /// Takes out, in order, all that arrives before an instant; all that there is when `nil`.
    mutating func removeAll(before end: Timestamp?) -> [Delivery] {
        let count = end.map { end in waiting.firstIndex { $0.place.arrival >= end } ?? waiting.count } ?? waiting.count
        let ready = waiting[..<count].map(\.delivery)
        waiting.removeFirst(count)
        return ready
    }
}
