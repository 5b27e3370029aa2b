// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

/// What the tracker made of a session, and what is true.
///
/// The tracker sees pictures, samples and the calibration; the truth is read beside it and only compared.
struct TrackedRun: Sendable {
    /// The frames, in their order.
    private(set) var frames: [TrackedFrame] = []
    /// The true camera poses at the frames whose truth is known.
    private(set) var truth: [StampedPose] = []
    /// Processor time of the tracker for each frame, with the samples before it, in milliseconds.
    private(set) var milliseconds: [Double] = []

    /// Tracks a session from its beginning to its end.
    /// - Parameter name: what the session is called where progress is told of.
    init(_ source: any SensorSource & TruthSource, name: String) throws {
        let progress = FrameProgress("\(name): tracked", total: source.expectedFrameCount)
        var tracker = VisualInertialTracker(rig: source.rig)
        var truths = try source.makeTruthStream()
        var stream = try source.makeStream()
        while let event = try stream.next() {
            var found: [TrackedFrame] = []
            let time = processorMilliseconds { found = tracker.process(event) }
            note(time, frameCount: found.count)
            try append(found, &truths)
            if !found.isEmpty { progress.show(frames.count) }
        }
        try append(tracker.finish(), &truths)
    }

    private mutating func append(_ found: [TrackedFrame], _ truths: inout any TruthStream) throws {
        for frame in found {
            frames.append(frame)
            if let pose = try truths.truth(at: frame.timestamp)?.worldFromCamera {
                truth.append(StampedPose(timestamp: frame.timestamp, worldFromBody: pose))
            }
        }
    }

    private var sinceLastFrame = 0.0

    private mutating func note(_ time: Double, frameCount: Int) {
        sinceLastFrame += time
        guard frameCount > 0 else { return }
        for _ in 0..<frameCount { milliseconds.append(sinceLastFrame / Double(frameCount)) }
        sinceLastFrame = 0
    }
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

/// The processor time that work takes on this thread.
private func processorMilliseconds(_ work: () -> Void) -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
    }
    let start = now()
    work()
    return now() - start
}
