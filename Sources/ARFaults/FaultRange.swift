// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// A range of time in a session, in seconds from its start: the stamp of its first event.
public struct FaultRange: Hashable, Sendable {
    /// When it begins.
    public var fromSeconds: Double
    /// When it ends, that instant excluded; `nil` for the session's end.
    public var toSeconds: Double?

    /// A range; it must not end before it begins.
    public init(fromSeconds: Double = 0, toSeconds: Double? = nil) {
        precondition(toSeconds.map { $0 > fromSeconds } ?? true, "a range from \(fromSeconds) to \(toSeconds!) s")
        self.fromSeconds = fromSeconds
        self.toSeconds = toSeconds
    }

    /// The whole session.
    public static let always = FaultRange()
}

/// A range of time on a session's clock.
struct TimeRange: Hashable, Sendable {
    /// The first instant.
    let from: Timestamp
    /// The first instant after it.
    let to: Timestamp

    /// The range in a session that starts at that instant.
    init(_ range: FaultRange, start: Timestamp) {
        func instant(_ seconds: Double) -> Timestamp {
            start.advanced(byNanoseconds: Int64((seconds * 1e9).rounded()))
        }
        // Earlier than the first event is the session's start too: late stamps and offsets may precede it.
        from = range.fromSeconds > 0 ? instant(range.fromSeconds) : Timestamp(nanoseconds: .min)
        to = range.toSeconds.map(instant) ?? Timestamp(nanoseconds: .max)
    }

    private init(from: Timestamp, to: Timestamp) {
        self.from = from
        self.to = to
    }

    /// The range without what lies before an instant.
    func beginning(atTheEarliest instant: Timestamp) -> TimeRange { TimeRange(from: max(from, instant), to: to) }

    func contains(_ timestamp: Timestamp) -> Bool { from <= timestamp && timestamp < to }

    /// How long ago it began, in seconds; `nil` where it began with the session.
    func secondsSinceBegin(at timestamp: Timestamp) -> Double? {
        from.nanoseconds == .min ? nil : timestamp.seconds(since: from)
    }

    /// How long it lasts from an instant on, in seconds; `nil` where it ends with the session.
    func secondsUntilEnd(at timestamp: Timestamp) -> Double? {
        to.nanoseconds == .max ? nil : to.seconds(since: timestamp)
    }

    /// How long it is.
    var nanoseconds: Int64 { to.nanoseconds(since: from) }
}
