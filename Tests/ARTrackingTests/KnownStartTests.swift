// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// A filter that is told how it moves begins with that, and is as sure of it as it is told.
@Suite struct KnownStartTests {
    @Test(arguments: 0..<10) func aFilterBeginsWithWhatIsKnown(number: Int) throws {
        var random = TestRandom(case: number)
        var known = KnownMotion(
            timestamp: Timestamp(nanoseconds: 5), worldFromImu: random.rigidTransform(), velocity: random.vector3(),
            gyroscopeBias: 0.01 * random.vector3(), accelerometerBias: 0.1 * random.vector3())
        known.deviations.velocity = random.uniform(0.01...0.1)
        known.deviations.tilt = random.uniform(0.001...0.02)
        known.deviations.gyroscopeBias = random.uniform(0.001...0.01)
        known.deviations.accelerometerBias = random.uniform(0.01...0.1)
        let sample = SampleCamera.all[0]
        let start = Initialiser.Start(
            known,
            calibration: CameraState(
                CameraCalibration(camera: sample.camera, imageSize: sample.imageSize, rateInHertz: 30)),
            settings: InitialisationSettings())
        let layout = StateLayout(cloneCapacity: 3, landmarkCapacity: 1)
        let filter = VisualInertialFilter(
            navigation: start.navigation, covariance: start.covariance, calibration: start.calibration,
            layout: layout,
            gravity: Vector3(0, -9.81, 0), measurementCapacity: layout.count)

        #expect(filter.navigation.timestamp == known.timestamp)
        #expect(filter.navigation.worldFromImu == known.worldFromImu && filter.navigation.velocity == known.velocity)
        #expect(filter.navigation.errors.gyroscopeBias == known.gyroscopeBias)
        #expect(filter.navigation.errors.accelerometerBias == known.accelerometerBias)
        #expect(!start.isProvisional)
        func deviation(_ variable: Int) -> Double { filter.covariance[variable, variable].squareRoot() }
        let said = known.deviations
        for axis in 0..<3 {
            // Heading and position are what they are called.
            #expect(abs(deviation(StateLayout.rotation + axis) - (axis == 1 ? 0 : said.tilt)) < 1e-9)
            #expect(deviation(StateLayout.position + axis) == 0)
            #expect(abs(deviation(StateLayout.velocity + axis) - said.velocity) < 1e-9)
            #expect(abs(deviation(StateLayout.gyroscopeBias + axis) - said.gyroscopeBias) < 1e-12)
            #expect(abs(deviation(StateLayout.accelerometerBias + axis) - said.accelerometerBias) < 1e-12)
        }
    }

    /// What a calibration's maker says of it is what a beginning believes, however it begins, and nothing else is.
    @Test func whatIsSaidOfACalibrationIsBelieved() {
        var said = CameraCalibration.Uncertainty()
        said.focalShare = 0.001
        said.principalPointPixels = 0.5
        said.rotationRadians = 0.003
        said.timeOffsetSeconds = 0.0002
        said.readoutSeconds = 0.0004
        said.radialDistortion = 0.0007
        let uncertainty = CalibrationUncertainty(said, ImuCalibration.Uncertainty())
        let sample = SampleCamera.all[0]
        let calibration = CameraState(
            CameraCalibration(camera: sample.camera, imageSize: sample.imageSize, rateInHertz: 30))
        var settings = InitialisationSettings()
        settings.calibration = uncertainty
        let start = Initialiser.Start(
            KnownMotion(timestamp: Timestamp(nanoseconds: 5), worldFromImu: .identity, velocity: .zero),
            calibration: calibration, settings: settings)
        let layout = StateLayout(cloneCapacity: 3, landmarkCapacity: 1)
        let filter = VisualInertialFilter(
            navigation: start.navigation, covariance: start.covariance, calibration: calibration,
            layout: layout, gravity: Vector3(0, -9.81, 0),
            measurementCapacity: layout.count)
        func deviation(_ variable: Int) -> Double { filter.covariance[variable, variable].squareRoot() }
        let intrinsics = calibration.camera.intrinsics
        for (index, expected) in [0.001 * intrinsics.fx, 0.001 * intrinsics.fy, 0.5, 0.5].enumerated() {
            #expect(abs(deviation(StateLayout.intrinsics + index) - expected) < 1e-9)
        }
        // The focal lengths err together as much as each for itself.
        let together = filter.covariance[StateLayout.intrinsics, StateLayout.intrinsics + 1]
        #expect(abs(together - 0.5 * 0.001 * 0.001 * intrinsics.fx * intrinsics.fy) < 1e-9)
        #expect(abs(deviation(StateLayout.timeOffset) - 0.0002) < 1e-12)
        #expect(abs(deviation(StateLayout.readout) - 0.0004) < 1e-12)
        #expect(abs(deviation(StateLayout.radial) - 0.0007) < 1e-12)
        for axis in 0..<3 {
            #expect(abs(deviation(StateLayout.extrinsicRotation + axis) - 0.003) < 1e-12)
            let usual = CalibrationUncertainty().extrinsicTranslation
            #expect(abs(deviation(StateLayout.extrinsicTranslation + axis) - usual) < 1e-12)
        }
    }

