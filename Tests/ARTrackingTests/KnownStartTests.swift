// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
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
            intrinsicsDeviation: 1, layout: layout, gravity: Vector3(0, -9.81, 0), measurementCapacity: layout.count)

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
}
