// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// The attitude before the motion is known, on a device that turns by a law and whose gyroscope has a bias.
@Suite struct AttitudeAverageTests {
    private static let bias = Vector3(0.02, -0.03, 0.01)
    private static let frameSeconds = 0.05
    private static let frameCount = 30

    /// The device's attitude: it turns about an axis of its own, faster and slower.
    private static func worldFromImu(_ seconds: Double, _ first: Rotation) -> Rotation {
        first * Rotation(rotationVector: Vector3(0.4, 0.8, -0.2) * sin(seconds))
    }

    private static func instant(_ seconds: Double) -> Timestamp {
        Timestamp(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    /// A turning device that feels gravity alone, up to the last frame.
    private static func run(_ first: Rotation, imuFromCamera: Rotation) -> (AttitudeAverage, ImuHistory) {
        var history = ImuHistory(
            calibration: ImuCalibration(
                rateInHertz: 200, gyroscopeNoiseDensity: 1e-4, gyroscopeRandomWalk: 1e-6,
                accelerometerNoiseDensity: 1e-3,
                accelerometerRandomWalk: 1e-4))
        for number in 0...Int(200 * frameSeconds * Double(frameCount)) {
            let seconds = Double(number) / 200
            let rate = Vector3(0.4, 0.8, -0.2) * cos(seconds)
            history.insert(
                ImuSample(
                    timestamp: instant(seconds), angularVelocity: rate + bias,
                    specificForce: worldFromImu(seconds, first).inverse * Vector3(0, 9.81, 0)))
        }
        var attitude = AttitudeAverage()
        for number in 0...frameCount {
            attitude.advance(
                to: instant(Double(number) * frameSeconds), history: history, imuFromCamera: imuFromCamera)
        }
        return (attitude, history)
    }

    /// With the gyroscope's bias known, the heading is right at every instant: the one that the first frame's camera had, which
    /// looked along −Z, and what the device turned. Level is taken from the mean force, at most by what the bias turned.
    @Test(arguments: 0..<20) func aKnownBiasLeavesTheHeadingRight(number: Int) {
        var random = TestRandom(case: number)
        let (device, imuFromCamera) = (random.rotation(), random.rotation())
        let first = (device * imuFromCamera).heading.inverse * device
        let (attitude, history) = Self.run(first, imuFromCamera: imuFromCamera)
        for seconds in [0, 0.33, 1.0, Self.frameSeconds * Double(Self.frameCount)] {
            let found = attitude.worldFromImu(
                at: Self.instant(seconds), history: history, imuFromCamera: imuFromCamera, gyroscopeBias: Self.bias)
            // The bias is taken off to first order: (0.056 rad)² / 2 of what it turned is left.
            let error = (found * Self.worldFromImu(seconds, first).inverse).rotationVector
            #expect(abs(error.y) < 0.002 && error.length < 1.5 * Self.bias.length)
        }
    }

    /// What is learned later of the camera's place on the device turns the first frame's camera about no vertical axis.
    @Test(arguments: 0..<20) func whatTheCameraIsCalledStays(number: Int) {
        var random = TestRandom(case: number)
        let (first, said) = (random.rotation(), random.rotation())
        let (attitude, history) = Self.run(first, imuFromCamera: said)
        let learned = said * Rotation(rotationVector: 0.05 * random.direction())
        let before = attitude.worldFromImu(
            at: Self.instant(0), history: history, imuFromCamera: said, gyroscopeBias: Self.bias)
        let after = attitude.worldFromImu(
            at: Self.instant(0), history: history, imuFromCamera: learned, gyroscopeBias: Self.bias)
        let turn = (after * learned * (before * said).inverse).rotationVector
        #expect(turn.length > 0.001 && abs(turn.y) < 0.003)
    }
}
