// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRecording
import Foundation

extension Scene {
    /// The file of the camera's trajectory; a relative path starts in ``folder``.
    private var trajectoryURL: URL {
        let path = cameraPath.trajectory.file
        let inFolder = path.hasPrefix("/") ? nil : folder?.appendingPathComponent(path)
        return inFolder ?? URL(fileURLWithPath: path)
    }

    /// The recorded poses of the device's inertial sensor while the scene lasts, placed in the scene.
    ///
    /// Of the rows before the scene's beginning the last is kept, of those after its end the first, so that the motion
    /// covers the whole scene; time zero is the scene's beginning.
    func trajectoryPoses(errorPosition: ScenePosition) throws(SceneError) -> [TimedPose] {
        let trajectory = cameraPath.trajectory
        let file = trajectoryURL
        var rows: [TimedPose] = []
        var firstStamp: Int64?
        do {
            let reader = try TrajectoryReader(file)
            while let row = try reader.next(), (rows.last?.seconds ?? 0) < durationSeconds {
                let first = firstStamp ?? row.timestamp.nanoseconds
                firstStamp = first
                let seconds = Double(row.timestamp.nanoseconds - first) * 1e-9 - trajectory.startSeconds
                if seconds <= 1e-9 { rows.removeAll() }
                rows.append(TimedPose(seconds: seconds, worldFromBody: worldFromImu(row.worldFromBody)))
            }
        } catch {
            throw .unreadableTrajectory(path: file.path, problem: "\(error)", at: errorPosition)
        }
        guard let first = rows.first, let last = rows.last, last.seconds >= durationSeconds, rows.count >= 2,
            first.seconds < durationSeconds
        else {
            throw .outOfRange(
                key: "file", found: "a trajectory that ends \(rows.last?.seconds ?? 0) s after start_s",
                expected: "one that goes on for duration_s, \(durationSeconds)", at: errorPosition)
        }
        return placed(rows)
    }

    /// A row of the file as a pose of the inertial sensor, with our up and the scene's scale.
    private func worldFromImu(_ recorded: RigidTransform) -> RigidTransform {
        let imuFromBody: RigidTransform
        switch cameraPath.trajectory.body {
        case .imu: imuFromBody = .identity
        case .camera: imuFromBody = imuFromOptical * .opticalFromCamera
        case .optical: imuFromBody = imuFromOptical
        }
        var worldFromBody = recorded
        worldFromBody.translation *= cameraPath.trajectory.scale
        if cameraPath.trajectory.up == .z { worldFromBody = .yUpFromZUp * worldFromBody }
        return worldFromBody * imuFromBody.inverse
    }

    private func placed(_ poses: [TimedPose]) -> [TimedPose] {
        let turn = Rotation(rotationVector: Vector3(0, cameraPath.trajectory.turnRadians, 0))
        let first = turn * poses.place(at: 0)
        let placedFromRecorded = RigidTransform(
            rotation: turn, translation: cameraPath.trajectory.place.map { $0 - first } ?? .zero)
        return poses.map {
            TimedPose(seconds: $0.seconds, worldFromBody: placedFromRecorded * $0.worldFromBody)
        }
    }
}

extension [TimedPose] {
    /// The place at a time between the first two poses, on a straight line.
    fileprivate func place(at seconds: Double) -> Point3 {
        let (before, after) = (self[0], self[1])
        let span = after.seconds - before.seconds
        let fraction = span > 0 ? (seconds - before.seconds) / span : 0
        return mix(before.worldFromBody.translation, after.worldFromBody.translation, fraction)
    }
}
