// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARFiles
import ARGeometry
import ARRecording
import ARSensing
import ARTruth
import Foundation

/// What a trajectory's file does not say of itself.
public struct TrajectoryReading: Hashable, Sendable {
    /// The axis that points up in files whose world's axes are not fixed: TUM, EuRoC and KITTI.
    public var up = Up.z
    /// Whose poses are taken from a recording's truth.
    public var body = Body.camera

    /// An axis that points up.
    public enum Up: String, Hashable, Sendable, CaseIterable {
        /// As in ARKit and here.
        case y
        /// As in EuRoC and motion capture.
        case z
    }

    /// A body of a recording's device.
    public enum Body: String, Hashable, Sendable, CaseIterable {
        /// The camera with ARKit's axes: +X right, +Y up, looking along −Z.
        case camera
        /// The camera with OpenCV's axes: +X right, +Y down, looking along +Z.
        case optical
        /// The inertial sensor.
        case imu
    }

    /// A file whose world's third axis points up, and the camera of a recording.
    public init(up: Up = .z, body: Body = .camera) {
        self.up = up
        self.body = body
    }
}

extension Trajectory {
    /// Reads a trajectory in our world, +Y up: a recording's folder, of which the truth is taken; a trace; a `truth.jsonl`;
    /// or a file of TUM's, EuRoC's or KITTI's kind. The first row decides which.
    public init(contentsOf place: URL, _ reading: TrajectoryReading = TrajectoryReading()) throws {
        if place.isFolder {
            try self.init(truthOf: Recording(opening: place), body: reading.body)
            return
        }
        switch try TrajectoryFileKind(of: place) {
        case .jsonLines: try self.init(jsonLines: place)
        case .kitti: self = try Trajectory(kitti: place).yUp(from: reading.up)
        case .table: self = try Trajectory(table: place).yUp(from: reading.up)
        }
        try checkSpan(file: place.lastPathComponent)
    }

    /// Checks that times between instants can be told in nanoseconds.
    private func checkSpan(file: String) throws(DocumentError) {
        for instants in [poses.map(\.timestamp), states.map(\.timestamp)] {
            guard let first = instants.first, let last = instants.last else { continue }
            guard last.nanoseconds.subtractingReportingOverflow(first.nanoseconds).overflow else { continue }
            throw DocumentError(
                file: file, line: 1, column: 1, found: "instants from \(first) ns to \(last) ns",
                expected: "less than 292 years")
        }
    }

    /// The truth of a recording or a scene, at its frames' instants. Frames whose truth is unknown are left out.
    public init(truthOf source: any SensorSource & TruthSource, body: TrajectoryReading.Body = .camera) throws {
        let camera = try source.trueCamera()
        let cameraFromBody: RigidTransform =
            switch body {
            case .camera: .identity
            case .optical: .cameraFromOptical
            case .imu: camera.imuFromCamera.inverse
            }
        var stamps = try source.makeFrameStamps()
        var truths = try source.makeTruthStream()
        var poses: [StampedPose] = []
        while let stamp = try stamps.next() {
            guard let truth = try truths.cameraTruth(at: stamp) else { continue }
            poses.append(
                StampedPose(timestamp: truth.timestamp, worldFromBody: truth.worldFromCamera * cameraFromBody))
        }
        self.init(poses.sorted { $0.timestamp < $1.timestamp })
    }

    /// Reads a file of TUM's or EuRoC's kind, its axes as they are.
    private init(table file: URL) throws {
        let reader = try TrajectoryReader(file)
        var poses: [StampedPose] = []
        while let pose = try reader.next() {
            poses.append(StampedPose(timestamp: pose.timestamp, worldFromBody: pose.worldFromBody))
        }
        self.init(poses)
    }

    private func yUp(from up: TrajectoryReading.Up) -> Trajectory {
        switch up {
        case .y: self
        case .z: moved(by: .yUpFromZUp)
        }
    }
}

/// The kinds of files that hold trajectories.
private enum TrajectoryFileKind {
    /// Our trace or truth.
    case jsonLines
    /// Twelve numbers a row.
    case kitti
    /// TUM's or EuRoC's.
    case table

    init(of file: URL) throws(FileError) {
        let reader = try LineReader(file)
        while let line = try reader.next() {
            guard !line.isBlank, line.bytes.first != UInt8(ascii: "#") else { continue }
            if line.bytes.first == UInt8(ascii: "{") {
                self = .jsonLines
            } else {
                let numbers = line.bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
                self = numbers.count == 12 ? .kitti : .table
            }
            return
        }
        self = .table
    }
}
