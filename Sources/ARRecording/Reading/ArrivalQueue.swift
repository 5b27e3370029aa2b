// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// Holds back the events of a recording that came late, and doubles those that came again.
struct ArrivalQueue {
    private let table: TimedTable<Arrival>
    private let longestDelay: Int64
    private let cameraOffset: Int64
    private var next: Arrival?
    private var expected: [Arrival.Key: [(sequence: Int, arrival: Arrival)]] = [:]
    private var held: [(sequence: Int, place: Arrival.Place, event: SensorEvent)] = []
    private var sequence = 0
    private var clock: Arrival.Place?

    init(_ recording: Recording, longestDelay: Int64) throws(RecordingError) {
        table = try recording.layout.arrivalTable(isComplete: recording.isComplete)
        self.longestDelay = longestDelay
        cameraOffset = recording.appliedCameraTimeOffsetNanoseconds
        next = try table.next()?.value
    }

    /// Takes the next event of the tables; tells whether it comes in its turn.
    mutating func take(_ event: SensorEvent) throws(RecordingError) -> Bool {
        let horizon = event.timestamp.advanced(byNanoseconds: longestDelay)
        while let arrival = next, arrival.place.arrival <= horizon {
            expected[arrival.key, default: []].append((sequence, arrival))
            sequence += 1
            next = try table.next()?.value
        }
        let isFrame = event.stream == .camera
        let key = Arrival.Key(
            stream: event.stream,
            timestamp: isFrame ? event.timestamp.advanced(byNanoseconds: -cameraOffset) : event.timestamp)
        guard event.stream != .user, let arrivals = expected.removeValue(forKey: key) else { return true }
        for (sequence, arrival) in arrivals { hold(event, sequence, arrival.place) }
        return arrivals.allSatisfy { $0.arrival.kind == .again }
    }

    private mutating func hold(_ event: SensorEvent, _ sequence: Int, _ place: Arrival.Place) {
        let index = held.firstIndex { $0.sequence > sequence } ?? held.endIndex
        held.insert((sequence, place, event), at: index)
    }

    /// The held event that comes before the next one in turn, which is `nil` at the end.
    mutating func popFirst(before upcoming: SensorEvent?) -> SensorEvent? {
        guard let first = held.first else { return nil }
        let isReached = clock.map { first.place <= $0 } ?? false
        let isOverdue = upcoming.map { first.place.arrival < $0.timestamp } ?? true
        guard isReached || isOverdue else { return nil }
        held.removeFirst()
        return first.event
    }

    /// Notes that an event came in its turn.
    mutating func pass(_ event: SensorEvent) {
        let after = clock?.arrival == event.timestamp ? (clock?.after ?? 0) + 1 : 1
        clock = Arrival.Place(arrival: event.timestamp, after: after)
    }
}
