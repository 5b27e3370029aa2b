// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import TestSupport
import Testing

@testable import ARTracking

/// What is known of a device goes over what is lost of its motion.
@Suite struct KnownDeviceTests {
    private static let layout = StateLayout(cloneCapacity: 3, landmarkCapacity: 1)

    /// A filter whose variables are all known a little, and with each other.
    private static func filter(_ random: inout TestRandom) -> VisualInertialFilter {
        let sample = SampleCamera.all[0]
        var filter = VisualInertialFilter(
            navigation: NavigationState(
                timestamp: Timestamp(nanoseconds: 0), worldFromImu: random.rigidTransform(), velocity: random.vector3(),
                errors: ImuErrors(
                    gyroscopeBias: 0.01 * random.vector3(), accelerometerBias: 0.1 * random.vector3())),
            covariance: DenseMatrix(rows: StartLayout.count, columns: StartLayout.count),
            calibration: CameraState(
                CameraCalibration(camera: sample.camera, imageSize: sample.imageSize, rateInHertz: 30)),
            layout: layout,
            gravity: Vector3(0, -9.81, 0), measurementCapacity: layout.count)
        let count = StateLayout.firstClone
        var half = DenseMatrix(rows: count, columns: count)
        for row in 0..<count {
            for column in 0..<count { half[row, column] = random.uniform(-0.001...0.001) }
        }
        var noise = DenseMatrix(rows: count, columns: count)
        for row in 0..<count {
            for column in 0..<count {
                for k in 0..<count { noise[row, column] += half[row, k] * half[column, k] }
            }
        }
        filter.covariance.transform(
            0..<count, from: 0..<count, by: DenseMatrix(rows: count, columns: count), noise: noise)
        return filter
    }

    /// A filter that begins again knows of its device what the filter before knew, how things err together included; of its biases
    /// less, by what they may have changed meanwhile.
    @Test(arguments: 0..<5) func whatWasKnownIsKnownAgain(number: Int) {
        var random = TestRandom(case: number)
        let before = Self.filter(&random)
        let known = KnownMotion(
            timestamp: Timestamp(nanoseconds: 5), worldFromImu: random.rigidTransform(), velocity: random.vector3())
        let start = KnownDevice(before).start(from: known, settings: InitialisationSettings())
        #expect(start.navigation.errors == before.navigation.errors)
        #expect(start.navigation.worldFromImu == known.worldFromImu)
        let after = VisualInertialFilter(
            navigation: start.navigation, covariance: start.covariance, calibration: start.calibration,
            layout: Self.layout,
            gravity: Vector3(0, -9.81, 0), measurementCapacity: Self.layout.count)
        #expect(after.calibration == before.calibration)
        let (gyroscope, accelerometer) = (known.deviations.gyroscopeBias, known.deviations.accelerometerBias)
        for row in StateLayout.gyroscopeBias..<StateLayout.firstClone {
            for column in StateLayout.gyroscopeBias..<StateLayout.firstClone {
                let change =
                    row != column || row >= StateLayout.movingCount
                    ? 0 : row < StateLayout.accelerometerBias ? gyroscope * gyroscope : accelerometer * accelerometer
                #expect(abs(after.covariance[row, column] - before.covariance[row, column] - change) < 1e-12)
            }
        }
    }
}
