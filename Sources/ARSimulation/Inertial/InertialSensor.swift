// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing

/// An inertial sensor on a moving body.
///
/// The truth that it measures: the body's angular velocity, and the specific force Rᵀ(a − g), both in its own axes. What
/// it reads of x is M x + bias + noise (and for the gyroscope + G times the specific force), within the range, in whole
/// steps; x is the truth at the sample's instant, or its mean over the sampling interval around it. (Rehder, Nikolic, Schneider, Hinzmann, Siegwart 2016, "Extending kalibr", eq. 3 and 4, without their lever
/// arms.)
///
/// Its clock shows start + offset + (1 + drift) t at the true time t; samples are taken when it shows start + offset and
/// then every 1/rate; the stamps that it writes are off by a jitter. Nobody tells the session of offset, drift and jitter.
/// Laws: `InertialSensorTests`.
public struct InertialSensor: Sendable {
    /// What the sensor is like.
    public let settings: Scene.ImuSettings
    /// The motion of its body, whose axes are the sensor's.
    public let worldFromImuMotion: PoseSpline
    /// The number from which noise, jitter and biases are drawn.
    public let seed: UInt64
    /// The instant at which the motion's time is zero.
    public let start: Timestamp
    /// How long it measures.
    public let durationSeconds: Double

    /// A sensor that measures a motion from its beginning on; it stands still where the motion has ended.
    public init(
        _ settings: Scene.ImuSettings, on worldFromImuMotion: PoseSpline, seed: UInt64, start: Timestamp,
        durationSeconds: Double
    ) {
        self.settings = settings
        self.worldFromImuMotion = worldFromImuMotion
        self.seed = seed
        self.start = start
        self.durationSeconds = durationSeconds
    }

    /// The samples from the beginning: made when they are asked for, never stored.
    public func makeReadings() -> Readings { Readings(self) }

    /// The biases from the beginning: the same that are in the samples.
    public func makeBiasWalk() -> ImuBiasWalk { ImuBiasWalk(settings, seed: seed) }

    /// The angular velocity and the specific force that a perfect sensor would read.
    public static func perfectReading(
        of state: MotionState, gravity: Double
    ) -> (angularVelocity: Vector3, specificForce: Vector3) {
        let upwards = state.acceleration + Vector3(0, gravity, 0)
        return (state.angularVelocityInBody, state.worldFromBody.rotation.inverse * upwards)
    }
}

extension InertialSensor {
    /// What a perfect sensor would read in the sample of that time.
    private func perfectReading(atSample seconds: Double) -> (angularVelocity: Vector3, specificForce: Vector3) {
        switch settings.sampling {
        case .instant:
            return Self.perfectReading(of: worldFromImuMotion.state(at: seconds), gravity: settings.gravity)
        case .mean:
            let half = settings.trueSampleSeconds / 2
            // Before the scene begins and after it ends nothing is known.
            return meanReading(from: max(seconds - half, 0), to: min(seconds + half, durationSeconds))
        }
    }

    /// The mean of perfect readings, by Gauss and Legendre's rule of two points on eight parts.
    private func meanReading(
        from first: Double, to last: Double
    ) -> (angularVelocity: Vector3, specificForce: Vector3) {
        let parts = 8
        let part = (last - first) / Double(parts)
        var sum = (angularVelocity: Vector3.zero, specificForce: Vector3.zero)
        for index in 0..<2 * parts {
            let side = index % 2 == 0 ? -1.0 : 1.0
            let seconds = first + part * (Double(index / 2) + 0.5 + side * 0.288_675_134_594_812_9)
            let reading = Self.perfectReading(of: worldFromImuMotion.state(at: seconds), gravity: settings.gravity)
            sum.angularVelocity += reading.angularVelocity
            sum.specificForce += reading.specificForce
        }
        let count = Double(2 * parts)
        return (sum.angularVelocity / count, sum.specificForce / count)
    }
}

extension InertialSensor {
    /// A sample and what is behind it.
    public struct Reading: Hashable, Sendable {
        /// What the sensor writes, with the stamp of its clock.
        public var sample: ImuSample
        /// When it was taken: seconds of the scene.
        public var trueSeconds: Double
        /// The biases in it.
        public var biases: ImuBiases
    }

    /// The samples, one after the other.
    public struct Readings: Sequence, IteratorProtocol {
        private let sensor: InertialSensor
        private var gyroscope: InertialTriad
        private var accelerometer: InertialTriad
        private var biasWalk: ImuBiasWalk
        private var jitterRandom: SeededRandom
        private var count = 0

        fileprivate init(_ sensor: InertialSensor) {
            let (settings, seed) = (sensor.settings, sensor.seed)
            let dt = settings.trueSampleSeconds
            self.sensor = sensor
            gyroscope = InertialTriad(settings.gyroscope, sampleSeconds: dt, seed: seed, name: "gyroscope")
            accelerometer = InertialTriad(settings.accelerometer, sampleSeconds: dt, seed: seed, name: "accelerometer")
            biasWalk = sensor.makeBiasWalk()
            jitterRandom = SeededRandom(seed: seed, purpose: "imu jitter")
        }

        /// The next sample, or `nil` when the sensor's time is over.
        public mutating func next() -> Reading? {
            let settings = sensor.settings
            let seconds = Double(count) * settings.trueSampleSeconds
            guard seconds <= sensor.durationSeconds + 1e-9 else { return nil }
            if count > 0 { biasWalk.step() }
            let biases = biasWalk.biases
            let truth = sensor.perfectReading(atSample: seconds)
            let sample = ImuSample(
                timestamp: nextStamp(),
                angularVelocity: gyroscope.reading(
                    of: truth.angularVelocity, bias: biases.gyroscope + settings.gSensitivity * truth.specificForce),
                specificForce: accelerometer.reading(of: truth.specificForce, bias: biases.accelerometer))
            count += 1
            return Reading(sample: sample, trueSeconds: seconds, biases: biases)
        }

        /// The stamp of the sample with that number; jitter beyond 0.45 of the interval is cut, so that stamps increase.
        private mutating func nextStamp() -> Timestamp {
            let settings = sensor.settings
            let interval = 1 / settings.rateInHertz
            let drawn = settings.stampJitterSeconds * jitterRandom.normalTriple().x
            let jitter = Swift.min(Swift.max(drawn, -0.45 * interval), 0.45 * interval)
            let shown = settings.clockOffsetSeconds + Double(count) * interval + jitter
            return sensor.start.advanced(byNanoseconds: Int64((shown * 1e9).rounded()))
        }
    }
}
