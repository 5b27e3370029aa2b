// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What the tracker knows of the device's motion at a frame, and how well.
public struct MotionEstimate: Hashable, Sendable {
    /// The IMU's velocity in the world, in m/s.
    public var velocity: Vector3
    /// The gyroscope's bias, in rad/s, in the IMU's frame.
    public var gyroscopeBias: Vector3
    /// The accelerometer's bias, in m/s², in the IMU's frame.
    public var accelerometerBias: Vector3
    /// How much later than the gyroscope the accelerometer tells what it measures, in seconds; below zero where it is earlier.
    /// Law: `OdometryTests.findsHowLateAnAccelerometerIs`.
    public var accelerometerLagSeconds: Double
    /// The covariance of the camera's pose: position (m²) before rotation (rad²), both in the world's axes, with
    /// truth = (p + δp, Exp(δθ) R). Where tracking begins, or begins anew, is what heading and position are called, without an error
    /// in them: at the first frame with an estimate. How far the camera came before is not in it. Where a motion was told, or a place recognised, that says how well both are known. It is that of the frame's
    /// instant: how well the clocks' offset is known is in it, as far as the camera moves.
    public var poseCovariance: Matrix6x6
    /// The camera's calibration as it is known by now: lens, which is that of a model that distorts, place in the IMU's
    /// frame, offset of the clocks, readout.
    public var calibration: CameraCalibration
    /// Whether nothing more is known than that the device rests, and how it stands.
    public var isProvisional: Bool
    /// How many points the frame shows.
    public var featureCount: Int
    /// The points that have a place in the state.
    public var landmarks: [EstimatedLandmark]
}

/// A point of the world whose place the tracker knows.
public struct EstimatedLandmark: Hashable, Sendable {
    /// The point's number: see ``/ARVision/FeatureID``.
    public var id: UInt64
    /// Where it is, in the world.
    public var position: Point3
    /// How well that is known from the frame's camera: the covariance of its place for a camera that is where it is believed
    /// to be, in m², in the world's axes.
    public var covariance: Matrix3x3
    /// Which part of that, 0 … 1, neighbouring points have in common, because the poses err from which they were seen: the mean of many is known
    /// no better. Zero where nobody has told, as of what ``MotionEstimate/landmarks`` holds. Law: `FollowedPointTests.tellsWhatNeighboursShare`.
    public var sharedPart: Double

    /// A point with this place.
    public init(id: UInt64, position: Point3, covariance: Matrix3x3, sharedPart: Double = 0) {
        self.id = id
        self.position = position
        self.covariance = covariance
        self.sharedPart = sharedPart
    }

    /// The same point in the coordinates of another world, its covariance turned with it: by `targetFromWorld`, which takes coordinates of its
    /// own world, in metres, to the other's. Law: `FollowedPointsTests.movesWithTheWorld`.
    public func moved(by targetFromWorld: RigidTransform) -> EstimatedLandmark {
        let turn = targetFromWorld.rotation.matrix
        var moved = self
        moved.position = targetFromWorld * position
        moved.covariance = turn * covariance * turn.transpose
        return moved
    }
}

extension MotionEstimate {
    init(
        _ odometry: Odometry, calibration: CameraCalibration, featureCount: Int, worldFromEstimate: RigidTransform
    ) {
        let filter = odometry.filter
        velocity = worldFromEstimate.rotation * filter.navigation.velocity
        gyroscopeBias = filter.navigation.errors.gyroscopeBias
        accelerometerBias = filter.navigation.errors.accelerometerBias
        accelerometerLagSeconds = filter.navigation.errors.accelerometerLag
        let covariance = odometry.window.last.map(filter.poseCovariance(ofClone:)) ?? filter.poseCovariance
        poseCovariance = covariance.turned(by: worldFromEstimate.rotation)
        self.calibration = calibration
        isProvisional = odometry.isProvisional
        self.featureCount = featureCount
        landmarks = filter.landmarks.indices.compactMap { slot in
            guard let landmark = filter.landmarks[slot], landmark.absence == nil,
                let place = filter.place(ofLandmark: slot)
            else { return nil }
            return EstimatedLandmark(id: landmark.id, position: place.position, covariance: place.covariance)
                .moved(by: worldFromEstimate)
        }
    }
}

