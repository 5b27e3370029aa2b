// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What is known of a camera before the first frame.
public struct CameraCalibration: Hashable, Sendable {
    /// The lens and the sensor.
    public var camera: Camera
    /// Columns and rows of each frame.
    public var imageSize: ImageSize
    /// Where the camera sits in the body: optical axes (+X right, +Y down, +Z forward) to the IMU's. EuRoC's `T_BS`.
    public var imuFromOptical: RigidTransform
    /// The nominal frame rate, in hertz.
    public var rateInHertz: Double
    /// The time from the first row's exposure to the last row's, in nanoseconds; zero for a global shutter, and below zero where the last
    /// row comes first, as in pictures that were turned by half a turn. ``Uncertainty/readoutSeconds`` says whether it is known.
    public var readoutNanoseconds: Int64
    /// To be added to a frame's stamp to get the IMU clock's time, in nanoseconds. Kalibr's `timeshift_cam_imu`.
    public var imuFromCameraTimeOffsetNanoseconds: Int64
    /// How well all that is known.
    public var uncertainty = Uncertainty()

    /// How well a calibration is known, as far as its maker says: standard deviations above zero, of each number for itself. What
    /// is not said, `nil`, is as uncertain as a phone's whose maker says nothing. Law:
    /// `KnownStartTests.whatIsSaidOfACalibrationIsBelieved`.
    public struct Uncertainty: Hashable, Sendable {
        /// Of the focal lengths, as a share of them.
        public var focalShare: Double?
        /// Of the principal point, in pixels.
        public var principalPointPixels: Double?
        /// Of the first coefficient of the distortion, k1, a number without a unit; of a pinhole's, which is zero.
        public var radialDistortion: Double?
        /// Of the turn in ``imuFromOptical`` about each of the optical axes, in radians.
        public var rotationRadians: Double?
        /// Of the place in ``imuFromOptical`` along each of the IMU's axes, in metres.
        public var translationMeters: Double?
        /// Of ``imuFromCameraTimeOffsetNanoseconds``, in seconds.
        public var timeOffsetSeconds: Double?
        /// Of ``readoutNanoseconds``, in seconds. Where it is not said, that is taken to be stated, and known to 0.3 ms: who does not
        /// know it says ``unstatedReadoutSeconds``, and who knows that all rows are exposed at once, next to nothing.
        public var readoutSeconds: Double?

        /// That of a readout of which nothing at all is said, not even that there is none, in seconds: cameras of phones take from 5 to 33 ms,
        /// those with a global shutter no time. Law: `OdometryTests.findsAReadoutThatNobodyStates`.
        public static let unstatedReadoutSeconds = 0.015

        /// Nothing said.
        public init() {}
    }

    /// A calibration with these values.
    public init(
        camera: Camera, imageSize: ImageSize, imuFromOptical: RigidTransform = .identity, rateInHertz: Double,
        readoutNanoseconds: Int64 = 0, imuFromCameraTimeOffsetNanoseconds: Int64 = 0
    ) {
        self.camera = camera
        self.imageSize = imageSize
        self.imuFromOptical = imuFromOptical
        self.rateInHertz = rateInHertz
        self.readoutNanoseconds = readoutNanoseconds
        self.imuFromCameraTimeOffsetNanoseconds = imuFromCameraTimeOffsetNanoseconds
    }

    /// ARKit's camera axes (+X right, +Y up, looking along −Z) to the IMU's.
    public var imuFromCamera: RigidTransform { imuFromOptical * .opticalFromCamera }
}

/// What is known of an inertial sensor: Kalibr's noise model, per axis, and how far its axes may be wrong.
public struct ImuCalibration: Hashable, Sendable {
    /// The nominal sample rate, in hertz.
    public var rateInHertz: Double
    /// White noise of the gyroscope, in rad/s/√Hz.
    public var gyroscopeNoiseDensity: Double
    /// Random walk of the gyroscope's bias, in rad/s²/√Hz.
    public var gyroscopeRandomWalk: Double
    /// White noise of the accelerometer, in m/s²/√Hz.
    public var accelerometerNoiseDensity: Double
    /// Random walk of the accelerometer's bias, in m/s³/√Hz.
    public var accelerometerRandomWalk: Double
    /// How far the readings may be wrong by more than noise and bias.
    public var uncertainty = Uncertainty()

    /// How far scale factors may be from one, and axes from where they are said to be, as far as the sensor's maker says: standard
    /// deviations above zero, of each number for itself. What is not said, `nil`, is as uncertain as a phone's whose maker says
    /// nothing. Law: `KnownStartTests.whatIsSaidOfInertialAxesIsBelieved`.
    public struct Uncertainty: Hashable, Sendable {
        /// Of the gyroscope's scale factors, as a share of what is read.
        public var gyroscopeScale: Double?
        /// Of the gyroscope's axes, towards each of the two others, in radians.
        public var gyroscopeMisalignmentRadians: Double?
        /// Of the accelerometer's scale factors, as a share of what is read.
        public var accelerometerScale: Double?
        /// Of the accelerometer's axes, towards each of the two others, in radians.
        public var accelerometerMisalignmentRadians: Double?
        /// Of how much later than the gyroscope the accelerometer tells what it measures, in seconds. A calibration does not say how much that
        /// is: it is taken to be nothing, give or take this.
        public var accelerometerLagSeconds: Double?

        /// Nothing said.
        public init() {}
    }

    /// A calibration with these values.
    public init(
        rateInHertz: Double, gyroscopeNoiseDensity: Double, gyroscopeRandomWalk: Double,
        accelerometerNoiseDensity: Double, accelerometerRandomWalk: Double
    ) {
        self.rateInHertz = rateInHertz
        self.gyroscopeNoiseDensity = gyroscopeNoiseDensity
        self.gyroscopeRandomWalk = gyroscopeRandomWalk
        self.accelerometerNoiseDensity = accelerometerNoiseDensity
        self.accelerometerRandomWalk = accelerometerRandomWalk
    }
}
