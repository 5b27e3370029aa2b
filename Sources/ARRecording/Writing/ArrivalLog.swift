// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// Watches the events of a recording being written, and tells which of them do not come in their turn.
struct ArrivalLog {
    private let longestDelay: Int64
    private let cameraOffset: Int64
    private var clock: (timestamp: Timestamp, stream: SensorEvent.Stream)?
    private var atClock = 0
    /// The events that may still come again, by what they hold.
    private var recent: [Arrival.Key: Int] = [:]
    private var order: ArraySlice<Arrival.Key> = []

    /// - Parameter cameraOffset: what leads from the camera's clock to the session's, in nanoseconds.
    init(longestDelay: Int64, cameraOffset: Int64) {
        self.longestDelay = longestDelay
        self.cameraOffset = cameraOffset
    }

    /// How the next event arrives, or `nil` when it comes in its turn.
    mutating func note(_ event: SensorEvent) throws(RecordingError) -> Arrival? {
        let (stream, stamp) = (event.stream, event.timestamp)
        let timestamp = stream == .camera ? stamp.advanced(byNanoseconds: cameraOffset) : stamp
        let key = Arrival.Key(stream: stream, timestamp: stamp)
        let place = clock.map { Arrival.Place(arrival: $0.timestamp, after: atClock) }
        if stream != .user, let place, let known = recent[key] {
            guard known == event.hashValue else {
                throw Self.error(.duplicateStamp, event, "another event of that stamp")
            }
            return Arrival(key: key, kind: .again, place: place)
        }
        if stream != .user { remember(key, event) }
        if let place, let clock, (timestamp, stream) < (clock.timestamp, clock.stream) {
            guard stream != .user else { throw Self.error(.stampOrder, event, "a user event after \(place.arrival)") }
            return Arrival(key: key, kind: .late, place: place)
        }
        atClock = clock?.timestamp == timestamp ? atClock + 1 : 1
        clock = (timestamp, stream)
        return nil
    }

    /// Whether an event of that stamp came before.
    func knows(_ key: Arrival.Key) -> Bool { recent[key] != nil }

    private mutating func remember(_ key: Arrival.Key, _ event: SensorEvent) {
        recent[key] = event.hashValue
        order.append(key)
        // Twice the delay: a late event may come again late.
        while let oldest = order.first, let clock, clock.timestamp.nanoseconds(since: oldest.timestamp) > reach {
            recent[oldest] = nil
            order.removeFirst()
        }
    }

    private var reach: Int64 { 2 * longestDelay + abs(cameraOffset) + 1 }

    private static func error(
        _ rule: RecordingError.Rule, _ event: SensorEvent, _ found: String
    ) -> RecordingError {
        RecordingError(
            rule,
            file: event.stream == .camera
                ? RecordingLayout.frames
                : event.stream == .imu
                    ? RecordingLayout.imu : RecordingLayout.events,
            found: "\(found) at \(event.timestamp)", expected: "a later stamp")
    }
}