extension Matrix6x6 {
    /// The covariance in other axes.
    fileprivate func turned(by rotation: Rotation) -> Matrix6x6 {
        let turn = rotation.matrix
        func turned(_ block: Matrix3x3) -> Matrix3x3 { turn * block * turn.transpose }
        return Matrix6x6(
            translationByTranslation: turned(translationByTranslation),
            translationByRotation: turned(translationByRotation),
            rotationByTranslation: turned(rotationByTranslation), rotationByRotation: turned(rotationByRotation))
    }
}

extension VisualInertialFilter {
    /// How well velocity, position and rotation are known: standard deviations in m/s, m and rad.
    var deviation: (velocity: Double, position: Double, rotation: Double) {
        let pose = poseCovariance
        func trace(_ block: Matrix3x3) -> Double { block[0].x + block[1].y + block[2].z }
        return (
            deviation(StateLayout.velocity), trace(pose.translationByTranslation).squareRoot(),
            trace(pose.rotationByRotation).squareRoot()
        )
    }

    /// How well the gyroscope's bias is known: a standard deviation in rad/s, over all axes together.
    var gyroscopeBiasDeviation: Double { deviation(StateLayout.gyroscopeBias) }

    /// The standard deviation of three variables together.
    private func deviation(_ first: Int) -> Double {
        (0..<3).reduce(0) { $0 + covariance[first + $1, first + $1] }.squareRoot()
    }

    /// Where a landmark is in the world, and how well that is known for its anchor's pose, or `nil` while its distance is
    /// unknown.
    func place(ofLandmark slot: Int) -> (position: Point3, covariance: Matrix3x3)? {
        guard let landmark = landmarks[slot], let position = pointInWorld(of: landmark), landmark.coordinates.z > 0
        else { return nil }
        // x = R (a, b, 1) / ρ + p: ∂x/∂(a, b, ρ).
        let (a, b, inverse) = (landmark.coordinates.x, landmark.coordinates.y, 1 / landmark.coordinates.z)
        let byCoordinates =
            (clones[landmark.anchor]!.worldFromImu * landmark.imuFromAnchorAxes).rotation.matrix
            * Matrix3x3(
                Vector3(inverse, 0, 0), Vector3(0, inverse, 0), (-inverse * inverse) * Vector3(a, b, 1))
        let first = layout.landmark(slot)
        return (position, byCoordinates * covariance.block(first, first) * byCoordinates.transpose)
    }

    /// The covariance of the camera's pose now.
    var poseCovariance: Matrix6x6 {
        poseCovariance(of: navigation.worldFromImu, StateLayout.rotation, StateLayout.position)
    }

    /// The covariance of the camera's pose at a clone's frame: where the clocks' offset is known badly, so is where a camera that
    /// moves was. Law: `FilterJacobianTests.aFramesPoseErrsWithTheClock`.
    func poseCovariance(ofClone slot: Int) -> Matrix6x6 {
        guard let clone = clones[slot] else { preconditionFailure("slot \(slot) holds no clone") }
        return poseCovariance(of: clone.worldFromImu, layout.clone(slot), layout.clone(slot) + 3)
    }

    /// With p the camera's position, and θ and ρ the errors of the IMU's pose: δp = ρ + θ × p + R δt, δθ = θ + R Rc φ.
    private func poseCovariance(of worldFromImu: RigidTransform, _ θ: Int, _ ρ: Int) -> Matrix6x6 {
        let rotation = worldFromImu.rotation.matrix
        let camera = worldFromImu * calibration.imuFromOptical
        let place = Matrix3x3.crossProduct(camera.translation)
        let worldFromOptical = camera.rotation.matrix
        let (φ, t) = (StateLayout.extrinsicRotation, StateLayout.extrinsicTranslation)
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
