// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What the tracker knows of the device's motion at a frame, and how well.
public struct MotionEstimate: Hashable, Sendable {
    /// The IMU's velocity in the world, in m/s.
    public var velocity: Vector3
    /// The gyroscope's bias, in rad/s, in the IMU's frame.
    public var gyroscopeBias: Vector3
    /// The accelerometer's bias, in m/s², in the IMU's frame.
    public var accelerometerBias: Vector3
    /// The covariance of the camera's pose: position (m²) before rotation (rad²), both in the world's axes, with
    /// truth = (p + δp, Exp(δθ) R).
    public var poseCovariance: Matrix6x6
    /// How many points the frame shows.
    public var featureCount: Int
    /// The points that have a place in the state.
    public var landmarks: [EstimatedLandmark]
}

/// A point of the world with a place in the tracker's state.
public struct EstimatedLandmark: Hashable, Sendable {
    /// The point's number: see ``/ARVision/FeatureID``.
    public var id: UInt64
    /// Where it is, in the world.
    public var position: Point3
}

extension MotionEstimate {
    init(_ odometry: Odometry, featureCount: Int) {
        let filter = odometry.filter
        velocity = filter.navigation.velocity
        gyroscopeBias = filter.navigation.errors.gyroscopeBias
        accelerometerBias = filter.navigation.errors.accelerometerBias
        poseCovariance = filter.poseCovariance
        self.featureCount = featureCount
        landmarks = filter.landmarks.compactMap { landmark in
            landmark.flatMap { landmark in
                filter.pointInWorld(of: landmark).map { EstimatedLandmark(id: landmark.id, position: $0) }
            }
        }
    }
}

extension VisualInertialFilter {
    /// The covariance of the camera's pose. With p the camera's position: δp = ρ + θ × p + R δt, δθ = θ + R Rc φ.
    var poseCovariance: Matrix6x6 {
        let rotation = navigation.worldFromImu.rotation.matrix
        let camera = navigation.worldFromImu * calibration.imuFromOptical
        let place = Matrix3x3.crossProduct(camera.translation)
        let worldFromOptical = camera.rotation.matrix
        let (θ, ρ, φ, t) = (
            StateLayout.rotation, StateLayout.position, StateLayout.extrinsicRotation, StateLayout.extrinsicTranslation
        )
        // Rows of the map from (θ, ρ, φ, t).
        let position: [(Int, Matrix3x3)] = [(θ, -place), (ρ, .identity), (t, rotation)]
        let turn: [(Int, Matrix3x3)] = [(θ, .identity), (φ, worldFromOptical)]
        func block(_ a: [(Int, Matrix3x3)], _ b: [(Int, Matrix3x3)]) -> Matrix3x3 {
            var sum = Matrix3x3.zero
            for (i, left) in a {
                for (j, right) in b { sum = sum + left * covariance.block(i, j) * right.transpose }
            }
            return sum
        }
        let cross = block(position, turn)
        return Matrix6x6(
            translationByTranslation: block(position, position), translationByRotation: cross,
            rotationByTranslation: cross.transpose, rotationByRotation: block(turn, turn))
    }
}
