// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing

/// Why two trajectories cannot be compared.
public enum EvaluationError: Error, Hashable, Sendable {
    /// No pose of the estimate is near enough in time to one of the truth.
    case noMatch(estimate: Span, truth: Span, longestDifference: Int64)
    /// The matched poses do not determine the alignment.
    case notAlignable(TrajectoryAlignment, poses: Int)
    /// A matched position is so far from the origin that its square may be no number.
    case positionTooFar(metres: Double)

    /// The largest coordinate that is compared, in metres.
    static let farthest = 1e100

    /// The instants that a trajectory covers.
    public struct Span: Hashable, Sendable {
        /// The number of poses.
        public var count: Int
        /// The first and the last instant.
        public var instants: ClosedRange<Timestamp>?
    }
}

extension EvaluationError.Span {
    init(_ poses: [StampedPose]) {
        count = poses.count
        instants = poses.first.map { $0.timestamp...poses[poses.count - 1].timestamp }
    }

    fileprivate var text: String {
        guard let instants else { return "no pose" }
        return
            "\(count) pose\(count == 1 ? "" : "s") from \(NumberText.seconds(fromNanoseconds: instants.lowerBound.nanoseconds)) s to "
            + "\(NumberText.seconds(fromNanoseconds: instants.upperBound.nanoseconds)) s"
    }
}

extension EvaluationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noMatch(let estimate, let truth, let longest):
            "no pose of the estimate (\(estimate.text)) lies within \(NumberText.string(Double(longest) * 1e-9)) s of "
                + "one of the truth (\(truth.text)); check that both are of one session and on one clock"
        case .notAlignable(let alignment, let poses):
            "the \(poses) matched poses do not determine the alignment \(alignment.rawValue): their positions lie on a "
                + "line or in one point; align by origin or origin-yaw"
        case .positionTooFar(let metres):
            "a position has the coordinate \(NumberText.string(metres)) m, beyond \(NumberText.string(Self.farthest)) m; "
                + "remove the poses of a tracker that has lost itself"
        }
    }
}
