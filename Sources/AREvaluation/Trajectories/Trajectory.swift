// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Where a body was said to be, and how sure that was: what is evaluated, and what it is evaluated against.
///
/// The body may be anything (a camera, an inertial sensor), as long as both trajectories of an evaluation mean the same
/// one: ``asSeen(from:)`` changes it.
public struct Trajectory: Hashable, Sendable {
    /// The poses, in the order of their instants; instants may be equal.
    public let poses: [StampedPose]
    /// What the tracker said of itself, for each frame, with or without a pose; empty where nothing is known.
    public let states: [StampedState]
    /// The covariances of poses, by their places in ``poses``: translation first, then rotation, in the world's axes. The
    /// true pose is (p + δp, Exp(δθ) R) with δp in metres and δθ in radians.
    public let covariances: [Int: Matrix6x6]
    /// Where the poses come from, in the words of a trace: `tracked`, `pinned`; `nil` where the file does not say.
    public let mode: String?

    /// A trajectory. The poses' instants, and the states', must not decrease.
    public init(
        _ poses: [StampedPose], states: [StampedState] = [], covariances: [Int: Matrix6x6] = [:], mode: String? = nil
    ) {
        for (a, b) in zip(poses, poses.dropFirst()) {
            precondition(a.timestamp <= b.timestamp, "poses go back from \(a.timestamp) to \(b.timestamp)")
        }
        for (a, b) in zip(states, states.dropFirst()) {
            precondition(a.timestamp <= b.timestamp, "states go back from \(a.timestamp) to \(b.timestamp)")
        }
        self.poses = poses
        self.states = states
        self.covariances = covariances
        self.mode = mode
    }

    /// The same with the poses alone at whose instants the tracker called itself normal; all where it says nothing of itself.
    ///
    /// Law: `StateTests.normalPosesAloneAreCompared`.
    public var whileNormal: Trajectory {
        guard !states.isEmpty else { return self }
        let normal = Set(states.lazy.filter { $0.state == StampedState.normal }.map(\.timestamp))
        let places = poses.indices.filter { normal.contains(poses[$0].timestamp) }
        let known = places.enumerated().compactMap { place, former in covariances[former].map { (place, $0) } }
        return Trajectory(
            places.map { poses[$0] }, states: states, covariances: Dictionary(uniqueKeysWithValues: known), mode: mode)
    }

    /// The length of the way from pose to pose, in metres.
    public var length: Double { poses.map(\.worldFromBody).pathLengths.last ?? 0 }
}

/// A body's pose at an instant.
public struct StampedPose: Hashable, Sendable {
    /// The instant.
    public var timestamp: Timestamp
    /// The pose, in metres.
    public var worldFromBody: RigidTransform

    /// A pose at an instant.
    public init(timestamp: Timestamp, worldFromBody: RigidTransform) {
        self.timestamp = timestamp
        self.worldFromBody = worldFromBody
    }
}

/// What a tracker said of itself at an instant.
public struct StampedState: Hashable, Sendable {
    /// The frame's instant.
    public var timestamp: Timestamp
    /// The state in the words of a trace: `notAvailable`, `limited(initializing)`, …, `normal`.
    public var state: String

    /// The state in which a tracker vouches for its pose.
    public static let normal = "normal"
    /// That of a tracker that has begun anew, and looks for its place in the world.
    public static let relocalizing = "limited(relocalizing)"

    /// A state at an instant.
    public init(timestamp: Timestamp, state: String) {
        self.timestamp = timestamp
        self.state = state
    }
}

extension [RigidTransform] {
    /// The length of the way to each pose, in metres: zero for the first.
    var pathLengths: [Double] {
        var lengths: [Double] = []
        lengths.reserveCapacity(count)
        var length = 0.0
        for index in indices {
            if index > 0 { length += (self[index].translation - self[index - 1].translation).length }
            lengths.append(length)
        }
        return lengths
    }
}
