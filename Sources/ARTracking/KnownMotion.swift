// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Where the IMU is at an instant and how fast, known from elsewhere: what a ``VisualInertialTracker`` can start from
/// instead of finding out for itself. Its world is then the one that the pose is given in. Laws:
/// `KnownStartTests.aFilterBeginsWithWhatIsKnown`, `KnownMotionTests.aFlightGoesOnFromAKnownState`.
public struct KnownMotion: Hashable, Sendable {
    /// The instant, on the IMU's clock.
    public var timestamp: Timestamp
    /// The IMU's pose; the world's +Y is up.
    public var worldFromImu: RigidTransform
    /// The IMU's velocity in the world, in m/s.
    public var velocity: Vector3
    /// What the gyroscope shows at rest, in rad/s, in the IMU's frame.
    public var gyroscopeBias: Vector3
    /// What the accelerometer shows beyond the specific force, in m/s², in the IMU's frame.
    public var accelerometerBias: Vector3
    /// How well that is known: the standard deviations along each axis.
    public var deviations: Deviations

    /// Standard deviations along each axis. Position and heading are what they are called.
    public struct Deviations: Hashable, Sendable {
        /// Of the velocity, in m/s.
        public var velocity = 0.03
        /// Of the direction of gravity, in radians.
        public var tilt = 0.005
        /// Of the gyroscope's bias, in rad/s.
        public var gyroscopeBias = 0.003
        /// Of the accelerometer's bias, in m/s²: no motion capture knows it, so that it is as uncertain as at other starts.
        public var accelerometerBias = 0.1

        /// What motion capture knows.
        public init() {}
    }

    /// A motion with these values.
    public init(
        timestamp: Timestamp, worldFromImu: RigidTransform, velocity: Vector3, gyroscopeBias: Vector3 = .zero,
        accelerometerBias: Vector3 = .zero, deviations: Deviations = Deviations()
    ) {
        self.timestamp = timestamp
        self.worldFromImu = worldFromImu
        self.velocity = velocity
        self.gyroscopeBias = gyroscopeBias
        self.accelerometerBias = accelerometerBias
        self.deviations = deviations
    }
}

extension Initialiser.Start {
    /// The beginning of a filter that is told how it moves.
    init(_ known: KnownMotion, calibration: CameraState, settings: InitialisationSettings) {
        var covariance = DenseMatrix(rows: StartLayout.count, columns: StartLayout.count)
        let deviations = known.deviations
        for (first, deviation) in [
            (StartLayout.velocity, deviations.velocity),
            (StartLayout.gravity, deviations.tilt * settings.gravityStrength),
            (StartLayout.gyroscopeBias, deviations.gyroscopeBias),
            (StartLayout.accelerometerBias, deviations.accelerometerBias),
        ] {
            for variable in first..<first + 3 { covariance[variable, variable] = deviation * deviation }
        }
        for variable in StartLayout.gyroscopeDistortion..<StartLayout.count {
            let deviation = settings.calibration.deviation(of: variable)
            covariance[variable, variable] = deviation * deviation
        }
        self.init(
            navigation: NavigationState(
                timestamp: known.timestamp, worldFromImu: known.worldFromImu, velocity: known.velocity,
                errors: ImuErrors(
                    gyroscopeBias: known.gyroscopeBias, accelerometerBias: known.accelerometerBias)),
            calibration: calibration, covariance: covariance)
    }
}
