// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The processor time that each stage of the tracker took for a frame.
///
/// Times are measured, not computed: they differ from run to run, as nothing in a ``TrackedFrame`` may, and so stand beside
/// the frames. What other processes take does not count.
public struct StageTimes: Hashable, Sendable {
    /// Points of the picture: followed, checked, and new ones found.
    public var features = Duration.zero
    /// The estimator: samples integrated, the state updated.
    public var estimation = Duration.zero
    /// The search for the motion to begin with, while there is none that is believed.
    public var start = Duration.zero
    /// The places of the followed points in the world.
    public var points = Duration.zero
    /// What is remembered of places, and the search for a lost one.
    public var places = Duration.zero

    /// All stages together.
    public var total: Duration { features + estimation + start + points + places }
}

/// Laps of the processor time of this thread.
struct Stopwatch {
    private var last = Self.now

    /// The time since the last lap, or the beginning.
    mutating func lap() -> Duration {
        let now = Self.now
        defer { last = now }
        return now - last
    }

    private static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
