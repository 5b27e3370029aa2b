// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

/// What the tracker made of a session, and what is true.
///
/// The tracker sees pictures, samples and the calibration; the truth is read beside it and only compared.
struct TrackedRun: Sendable {
    /// The frames, in their order.
    var frames: [TrackedFrame] = []
    /// The true camera poses at the frames whose truth is known.
    var truth: [StampedPose] = []
    /// Processor time of the tracker for each frame, with the samples before it, in milliseconds.
    var milliseconds: [Double] = []
    /// What the stages took of it, for each frame.
    var stageTimes: [StageTimes] = []
}

extension TrackedRun {
    /// The frames that have a pose: those for which motion was estimated.
    var framesWithPose: [TrackedFrame] { frames.filter { $0.motion != nil } }

    /// The true poses, as they are compared.
    var trueTrajectory: Trajectory { Trajectory(truth) }

    /// The estimate, as it is compared: poses where there are any, states of all frames, covariances.
    var estimate: Trajectory { estimate { _ in true } }

    /// The estimate of those frames alone that a condition chooses.
    func estimate(_ isWanted: (TrackedFrame) -> Bool) -> Trajectory {
        let posed = framesWithPose.filter(isWanted)
        return Trajectory(
            posed.map { StampedPose(timestamp: $0.timestamp, worldFromBody: $0.worldFromCamera) },
            states: frames.map { StampedState(timestamp: $0.timestamp, state: $0.trackingState.description) },
            covariances: Dictionary(
                uniqueKeysWithValues: posed.enumerated().compactMap { index, frame in
                    frame.motion.map { (index, $0.poseCovariance) }
                }), mode: PoseMode.tracked.rawValue)
    }

    /// Seconds from the first frame to the first for which a condition holds.
    func seconds(to isReached: (TrackedFrame) -> Bool) -> Double? {
        guard let first = frames.first else { return nil }
        return frames.first(where: isReached)?.timestamp.seconds(since: first.timestamp)
    }
}
