// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing

extension Scene.CameraSettings {
    /// How far what a session is told of its camera may be from the camera: standard deviations of errors that the sensors' seed
    /// draws.
    public struct CalibrationDeviations: Hashable, Sendable {
        /// Of the focal lengths, in percent of them. They err together as much as each for itself.
        public var focalPercent = 0.0
        /// Of each coordinate of the principal point.
        public var principalPointPixels = 0.0
        /// Of the camera's turn on the inertial sensor, about each of the optical axes.
        public var rotationRadians = 0.0
        /// Of the camera's place on the inertial sensor, along each of that sensor's axes.
        public var translationMeters = 0.0
        /// Of the first radial coefficient of the lens, which has no unit. A pinhole is told to be a lens that distorts.
        public var radialDistortion = 0.0
        /// Of the time from the first row's exposure to the last row's.
        public var readoutMilliseconds = 0.0

        /// An exact calibration.
        public init() {}
    }

    /// What a session is told of its camera: the truth, with errors that a seed draws, and how large they may be where
    /// ``statesDeviations`` says so. A camera without an inertial sensor has no place on it that could be wrong.
    ///
    /// Laws: `CameraCalibrationTests.errorsAreAsLargeAsIsSaid`, `errorsAreStated`.
    func calibration(toldOf truth: CameraCalibration, hasImu: Bool, seed: UInt64) -> CameraCalibration {
        var told = truth
        var random = SeededRandom(seed: seed, purpose: "camera calibration")
        told.camera = mistaken(&random).model
        if hasImu { told.imuFromOptical = mistaken(truth.imuFromOptical, &random) }
        let (bend, delay) = random.normalPair()
        if calibrationDeviations.radialDistortion > 0 {
            told.camera = told.camera.addingRadialDistortion(calibrationDeviations.radialDistortion * bend)
        }
        told.readoutNanoseconds += Int64((calibrationDeviations.readoutMilliseconds * 1e6 * delay).rounded())
        if statesDeviations { told.uncertainty = statedUncertainty(hasImu: hasImu) }
        return told
    }

    private func mistaken(_ random: inout SeededRandom) -> Scene.CameraSettings {
        var mistaken = self
        let (share, shift) = (random.normalTriple(), random.normalTriple())
        let deviation = calibrationDeviations.focalPercent / 100 / 2.0.squareRoot()
        mistaken.focalPixels *=
            Vector2(repeating: 1) + deviation * (Vector2(repeating: share.x) + Vector2(share.y, share.z))
        mistaken.principalPointPixels += calibrationDeviations.principalPointPixels * Vector2(shift.x, shift.y)
        return mistaken
    }

    private func mistaken(_ imuFromOptical: RigidTransform, _ random: inout SeededRandom) -> RigidTransform {
        let turn = calibrationDeviations.rotationRadians * random.normalTriple()
        return RigidTransform(
            rotation: imuFromOptical.rotation * Rotation(rotationVector: turn),
            translation: imuFromOptical.translation + calibrationDeviations.translationMeters * random.normalTriple())
    }

    /// What a calibration says of itself.
    private func statedUncertainty(hasImu: Bool) -> CameraCalibration.Uncertainty {
        // A deviation of zero is not one: nobody can say it.
        func stated(_ deviation: Double) -> Double? { deviation > 0 ? deviation : nil }
        var uncertainty = CameraCalibration.Uncertainty()
        uncertainty.focalShare = stated(calibrationDeviations.focalPercent / 100)
        uncertainty.principalPointPixels = stated(calibrationDeviations.principalPointPixels)
        uncertainty.radialDistortion = stated(calibrationDeviations.radialDistortion)
        uncertainty.readoutSeconds =
            stated(calibrationDeviations.readoutMilliseconds * 1e-3)
            ?? (readoutMilliseconds == 0 ? Self.globalShutterReadoutSeconds : nil)
        guard hasImu else { return uncertainty }
        uncertainty.rotationRadians = stated(calibrationDeviations.rotationRadians)
        uncertainty.translationMeters = stated(calibrationDeviations.translationMeters)
        return uncertainty
    }

    /// How well the readout of a global shutter is known to be none, in seconds: it is no number that anybody measured.
    private static let globalShutterReadoutSeconds = 1e-6
}
