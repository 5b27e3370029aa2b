// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// Where each variable stands in what an ``Initialiser`` finds: what the filter begins with, and how well it is known.
///
/// | variables | count |
/// |---|---|
/// | velocity and gravity in the IMU's frame, biases of accelerometer and gyroscope | 12 |
/// | distortions of gyroscope and accelerometer, column after column; the accelerometer's lag | 19 |
/// | camera: rotation and translation in the IMU's frame, time offset, readout | 8 |
/// | logarithm of the focal lengths, and of each for itself, besides; principal point; exposure; radial distortion | 7 |
enum StartLayout {
    static let velocity = 0
    static let gravity = 3
    static let accelerometerBias = 6
    static let gyroscopeBias = 9
    static let gyroscopeDistortion = 12
    static let accelerometerDistortion = 21
    static let accelerometerLag = 30
    static let extrinsicRotation = 31
    static let extrinsicTranslation = 34
    static let timeOffset = 37
    static let readout = 38
    static let focal = 39
    static let ownFocal = 40
    static let principalPoint = 42
    static let exposure = 44
    static let radial = 45
    /// The number of variables.
    static let count = 46

    /// The variables of how the camera sits on the device, and of its lens.
    static let camera: Set<Int> = Set(extrinsicRotation..<timeOffset).union(focal..<exposure).union([radial])

    /// The variables of the device, whatever it does, but for its focal lengths, and where each stands in the filter's state.
    static let device: [(start: Int, state: Int)] = [
        (accelerometerBias, StateLayout.accelerometerBias, 3),
        (gyroscopeBias, StateLayout.gyroscopeBias, 3),
        (gyroscopeDistortion, StateLayout.gyroscopeDistortion, 9),
        (accelerometerDistortion, StateLayout.accelerometerDistortion, 9),
        (accelerometerLag, StateLayout.accelerometerLag, 1),
        (extrinsicRotation, StateLayout.extrinsicRotation, 3),
        (extrinsicTranslation, StateLayout.extrinsicTranslation, 3),
        (timeOffset, StateLayout.timeOffset, 1),
        (readout, StateLayout.readout, 1),
        (principalPoint, StateLayout.intrinsics + 2, 2),
        (exposure, StateLayout.exposure, 1),
        (radial, StateLayout.radial, 1),
    ].flatMap { start, state, count in (0..<count).map { (start + $0, state + $0) } }
}

/// The standard deviations of what is said of the device beforehand.
struct CalibrationUncertainty: Hashable, Sendable {
    /// Of the gyroscope's axes.
    var gyroscope = Axes()
    /// Of the accelerometer's axes.
    var accelerometer = Axes()
    /// In seconds: assumed. With twice that, a beginning after a rest is told later (`RestThenMotionTests.wrongClocksAreFoundSoon`).
    var accelerometerLag = 0.0015
    /// In radians.
    var extrinsicRotation = 0.02
    /// In metres.
    var extrinsicTranslation = 0.008
    /// In seconds.
    var timeOffset = 0.015
    /// In seconds.
    var readout = 0.0003
    /// Of the focal lengths together, as a share of them.
    var focal = 0.008
    /// Of ``CameraState/exposureVariance``, in s²: that of a twelfth of T², with each exposure T up to the longest as likely.
    var exposureVariance =
        CameraState.longestExposureSeconds * CameraState.longestExposureSeconds / (18 * 5.0.squareRoot())
    /// Of each focal length for itself, as a share of it, and of the principal point, in pixels.
    var ownFocal = 0.0065
    var principalPoint = 3.0
    /// Of k1.
    var radial = 0.005

    /// How far the axes of a triad of sensors may be wrong.
    struct Axes: Hashable, Sendable {
        /// Of the scale factors.
        var scale = 0.004
        /// Of the misalignments, in radians.
        var misalignment = 0.004

        /// Of an element of a distortion, column after column: scale factors stand on the diagonal.
        fileprivate func deviation(ofElement element: Int) -> Double {
            element.isMultiple(of: 4) ? scale : misalignment
        }
    }

    /// By the place in ``StartLayout``: of the variables that a calibration says something about, all but the first twelve.
    func deviation(of variable: Int) -> Double {
        switch variable {
        case StartLayout.gyroscopeDistortion..<StartLayout.accelerometerDistortion:
            gyroscope.deviation(ofElement: variable - StartLayout.gyroscopeDistortion)
        case StartLayout.accelerometerDistortion..<StartLayout.accelerometerLag:
            accelerometer.deviation(ofElement: variable - StartLayout.accelerometerDistortion)
        case StartLayout.accelerometerLag: accelerometerLag
        case StartLayout.extrinsicRotation..<StartLayout.extrinsicTranslation: extrinsicRotation
        case StartLayout.extrinsicTranslation..<StartLayout.timeOffset: extrinsicTranslation
        case StartLayout.timeOffset: timeOffset
        case StartLayout.readout: readout
        case StartLayout.focal: focal
        case StartLayout.ownFocal..<StartLayout.principalPoint: ownFocal
        case StartLayout.principalPoint..<StartLayout.exposure: principalPoint
        case StartLayout.exposure: exposureVariance
        case StartLayout.radial: radial
        default: preconditionFailure("variable \(variable) is not calibrated")
        }
    }
}

extension CalibrationUncertainty {
    /// What is said of a camera and of an inertial sensor, and what phones are like where nothing is said. Focal lengths err
    /// together as much as each for itself.
    init(_ camera: CameraCalibration.Uncertainty, _ imu: ImuCalibration.Uncertainty) {
        self.init()
        if let share = camera.focalShare { (focal, ownFocal) = (share / 2.0.squareRoot(), share / 2.0.squareRoot()) }
        extrinsicRotation = camera.rotationRadians ?? extrinsicRotation
        extrinsicTranslation = camera.translationMeters ?? extrinsicTranslation
        timeOffset = camera.timeOffsetSeconds ?? timeOffset
        readout = camera.readoutSeconds ?? readout
        principalPoint = camera.principalPointPixels ?? principalPoint
        radial = camera.radialDistortion ?? radial
        gyroscope.scale = imu.gyroscopeScale ?? gyroscope.scale
        gyroscope.misalignment = imu.gyroscopeMisalignmentRadians ?? gyroscope.misalignment
        accelerometer.scale = imu.accelerometerScale ?? accelerometer.scale
        accelerometer.misalignment = imu.accelerometerMisalignmentRadians ?? accelerometer.misalignment
        accelerometerLag = imu.accelerometerLagSeconds ?? accelerometerLag
    }
}
