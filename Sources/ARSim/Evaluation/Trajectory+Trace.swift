// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARFiles
import ARGeometry
import ARSensing
import Foundation

extension Trajectory {
    /// Reads a trace, whose first line is its header, or the rows of a `truth.jsonl`, which has none.
    ///
    /// Keys that are not known are passed over. A row without a pose is a frame whose state alone is known.
    init(jsonLines file: URL) throws {
        let reader = try LineReader(file)
        var rows = TraceRows()
        while let line = try reader.next() {
            guard !line.isBlank else { continue }
            try rows.append(JSONReader.read(line.bytes, file: file.lastPathComponent, line: line.number))
        }
        self.init(rows.poses, states: rows.states, covariances: rows.covariances, mode: rows.mode)
    }
}

/// What has been read of a trace.
private struct TraceRows {
    var mode: String?
    var poses: [StampedPose] = []
    var states: [StampedState] = []
    var covariances: [Int: Matrix6x6] = [:]
    private var hasRows = false
    private var last: Timestamp?

    mutating func append(_ node: DocumentNode) throws(DocumentError) {
        defer { hasRows = true }
        if let version = try node.value("arsim_trace") {
            guard !hasRows, try version.int64() == TraceWriter.formatVersion else {
                throw version.error(expected: "a trace of version \(TraceWriter.formatVersion), with one header")
            }
            mode = try node.required("mode").string()
        } else if let time = try node.value("time_ns") {
            try appendFrame(node, at: instant(time))
        } else {
            try appendTruth(node, at: instant(node.required("t_ns")))
        }
    }

    private mutating func instant(_ node: DocumentNode) throws(DocumentError) -> Timestamp {
        let instant = Timestamp(nanoseconds: try node.int64())
        if let last, instant < last { throw node.error(expected: "an instant that is not before \(last)") }
        last = instant
        return instant
    }

    private mutating func appendFrame(_ node: DocumentNode, at instant: Timestamp) throws(DocumentError) {
        states.append(StampedState(timestamp: instant, state: try node.required("tracking_state").string()))
        guard let pose = try node.value("world_from_camera") else { return }
        if let covariance = try node.value("pose_covariance") {
            covariances[poses.count] = try Matrix6x6(rows: covariance)
        }
        poses.append(StampedPose(timestamp: instant, worldFromBody: try RigidTransform(tracePose: pose)))
    }

    private mutating func appendTruth(_ node: DocumentNode, at instant: Timestamp) throws(DocumentError) {
        let pose = try RigidTransform(
            node.required("world_from_camera"), rotation: "rotation_xyzw", translation: "translation_m")
        poses.append(StampedPose(timestamp: instant, worldFromBody: pose))
    }
}

extension RigidTransform {
    /// Reads a pose of a trace.
    init(tracePose node: DocumentNode) throws(DocumentError) {
        try self.init(node, rotation: "orientation_xyzw", translation: "position_m")
    }

    /// Reads a pose whose rotation and translation stand under these keys.
    fileprivate init(
        _ node: DocumentNode, rotation rotationKey: String, translation: String
    ) throws(DocumentError) {
        let q = try node.required(rotationKey).doubles(count: 4)
        guard let rotation = Rotation(x: q[0], y: q[1], z: q[2], w: q[3]),
            abs(Vector4(q[0], q[1], q[2], q[3]).length - 1) < 1e-6
        else { throw try node.required(rotationKey).error(expected: "a quaternion x y z w of length 1") }
        let p = try node.required(translation).doubles(count: 3)
        self.init(rotation: rotation, translation: Vector3(p[0], p[1], p[2]))
    }
}

extension Matrix6x6 {
    /// Reads 36 numbers, row after row.
    fileprivate init(rows node: DocumentNode) throws(DocumentError) {
        let numbers = try node.doubles(count: 36)
        func block(_ row: Int, _ column: Int) -> Matrix3x3 {
            func line(_ offset: Int) -> Vector3 {
                let start = (row + offset) * 6 + column
                return Vector3(numbers[start], numbers[start + 1], numbers[start + 2])
            }
            return Matrix3x3(rows: line(0), line(1), line(2))
        }
        self.init(
            translationByTranslation: block(0, 0), translationByRotation: block(0, 3),
            rotationByTranslation: block(3, 0), rotationByRotation: block(3, 3))
    }
}
