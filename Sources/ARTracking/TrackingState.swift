// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// How far a frame's pose can be trusted, in ARKit's words.
public enum TrackingState: Hashable, Sendable {
    /// Why a pose is of limited quality.
    public enum Reason: String, Hashable, Sendable, CaseIterable {
        /// The session has not yet gathered enough motion and features.
        case initializing
        /// The device moves too fast.
        case excessiveMotion
        /// Too little is seen: a blank wall, darkness.
        case insufficientFeatures
        /// The session tries to find its place again after an interruption.
        case relocalizing
    }

    /// There is no pose.
    case notAvailable
    /// There is a pose, but nothing should be built on it.
    case limited(Reason)
    /// The pose is good.
    case normal
}

extension TrackingState: CustomStringConvertible {
    /// `notAvailable`, `limited(initializing)` …, `normal`.
    public var description: String {
        switch self {
        case .notAvailable: "notAvailable"
        case .limited(let reason): "limited(\(reason.rawValue))"
        case .normal: "normal"
        }
    }
}

/// Where a session's poses come from. Every summary and every trace says it.
public enum PoseMode: String, Hashable, Sendable, CaseIterable, Encodable {
    /// Perceived from pixels and inertial samples.
    case tracked
    /// Taken from the recording's or the scene's truth: nothing was perceived.
    case pinned
}
