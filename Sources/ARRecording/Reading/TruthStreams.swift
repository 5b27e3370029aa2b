// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

/// The rows of `truth.jsonl`: known at the frames' instants, and nowhere else.
struct RecordedTruthStream: TruthStream {
    private let table: TimedTable<FrameTruth>
    private let cameraOffset: Int64
    private let longestDelay: Int64
    private let pictures: TruthPictureFiles
    private var head: FrameTruth?
    /// Rows that a late frame may still ask for, in the order of their stamps.
    private var passed: ArraySlice<FrameTruth> = []

    init(_ recording: Recording) throws(RecordingError) {
        table = try recording.layout.truthTable(isComplete: recording.isComplete)
        cameraOffset = recording.appliedCameraTimeOffsetNanoseconds
        longestDelay = recording.longestDelayNanoseconds ?? 0
        pictures = TruthPictureFiles(layout: recording.layout, kinds: recording.truthPictures)
        try advance()
    }

    mutating func truth(at timestamp: Timestamp) throws -> FrameTruth? {
        guard var truth = try row(at: timestamp) else { return nil }
        truth.pictures = try pictures.read(Timestamp(nanoseconds: timestamp.nanoseconds - cameraOffset))
        return truth
    }

    private mutating func row(at timestamp: Timestamp) throws(RecordingError) -> FrameTruth? {
        while let truth = head, truth.timestamp < timestamp {
            passed.append(truth)
            try advance()
        }
        while let oldest = passed.first, timestamp.nanoseconds(since: oldest.timestamp) > longestDelay {
            passed.removeFirst()
        }
        if let head, head.timestamp == timestamp { return head }
        return passed.last { $0.timestamp == timestamp }
    }

    private mutating func advance() throws(RecordingError) {
        head = try table.next()?.value
        head?.timestamp.nanoseconds += cameraOffset
    }
}

/// EuRoC's ground truth, interpolated between its rows.
struct GroundTruthStream: TruthStream {
    private let bodyFromCamera: RigidTransform
    private var poses: PoseInterpolator

    init(_ recording: Recording) throws {
        bodyFromCamera = try recording.imuFromBody.inverse * recording.trueCamera().imuFromCamera
        let table = try recording.layout.groundTruthTable(isComplete: recording.isComplete)
        poses = PoseInterpolator(
            longestGapNanoseconds: Recording.longestPoseGapNanoseconds,
            longestDelayNanoseconds: recording.longestDelayNanoseconds ?? 0
        ) { () throws(RecordingError) in try table.next()?.value }
    }

    mutating func truth(at timestamp: Timestamp) throws -> FrameTruth? {
        guard let worldZUpFromBody = try poses.pose(at: timestamp) else { return nil }
        return FrameTruth(
            timestamp: timestamp, worldFromCamera: .yUpFromZUp * worldZUpFromBody * bodyFromCamera)
    }
}

/// The truth of a recording that has none.
struct UnknownTruthStream: TruthStream {
    mutating func truth(at timestamp: Timestamp) -> FrameTruth? { nil }
}
