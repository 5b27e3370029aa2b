// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import ARTracking
import ARTruth

/// A frame whose pose was found, and the truth behind it where the session may know it.
struct FoundFrame {
    var tracked: TrackedFrame
    var image: ImageBuffer
    var truth: FrameTruth?
    /// How long finding it took, or `nil` where it was given.
    var stageTimes: StageTimes?
}

/// What finds the poses of a session's frames.
protocol PoseFinder {
    /// Takes an event in, and gives the frames whose poses are now known.
    mutating func process(_ event: SensorEvent, rules: SourceRules) throws -> [FoundFrame]

    /// The frames whose poses were not known before the source ended.
    mutating func finish() -> [FoundFrame]
}

/// Mode `pinned`: poses come from the truth.
struct PinnedPoses: PoseFinder {
    private var tracker: PinnedTracker
    private var truths: any TruthStream

    init(_ source: some SensorSource & TruthSource) throws {
        tracker = PinnedTracker(calibration: source.rig.camera)
        truths = try source.makeTruthStream()
    }

    mutating func process(_ event: SensorEvent, rules: SourceRules) throws -> [FoundFrame] {
        guard case .frame(let frame) = event else { return [] }
        let truth = try truths.truth(at: frame.timestamp)
        try rules.check(truth)
        return [FoundFrame(tracked: tracker.track(frame, truth: truth), image: frame.image, truth: truth)]
    }

    func finish() -> [FoundFrame] { [] }
}

/// Mode `tracked`: poses come from the tracker, which never sees the truth.
struct TrackedPoses: PoseFinder {
    private var tracker: VisualInertialTracker
    private var waiting: [CameraFrame] = []

    init(_ tracker: VisualInertialTracker) { self.tracker = tracker }

    mutating func process(_ event: SensorEvent, rules: SourceRules) -> [FoundFrame] {
        if case .frame(let frame) = event { waiting.append(frame) }
        return withImages(tracker.process(event))
    }

    mutating func finish() -> [FoundFrame] { withImages(tracker.finish()) }

    /// Gives the tracker's frames their pictures back; both come in the order of their stamps.
    private mutating func withImages(_ tracked: [TrackedFrame]) -> [FoundFrame] {
        zip(tracked, tracker.stageTimes).compactMap { tracked, times in
            waiting.removeAll { $0.timestamp < tracked.timestamp }
            guard waiting.first?.timestamp == tracked.timestamp else { return nil }
            return FoundFrame(tracked: tracked, image: waiting.removeFirst().image, stageTimes: times)
        }
    }
}
