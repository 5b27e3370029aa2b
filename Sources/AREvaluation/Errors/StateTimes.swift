// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// How long a tracker was in which state. A frame's state lasts until the next frame.
public struct StateTimes: Hashable, Sendable {
    /// The states that occurred, in alphabetical order.
    public var states: [State]
    /// The number of frames.
    public var frameCount: Int
    /// Seconds from the first frame to the first whose state is `normal`; `nil` where there is none.
    public var firstNormal: Double?

    /// A state and how long it lasted.
    public struct State: Hashable, Sendable {
        /// The state in the words of a trace.
        public var name: String
        /// The number of frames.
        public var frameCount: Int
        /// The seconds until the frames after them.
        public var seconds: Double
    }

    /// The times of a trajectory's states, or `nil` where it has none.
    public init?(_ states: [StampedState]) {
        guard let first = states.first else { return nil }
        var counts: [String: (frames: Int, nanoseconds: Int64)] = [:]
        for (index, state) in states.enumerated() {
            let next = states[min(index + 1, states.count - 1)].timestamp
            let old = counts[state.state, default: (0, 0)]
            counts[state.state] = (old.frames + 1, old.nanoseconds + next.nanoseconds(since: state.timestamp))
        }
        self.states = counts.sorted { $0.key < $1.key }.map {
            State(name: $0.key, frameCount: $0.value.frames, seconds: Double($0.value.nanoseconds) * 1e-9)
        }
        frameCount = states.count
        firstNormal = states.first { $0.state == StampedState.normal }?.timestamp.seconds(since: first.timestamp)
    }

    /// The part of the frames with that state.
    public func fraction(of name: String) -> Double {
        Double(states.first { $0.name == name }?.frameCount ?? 0) / Double(frameCount)
    }
}

/// The frames that a tracker called normal although their poses were wrong: what no app can guard itself against.
public struct WrongWhileNormal: Hashable, Sendable {
    /// How many frames, of those that have a truth.
    public private(set) var frameCount = 0
    /// The seconds until the frames after them.
    public private(set) var seconds = 0.0
    /// The seconds of the longest uninterrupted time.
    public private(set) var longestSeconds = 0.0

    /// Finds the wrong ones among the frames with truth; `nil` where no frame has a state.
    init?(_ errors: [FrameError], states: [StampedState], beyond limits: WrongPoseLimits) {
        guard !states.isEmpty else { return nil }
        var place = 0
        var (total, longest, current): (Int64, Int64, Int64) = (0, 0, 0)
        for error in errors {
            while place < states.count, states[place].timestamp < error.timestamp { place += 1 }
            guard place < states.count, states[place].timestamp == error.timestamp,
                states[place].state == StampedState.normal, limits.isExceeded(by: error)
            else {
                current = 0
                continue
            }
            let next = states[min(place + 1, states.count - 1)].timestamp
            current += next.nanoseconds(since: error.timestamp)
            total += next.nanoseconds(since: error.timestamp)
            longest = max(longest, current)
            frameCount += 1
        }
        seconds = Double(total) * 1e-9
        longestSeconds = Double(longest) * 1e-9
    }
}

/// From which error on a pose is wrong.
public struct WrongPoseLimits: Hashable, Sendable {
    /// The largest displacement of a pose that is not wrong, in metres.
    public var metres: Double
    /// The largest turn of a pose that is not wrong, in radians.
    public var radians: Double

    /// Limits; by default five centimetres and two degrees, beyond which things that are drawn no longer seem to stay in
    /// their places.
    public init(metres: Double = 0.05, radians: Double = 2 * .pi / 180) {
        self.metres = metres
        self.radians = radians
    }

    func isExceeded(by error: FrameError) -> Bool { error.metres > metres || error.radians > radians }
}