    /// What a sensor's maker says of its scale factors and axes is what a beginning believes; of what is not said, it
    /// believes what phones are like. `MotionAlignmentTests.whatIsKnownOfADeviceBindsTheSearch` has it for the search for a motion.
    @Test func whatIsSaidOfInertialAxesIsBelieved() {
        var said = ImuCalibration.Uncertainty()
        said.gyroscopeScale = 0.0011
        said.gyroscopeMisalignmentRadians = 0.0002
        said.accelerometerMisalignmentRadians = 0.0013
        said.accelerometerLagSeconds = 0.0004
        var settings = InitialisationSettings()
        settings.calibration = CalibrationUncertainty(CameraCalibration.Uncertainty(), said)
        let sample = SampleCamera.all[0]
        let start = Initialiser.Start(
            KnownMotion(timestamp: Timestamp(nanoseconds: 5), worldFromImu: .identity, velocity: .zero),
            calibration: CameraState(
                CameraCalibration(camera: sample.camera, imageSize: sample.imageSize, rateInHertz: 30)),
            settings: settings)
        let lag = StartLayout.accelerometerLag
        #expect(abs(start.covariance[lag, lag].squareRoot() - 0.0004) < 1e-15)
        for row in 0..<3 {
            for column in 0..<3 {
                let gyroscope = StartLayout.gyroscopeDistortion + 3 * column + row
                let accelerometer = StartLayout.accelerometerDistortion + 3 * column + row
                let expected = [
                    gyroscope: row == column ? 0.0011 : 0.0002,
                    accelerometer: row == column ? CalibrationUncertainty().accelerometer.scale : 0.0013,
                ]
                for (variable, deviation) in expected {
                    #expect(abs(start.covariance[variable, variable].squareRoot() - deviation) < 1e-15)
                }
            }
        }
    }

    /// A filter that is told how well it knows heading and place of the camera believes just that of the camera's pose, however
    /// little it knows of how the camera sits on the device; what is learned of the gyroscope's bias goes to the heading.
    @Test(arguments: 0..<10) func whatIsKnownOfTheOriginIsKnownOfTheCamera(number: Int) {
        var random = TestRandom(case: number)
        let sample = SampleCamera.all[0]
        var calibration = CameraState(
            CameraCalibration(camera: sample.camera, imageSize: sample.imageSize, rateInHertz: 30))
        calibration.imuFromOptical = RigidTransform(rotation: random.rotation(), translation: 0.05 * random.vector3())
        var start = DenseMatrix(rows: StartLayout.count, columns: StartLayout.count)
        for variable in 0..<StartLayout.count { start[variable, variable] = pow(random.uniform(0.01...0.02), 2) }
        for axis in 0..<3 { start[StartLayout.gravity + axis, StartLayout.gravity + axis] = 0 }
        let worldFromImu = random.rotation()
        let origin = WorldOrigin(
            headingByGyroscopeBias: random.vector3(), headingVariance: 0.03 * 0.03,
            positionCovariance: Matrix3x3(diagonal: Vector3(0.01, 0.04, 0.09)))
        let layout = StateLayout(cloneCapacity: 3, landmarkCapacity: 1)
        let filter = VisualInertialFilter(
            navigation: NavigationState(
                timestamp: Timestamp(nanoseconds: 0),
                worldFromImu: RigidTransform(
                    rotation: worldFromImu, translation: -1 * (worldFromImu * calibration.imuFromOptical.translation)),
                velocity: .zero, errors: ImuErrors()),
            covariance: start, origin: origin, calibration: calibration,
            layout: layout,
            gravity: Vector3(0, -9.81, 0), measurementCapacity: layout.count)
        let pose = filter.poseCovariance
        let place = origin.positionCovariance
        var heading = origin.headingVariance
        for axis in 0..<3 {
            let variable = StartLayout.gyroscopeBias + axis
            heading += pow(origin.headingByGyroscopeBias[axis], 2) * start[variable, variable]
            let byBias = filter.covariance[StateLayout.rotation + 1, StateLayout.gyroscopeBias + axis]
            #expect(abs(byBias - origin.headingByGyroscopeBias[axis] * start[variable, variable]) < 1e-12)
            for other in 0..<3 {
                #expect(abs(pose.translationByTranslation[axis][other] - place[axis][other]) < 1e-12)
            }
        }
        #expect(abs(pose.rotationByRotation[1].y - heading) < 1e-12)
    }
}
