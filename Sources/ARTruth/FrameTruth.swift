// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What is true at a frame's instant, whoever perceives it.
///
/// Lists are in the session's own order, the same in every frame; what is out of sight is in them too, with the visible
/// fraction zero.
public struct FrameTruth: Hashable, Sendable {
    /// The frame's instant.
    public var timestamp: Timestamp
    /// The camera's pose: ARKit's axes, world +Y up.
    public var worldFromCamera: RigidTransform
    /// How the device moves and how its inertial sensor errs, where that is known.
    public var inertia: InertiaTruth?
    /// The fingertip, where the session has one.
    public var fingertip: FingertipTruth?
    /// How much of each plane of ``SessionTruth/planes`` is seen.
    public var planes: [PlaneTruth] = []
    /// The image targets.
    public var targets: [ImageTargetTruth] = []
    /// The rectangles: cards, sheets.
    public var rectangles: [RectangleTruth] = []
    /// The codes.
    public var codes: [CodeTruth] = []
    /// The faces.
    public var faces: [FaceTruth] = []
    /// What each pixel sees, where that was asked for.
    public var pictures = TruthPictures()

    /// The truth at an instant.
    public init(timestamp: Timestamp, worldFromCamera: RigidTransform, fingertip: FingertipTruth? = nil) {
        self.timestamp = timestamp
        self.worldFromCamera = worldFromCamera
        self.fingertip = fingertip
    }
}

/// How a device really moves, and how its inertial sensor errs.
public struct InertiaTruth: Hashable, Sendable {
    /// The velocity of the IMU's origin in the world, in m/s.
    public var velocityInWorld: Vector3
    /// The angular velocity in the IMU's axes, in rad/s.
    public var angularVelocityInImu: Vector3
    /// What the gyroscope shows at rest, in rad/s.
    public var gyroscopeBias: Vector3
    /// What the accelerometer shows beyond the specific force, in m/s².
    public var accelerometerBias: Vector3

    /// The truth about a motion and its sensor.
    public init(
        velocityInWorld: Vector3, angularVelocityInImu: Vector3, gyroscopeBias: Vector3, accelerometerBias: Vector3
    ) {
        self.velocityInWorld = velocityInWorld
        self.angularVelocityInImu = angularVelocityInImu
        self.gyroscopeBias = gyroscopeBias
        self.accelerometerBias = accelerometerBias
    }
}
