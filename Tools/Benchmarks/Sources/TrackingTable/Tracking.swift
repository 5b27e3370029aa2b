// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation
import Timing

/// A session that is being tracked, frame by frame.
final class Tracking {
    /// What has become of it so far.
    private(set) var run = TrackedRun()
    private var stream: any SensorStream
    private var truths: any TruthStream
    private var tracker: VisualInertialTracker
    private var sinceLastFrame = 0.0

    /// A session at its beginning. The truth is only compared: the tracker does not see it.
    init(_ stream: any SensorStream, truths: any TruthStream, rig: SensorRig) {
        self.stream = stream
        self.truths = truths
        tracker = VisualInertialTracker(rig: rig)
    }

    /// Goes on past the next frame of the stream; `false` when there is none and everything is tracked.
    func advance() throws -> Bool {
        while let event = try stream.next() {
            var found: [TrackedFrame] = []
            let time = milliseconds { found = tracker.process(event) }
            note(time, frameCount: found.count)
            try append(found)
            if case .frame = event { return true }
        }
        try append(tracker.finish())
        run.stageTimes += tracker.stageTimes
        return false
    }

    private func append(_ found: [TrackedFrame]) throws {
        for frame in found {
            run.frames.append(frame)
            if let pose = try truths.truth(at: frame.timestamp)?.worldFromCamera {
                run.truth.append(StampedPose(timestamp: frame.timestamp, worldFromBody: pose))
            }
        }
    }

    private func note(_ time: Double, frameCount: Int) {
        sinceLastFrame += time
        guard frameCount > 0 else { return }
        for _ in 0..<frameCount { run.milliseconds.append(sinceLastFrame / Double(frameCount)) }
        run.stageTimes += tracker.stageTimes
        sinceLastFrame = 0
    }
}

extension TrackedRun {
    /// Tracks a session from its beginning to its end.
    /// - Parameter name: what the session is called where progress is told of.
    init(_ source: any SensorSource & TruthSource, name: String) throws {
        let progress = FrameProgress("\(name): tracked", total: source.expectedFrameCount)
        let tracking = Tracking(try source.makeStream(), truths: try source.makeTruthStream(), rig: source.rig)
        var count = 0
        while try tracking.advance() {
            count += 1
            progress.show(count)
        }
        self = tracking.run
    }

    /// Tracks a scene with several seeds of its sensors, side by side: each frame is rendered once, and seen by all
    /// trackers before the next.
    /// - Parameters:
    ///   - threads: on how many threads the frames are rendered, and then tracked.
    ///   - name: what the scene is called where progress is told of.
    static func sideBySide(
        _ scene: Scene, sensorSeeds: [UInt64], threads: Int, name: String
    ) throws -> [TrackedRun] {
        let session = try SceneSession(scene: scene, threads: threads)
        let progress = FrameProgress(
            "\(name), seeds \(sensorSeeds.map(String.init).joined(separator: ", ")): tracked",
            total: session.expectedFrameCount)
        // Each is on one thread at a time.
        nonisolated(unsafe) let trackings = zip(sensorSeeds, session.makeStreams(sensorSeeds: sensorSeeds)).map {
            Tracking(GrayStream(of: $1), truths: PoseTruth(session: session), rig: session.withSensorSeed($0).rig)
        }
        let workers = Workers(count: threads)
        var count = 0
        while try workers.map(Array(trackings.indices), { try trackings[$0].advance() }).contains(true) {
            count += 1
            progress.show(count)
        }
        return trackings.map(\.run)
    }
}

/// Knows a scene's camera poses, and looks at nothing else.
private struct PoseTruth: TruthStream {
    let session: SceneSession

    func truth(at timestamp: Timestamp) -> FrameTruth? {
        FrameTruth(
            timestamp: timestamp,
            worldFromCamera: session.worldFromCamera(at: timestamp.seconds(since: SceneSession.start)))
    }
}
