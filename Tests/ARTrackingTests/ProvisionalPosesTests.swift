// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// Where a provisional estimator believed the camera to be, on a device that turns by a law.
@Suite struct ProvisionalPosesTests {
    private static let rateHz = 200.0
    private static let gyroscopeNoise = 1e-3

    private static func instant(_ seconds: Double) -> Timestamp {
        Timestamp(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    /// The device's attitude: it turns about an axis of its own, faster and slower.
    private static func worldFromImu(_ seconds: Double, _ first: Rotation) -> Rotation {
        first * Rotation(rotationVector: Vector3(0.4, 0.8, -0.2) * sin(seconds))
    }

    /// Two seconds of what its gyroscope says, with that bias.
    private static func history(bias: Vector3) -> ImuHistory {
        var history = ImuHistory(
            calibration: ImuCalibration(
                rateInHertz: rateHz, gyroscopeNoiseDensity: gyroscopeNoise, gyroscopeRandomWalk: 1e-6,
                accelerometerNoiseDensity: 1e-3, accelerometerRandomWalk: 1e-4))
        for number in 0...Int(2 * rateHz) {
            let seconds = Double(number) / rateHz
            history.insert(
                ImuSample(
                    timestamp: instant(seconds), angularVelocity: Vector3(0.4, 0.8, -0.2) * cos(seconds) + bias,
                    specificForce: Vector3(0, 9.81, 0)))
        }
        return history
    }

    /// A camera that sits on the device so, and whose frames are taken so much later than they say.
    private static func camera(
        mountedAs imuFromOptical: Rotation = .identity, lateBySeconds late: Double = 0
    ) -> CameraState {
        let sample = SampleCamera.all[0]
        var camera = CameraState(
            CameraCalibration(camera: sample.camera, imageSize: sample.imageSize, rateInHertz: 30))
        camera.imuFromOptical = RigidTransform(rotation: imuFromOptical)
        camera.timeOffsetSeconds = late
        return camera
    }

    /// From the pose from which that is known best, the samples carry the heading forth and back, from when its frame was taken by the
    /// clocks as they are known by now: with the right bias it is right, its derivative by the bias is that of the heading, and the samples' noise adds to its variance as a random walk does.
    @Test(arguments: 0..<20) func samplesCarryTheHeading(number: Int) throws {
        var random = TestRandom(case: number)
        let (first, imuFromOptical, bias) = (random.rotation(), random.rotation(), 0.02 * random.vector3())
        let late = random.uniform(-0.05...0.05)
        let calibration = Self.camera(mountedAs: imuFromOptical, lateBySeconds: late)
        let history = Self.history(bias: bias)
        let (known, asked) = (random.uniform(0.3...1.7), random.uniform(0.3...1.7))
        var poses = ProvisionalPoses()
        for (seconds, variance) in [(0.2, 1e-2), (known, 1e-6), (1.8, 1e-2)] {
            poses.append(
                ProvisionalPoses.Pose(
                    timestamp: Self.instant(seconds - late),
                    worldFromOptical: RigidTransform(
                        rotation: Self.worldFromImu(seconds, first) * imuFromOptical, translation: .zero),
                    headingVariance: variance, positionCovariance: .zero), keepingSeconds: 3)
        }
        func heading(_ bias: Vector3) throws -> (worldFromImu: Rotation, origin: WorldOrigin) {
            try #require(
                poses.heading(
                    at: Self.instant(asked), history: history, errors: ImuErrors(gyroscopeBias: bias),
                    rateVariance: 1e-8, calibration: calibration))
        }
        let found = try heading(bias)
        let error = (found.worldFromImu * Self.worldFromImu(asked, first).inverse).rotationVector
        #expect(error.length < 1e-4)
        for axis in 0..<3 {
            var step = Vector3.zero
            step[axis] = 1e-5
            // An error of the bias is truth less estimate, and so is that of the heading.
            let turn =
                try (heading(bias + step).worldFromImu * heading(bias - step).worldFromImu.inverse).rotationVector.y
                / 2e-5
            #expect(abs(found.origin.headingByGyroscopeBias[axis] - turn) < 1e-3)
        }
        let walked = Self.gyroscopeNoise * Self.gyroscopeNoise * abs(asked - known)
        #expect(abs(found.origin.headingVariance - 1e-6 - walked) < 0.05 * walked + 1e-8)
    }

    /// A pose that is known well is not used where the samples lose more on the way from it.
    @Test func prefersWhatIsNear() throws {
        let history = Self.history(bias: .zero)
        var poses = ProvisionalPoses()
        for (seconds, variance) in [(0.0, 0.0), (1.0, 1e-4), (2.0, 1.0)] {
            poses.append(
                ProvisionalPoses.Pose(
                    timestamp: Self.instant(seconds), worldFromOptical: .identity, headingVariance: variance,
                    positionCovariance: Matrix3x3(diagonal: Vector3(repeating: seconds))), keepingSeconds: 3)
        }
        func heading(rateVariance: Double) throws -> WorldOrigin {
            try #require(
                poses.heading(
                    at: Self.instant(1.2), history: history, errors: ImuErrors(), rateVariance: rateVariance,
                    calibration: Self.camera())
            ).origin
        }
        #expect(try heading(rateVariance: 1e-8).headingVariance < 1e-4)
        #expect(try heading(rateVariance: 1e-3).headingVariance >= 1e-4)
        // The place is the last one before.
        #expect(try heading(rateVariance: 1e-8).positionCovariance == Matrix3x3(diagonal: Vector3(repeating: 1)))
    }
}
