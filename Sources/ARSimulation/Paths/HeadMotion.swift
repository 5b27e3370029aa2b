// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How a head moves: smoothly from pose to pose. Law: `ObjectMotionTests.headsFollowTheirPoses`.
struct HeadMotion: Hashable, Sendable {
    private let worldFromRest: RigidTransform
    private let offsets: MonotoneCurve<Vector3>
    /// Pitch, yaw and roll, in radians.
    private let angles: MonotoneCurve<Vector3>

    /// The motion of a scene's head.
    init(_ head: Scene.Head) {
        worldFromRest = RigidTransform(rotation: .head(facing: head.facing), translation: head.position)
        let poses = head.poses.isEmpty ? [Scene.HeadPose()] : head.poses
        let times = poses.map(\.seconds)
        offsets = MonotoneCurve(through: poses.map(\.offset), at: times)
        angles = MonotoneCurve(
            through: poses.map { Vector3($0.pitchRadians, $0.yawRadians, $0.rollRadians) }, at: times)
    }

    /// The head's pose.
    func worldFromHead(at seconds: Double) -> RigidTransform {
        let angles = angles.value(at: seconds)
        let turn = Rotation(EulerAngles(pitch: angles.x, yaw: angles.y, roll: angles.z))
        return worldFromBust(at: seconds) * RigidTransform(rotation: turn)
    }

    /// The pose of the neck and shoulders, which go where the head goes and do not turn with it.
    func worldFromBust(at seconds: Double) -> RigidTransform {
        RigidTransform(
            rotation: worldFromRest.rotation, translation: worldFromRest.translation + offsets.value(at: seconds))
    }
}

extension Rotation {
    /// The axes of an upright head that looks that way: +Z is the direction, +X is horizontal.
    fileprivate static func head(facing direction: Vector3) -> Rotation {
        guard let forward = direction.normalized(), let left = Vector3(0, 1, 0).cross(forward).normalized() else {
            return .identity
        }
        return Rotation(Matrix3x3(left, forward.cross(left), forward)) ?? .identity
    }
}
