// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARTruth

/// Time goes faster or slower, about the session's start: t′ = start + (t − start) / speed.
///
/// A camera that is carried s times as fast turns s times as fast, so angular rates scale by s. Its acceleration scales by
/// s², but gravity does not: the specific force a − g has no scaled counterpart without the device's attitude. Sessions
/// with inertial samples are therefore refused unless imu says what to do.
public struct Retime: Hashable, Sendable {
    /// How many times as fast everything goes.
    public var speed = 1.0
    /// What becomes of inertial samples.
    public var imu = Samples.refuse

    /// What becomes of inertial samples.
    public enum Samples: String, Hashable, Sendable, CaseIterable {
        /// Sessions that have some are refused.
        case refuse
        /// They are left out, and so is the sensor.
        case drop
        /// Angular rates are scaled; the specific force is kept, which is right at rest alone: it lacks
        /// (speed² − 1) times the acceleration.
        case approximate
    }

    /// Time as it is.
    public init() {}
}

extension Retime: FaultParameters {
    static let name = "retime"
    static let span = FaultSpan.whole
    var kind: Fault.Kind { .retime(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.number("speed", &speed, in: 0.01...100, isRequired: true)
        try fields.choice("imu", &imu)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage {
        RetimingStage(start: setting.start, speed: speed, dropsSamples: imu == .drop)
    }

    /// Rates and the readout follow the new clock. Noise of a sample stays what it was per sample, so that densities,
    /// which are per √Hz, shrink with the root of the rate; what belongs to the gyroscope scales with its values, too.
    func changed(_ rig: SensorRig) throws(FaultError) -> SensorRig {
        var rig = rig
        rig.camera.rateInHertz *= speed
        rig.camera.readoutNanoseconds = Int64((Double(rig.camera.readoutNanoseconds) / speed).rounded())
        rig.camera.uncertainty.readoutSeconds = rig.camera.uncertainty.readoutSeconds.map { $0 / speed }
        guard var calibration = rig.imu else { return rig }
        switch imu {
        case .refuse: throw .retimedImu
        case .drop: rig.imu = nil
        case .approximate:
            calibration.rateInHertz *= speed
            calibration.gyroscopeNoiseDensity *= speed.squareRoot()
            calibration.gyroscopeRandomWalk *= speed * speed.squareRoot()
            calibration.accelerometerNoiseDensity /= speed.squareRoot()
            calibration.accelerometerRandomWalk *= speed.squareRoot()
            rig.imu = calibration
        }
        return rig
    }

    func changed(_ span: ClosedRange<Timestamp>, _ setting: FaultSetting) -> ClosedRange<Timestamp>? {
        span.lowerBound.retimed(from: setting.start, speed)...span.upperBound.retimed(from: setting.start, speed)
    }

    func changed(_ truth: FrameTruth) -> FrameTruth {
        guard let inertia = truth.inertia else { return truth }
        var truth = truth
        truth.inertia = InertiaTruth(
            velocityInWorld: inertia.velocityInWorld * speed,
            angularVelocityInImu: inertia.angularVelocityInImu * speed,
            gyroscopeBias: inertia.gyroscopeBias * speed, accelerometerBias: inertia.accelerometerBias)
        return truth
    }

    func longestDelay(after delay: Int64?) -> Int64? { delay.map(scaledUp) }

    func longestStampError(after error: Int64) -> Int64 { scaledUp(error) }

    private func scaledUp(_ nanoseconds: Int64) -> Int64 { Int64((Double(nanoseconds) / speed).rounded(.up)) }
}

private struct RetimingStage: FaultStage {
    let start: Timestamp
    let speed: Double
    let dropsSamples: Bool
    let changesOrder = true

    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) {
        if dropsSamples, delivery.event.stream == .imu { return output.drop(delivery) }
        var retimed = delivery
        retimed.event.timestamp = delivery.event.timestamp.retimed(from: start, speed)
        retimed.arrival = delivery.arrival.retimed(from: start, speed)
        if case .imu(var sample) = retimed.event {
            sample.angularVelocity *= speed
            retimed.event = .imu(sample)
        }
        output.pass(retimed, as: \.restamped)
    }

    func earliestArrival(after arrival: Timestamp) -> Timestamp { arrival.retimed(from: start, speed) }
}

extension Timestamp {
    /// The instant on a clock that goes `speed` times as slowly and agrees at `start`.
    fileprivate func retimed(from start: Timestamp, _ speed: Double) -> Timestamp {
        start.advanced(byNanoseconds: Int64((Double(nanoseconds(since: start)) / speed).rounded()))
    }
}
