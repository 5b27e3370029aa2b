// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFaults
import ARGeometry
import ARSensing
import ARTruth
import Foundation

extension RecordingWriter {
    /// Records all that a source gives, with its truth where there is any, and returns the number of frames.
    ///
    /// Of a `FaultedSource` the calibration and the stamps are recorded as the session gets them; the rows of EuRoC's
    /// ground truth are the IMU's true poses at the true instants.
    /// - Parameter progress: called after each frame with the number of frames so far.
    @discardableResult
    public static func record(
        _ source: any SensorSource, truth: (any TruthSource)?, to folder: URL, session: SessionDescription,
        progress: (Int) -> Void = { _ in }
    ) throws -> Int {
        let faulted = source as? FaultedSource
        var session = session
        if let faulted { session.faults += faulted.faults }
        let sessionTruth = try truth?.sessionTruth()
        let writer = try RecordingWriter(
            creating: folder, rig: source.rig, session: session,
            longestDelayNanoseconds: source.longestDelayNanoseconds,
            longestStampErrorNanoseconds: faulted?.longestStampErrorNanoseconds ?? 0,
            trueImuFromCamera: sessionTruth?.camera?.imuFromCamera)
        if let sessionTruth { try writer.writeIfKnown(sessionTruth) }
        var stream = try source.makeStream()
        var truths = try truth?.makeTruthStream()
        let frameCount = try writer.appendAll(of: &stream, truths: &truths) { count, _ in progress(count) }
        try writer.finish()
        return frameCount
    }

    /// Writes the truth of a session that has more of it than the planes that it declares anyway.
    private func writeIfKnown(_ truth: SessionTruth) throws(RecordingError) {
        if truth != SessionTruth(planes: truth.planes) { try write(truth) }
    }

    /// Appends a stream's events, and before each frame what is true at it.
    private func appendAll<Stream: SensorStream>(
        of stream: inout Stream, truths: inout (any TruthStream)?, progress: (Int, Stream) -> Void
    ) throws -> Int {
        var frameCount = 0
        while let event = try stream.next() {
            guard case .frame(let frame) = event else {
                try append(event)
                continue
            }
            if let frameTruth = try truths?.truth(at: frame.timestamp) {
                let instant = try (truths as? FaultedTruthStream)?.instant(ofFrame: frame.timestamp)
                try append(frameTruth, trueAt: instant)
            }
            frameCount += 1
            try append(event)
            progress(frameCount, stream)
        }
        return frameCount
    }

    /// Writes a recording anew: pictures become PNG files, stamps are on one clock, and it is complete; every row of its
    /// ground truth is kept. Returns the number of frames.
    @discardableResult
    public static func convert(
        _ recording: Recording, to folder: URL, progress: (Int) -> Void = { _ in }
    ) throws -> Int {
        let source = try FaultedSource(recording.withTruthPictures, faults: [])
        return try mutate(source, of: recording, to: folder) { _, count in progress(count) }.frameCount
    }

    /// Writes a recording anew with faults applied to it, which are added to its manifest.
    /// - Parameters:
    ///   - seed: decides on the seeds of the faults that have none.
    ///   - progress: called after each frame with the number of the recording's frames that are done.
    public static func mutate(
        _ recording: Recording, faults: [Fault], seed: UInt64 = 0, to folder: URL, progress: (Int) -> Void = { _ in }
    ) throws -> Mutation {
        let source = try FaultedSource(
            recording.withTruthPictures, faults: faults, seed: seed, earlierFaults: recording.session.faults.count)
        return try mutate(source, of: recording, to: folder) { taken, _ in progress(taken) }
    }

    private static func mutate(
        _ source: FaultedSource, of recording: Recording, to folder: URL, progress: (_ taken: Int, _ given: Int) -> Void
    ) throws -> Mutation {
        var session = recording.session
        session.faults += source.faults
        let hasGroundTruth = recording.layout.exists(RecordingLayout.groundTruth)
        let writer = try RecordingWriter(
            creating: folder, rig: source.rig, session: session, groundTruthRows: hasGroundTruth ? .given : .atFrames,
            longestDelayNanoseconds: source.longestDelayNanoseconds,
            longestStampErrorNanoseconds: source.longestStampErrorNanoseconds,
            trueImuFromCamera: recording.trueCamera().imuFromCamera)
        if hasGroundTruth { try writer.appendGroundTruth(of: recording, in: source) }
        try writer.writeIfKnown(source.sessionTruth())
        var stream = try source.makeFaultedStream()
        var truths: (any TruthStream)? = try source.makeFaultedTruthStream()
        let frameCount = try writer.appendAll(of: &stream, truths: &truths) { given, stream in
            progress(stream.framesTaken, given)
        }
        try writer.finish()
        return Mutation(
            frameCount: frameCount,
            faults: zip(source.faults, stream.counts).map { Mutation.Effect(fault: $0, counts: $1) })
    }

    /// The rows of a recording's ground truth that lie in the session, at their instants on its clock.
    private func appendGroundTruth(of recording: Recording, in source: FaultedSource) throws(RecordingError) {
        let table = try recording.layout.groundTruthTable(isComplete: recording.isComplete)
        while let row = try table.next() {
            guard let instant = source.instant(row.timestamp) else { continue }
            let worldFromBody = .yUpFromZUp * row.value.worldFromBody
            try append(worldFromImu: worldFromBody * recording.imuFromBody.inverse, at: instant)
        }
    }
}

extension Recording {
    /// The recording with all truth pictures that it has.
    fileprivate var withTruthPictures: Recording {
        var recording = self
        recording.truthPictures = availableTruthPictures
        return recording
    }
}

/// What applying faults to a recording amounted to.
public struct Mutation: Hashable, Sendable {
    /// How many frames the new recording gives.
    public var frameCount: Int
    /// What each fault did.
    public var faults: [Effect]

    /// A fault and what it did.
    public struct Effect: Hashable, Sendable {
        /// The fault, with its seed.
        public var fault: Fault
        /// What was done.
        public var counts: FaultCounts
    }
}
