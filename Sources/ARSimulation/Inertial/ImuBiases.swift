// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom

/// What an inertial sensor adds to the truth at an instant, in the IMU's axes.
public struct ImuBiases: Hashable, Sendable {
    /// The gyroscope's bias, in rad/s.
    public var gyroscope: Vector3
    /// The accelerometer's bias, in m/s².
    public var accelerometer: Vector3

    /// Biases with these values.
    public init(gyroscope: Vector3, accelerometer: Vector3) {
        self.gyroscope = gyroscope
        self.accelerometer = accelerometer
    }
}

/// The biases of an inertial sensor as time goes by: a random walk with one step for every sample.
///
/// It has its own random numbers: all walks of a sensor are the same, whoever takes them.
public struct ImuBiasWalk {
    /// The biases now.
    public private(set) var biases: ImuBiases
    private let sampleSeconds: Double
    private let gyroscopeStep: Double
    private let accelerometerStep: Double
    private var gyroscopeRandom: SeededRandom
    private var accelerometerRandom: SeededRandom
    private var stepCount = 0

    init(_ settings: Scene.ImuSettings, seed: UInt64) {
        sampleSeconds = settings.trueSampleSeconds
        gyroscopeStep = settings.gyroscope.randomWalk * sampleSeconds.squareRoot()
        accelerometerStep = settings.accelerometer.randomWalk * sampleSeconds.squareRoot()
        gyroscopeRandom = SeededRandom(seed: seed, purpose: "imu gyroscope bias")
        accelerometerRandom = SeededRandom(seed: seed, purpose: "imu accelerometer bias")
        biases = ImuBiases(
            gyroscope: settings.gyroscope.bias
                + settings.gyroscope.biasDeviation * gyroscopeRandom.normalTriple(),
            accelerometer: settings.accelerometer.bias
                + settings.accelerometer.biasDeviation * accelerometerRandom.normalTriple())
    }

    /// The biases of the last sample that was taken at or before that time, in seconds of the scene.
    ///
    /// Times must not decrease from call to call.
    public mutating func biases(at seconds: Double) -> ImuBiases {
        // A sample that is due at this very time is not missed for a rounding error.
        let due = Int((seconds / sampleSeconds + 1e-6).rounded(.down))
        while stepCount < due { step() }
        return biases
    }

    /// Goes on to the next sample.
    mutating func step() {
        stepCount += 1
        biases.gyroscope += gyroscopeStep * gyroscopeRandom.normalTriple()
        biases.accelerometer += accelerometerStep * accelerometerRandom.normalTriple()
    }
}
