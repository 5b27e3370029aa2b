// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARTruth
import Foundation

// The five tables of a recording.
extension RecordingLayout {
    /// `cam0/data.csv`: stamp, file name.
    func frameTable(isComplete: Bool) throws(RecordingError) -> TimedTable<String> {
        try TimedTable(url(Self.frames), name: Self.frames, dropsUnterminatedRow: !isComplete) {
            line, file throws(RecordingError) in
            let fields = try CsvFields(line, file: file, columns: 2...2)
            return (try fields.timestamp(0), fields.text(1))
        }
    }

    /// `imu0/data.csv`: stamp, angular velocity in rad/s, specific force in m/s².
    func imuTable(isComplete: Bool) throws(RecordingError) -> TimedTable<ImuSample> {
        try TimedTable(url(Self.imu), name: Self.imu, dropsUnterminatedRow: !isComplete) {
            line, file throws(RecordingError) in
            let fields = try CsvFields(line, file: file, columns: 7...7)
            let sample = ImuSample(
                timestamp: try fields.timestamp(0), angularVelocity: try fields.vector(1),
                specificForce: try fields.vector(4))
            return (sample.timestamp, sample)
        }
    }

    /// `state_groundtruth_estimate0/data.csv`: stamp, position, quaternion w x y z, and up to nine columns (velocity,
    /// biases) that are checked to be numbers and not used.
    func groundTruthTable(isComplete: Bool) throws(RecordingError) -> TimedTable<TrajectoryPose> {
        try TimedTable(url(Self.groundTruth), name: Self.groundTruth, dropsUnterminatedRow: !isComplete) {
            line, file throws(RecordingError) in
            let pose = try TrajectoryPose(euroc: CsvFields(line, file: file, columns: 8...17))
            return (pose.timestamp, pose)
        }
    }

    /// `events.jsonl`.
    func eventTable(isComplete: Bool) throws(RecordingError) -> TimedTable<UserEvent> {
        try TimedTable(
            url(Self.events), name: Self.events, allowsEqualStamps: true, dropsUnterminatedRow: !isComplete
        ) { line, file throws(RecordingError) in
            let event = try reading { () throws(DocumentError) in
                try UserEvent(JSONReader.read(line.bytes, file: file, line: line.number))
            }
            return (event.timestamp, event)
        }
    }

    /// `truth.jsonl`.
    func truthTable(isComplete: Bool) throws(RecordingError) -> TimedTable<FrameTruth> {
        try TimedTable(url(Self.truth), name: Self.truth, dropsUnterminatedRow: !isComplete) {
            line, file throws(RecordingError) in
            let truth = try reading { () throws(DocumentError) in
                try FrameTruth(JSONReader.read(line.bytes, file: file, line: line.number))
            }
            return (truth.timestamp, truth)
        }
    }
}

extension CsvFields {
    /// The three numbers from a column on.
    func vector(_ column: Int) throws(RecordingError) -> Vector3 {
        Vector3(try double(column), try double(column + 1), try double(column + 2))
    }

    /// The rotation of a quaternion whose length is one, but for the digits that were not written.
    func rotation(x: Double, y: Double, z: Double, w: Double) throws(RecordingError) -> Rotation {
        let length = Vector4(x, y, z, w).length
        guard let rotation = Rotation(x: x, y: y, z: z, w: w), abs(length - 1) <= Self.quaternionTolerance else {
            throw RecordingError(
                .quaternionLength, file: file, line: line, found: "a quaternion of length \(NumberText.string(length))",
                expected: "length 1")
        }
        return rotation
    }

    /// Quaternions of published trajectories have as few as four digits.
    static let quaternionTolerance = 1e-2
}
