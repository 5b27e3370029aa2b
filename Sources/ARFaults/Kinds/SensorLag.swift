// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing

/// The inertial sensors tell late what they measure, each by a constant of its own, as their filters make them. Samples keep their stamps,
/// and have the readings of before, straight lines between them; the first one lasts.
/// Law: `FaultEffectTests.laggingSensorsTellWhatWasBefore`.
public struct SensorLag: Hashable, Sendable {
    /// How old the angular velocity of a sample is, from 0 to 0.1.
    public var gyroscopeSeconds = 0.0
    /// How old the specific force of a sample is, from 0 to 0.1.
    public var accelerometerSeconds = 0.0

    /// Sensors that are in time.
    public init() {}
}

extension SensorLag: FaultParameters {
    static let name = "sensor_lag"
    static let decisiveKeys = ["gyroscope_s", "accelerometer_s"]
    var kind: Fault.Kind { .sensorLag(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.number("gyroscope_s", &gyroscopeSeconds, in: 0...0.1)
        try fields.number("accelerometer_s", &accelerometerSeconds, in: 0...0.1)
    }

    func changed(_ rig: SensorRig) throws(FaultError) -> SensorRig {
        var rig = rig
        // Nobody vouches for clocks that are wrong.
        if gyroscopeSeconds > 0 { rig.camera.uncertainty.timeOffsetSeconds = nil }
        if gyroscopeSeconds != accelerometerSeconds { rig.imu?.uncertainty.accelerometerLagSeconds = nil }
        return rig
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage { LaggingStage(setting: setting, lag: self) }
}

private struct LaggingStage: FaultStage {
    let setting: FaultSetting
    let lag: SensorLag
    /// The samples that came last, in the order of their stamps.
    private var recent: [ImuSample] = []

    /// Gaps up to here are bridged.
    private static let longestGapNanoseconds: Int64 = 1_000_000_000

    init(setting: FaultSetting, lag: SensorLag) {
        self.setting = setting
        self.lag = lag
    }

    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) {
        guard case .imu(var sample) = delivery.event else { return output.pass(delivery) }
        keep(sample)
        guard setting.range.contains(sample.timestamp) else { return output.pass(delivery) }
        sample.angularVelocity = earlier(\.angularVelocity, than: sample, bySeconds: lag.gyroscopeSeconds)
        sample.specificForce = earlier(\.specificForce, than: sample, bySeconds: lag.accelerometerSeconds)
        var changed = delivery
        changed.event = .imu(sample)
        output.pass(changed, as: \.changed)
    }

    private mutating func keep(_ sample: ImuSample) {
        let place = recent.lastIndex { $0.timestamp <= sample.timestamp }.map { $0 + 1 } ?? 0
        recent.insert(sample, at: place)
        let longest = FaultLimits.nanoseconds(max(lag.gyroscopeSeconds, lag.accelerometerSeconds))
        let newest = recent[recent.endIndex - 1].timestamp
        let oldest = newest.advanced(byNanoseconds: -(longest + Self.longestGapNanoseconds))
        recent.removeAll { $0.timestamp < oldest }
    }

    /// What a sensor read before a sample.
    private func earlier(_ reading: KeyPath<ImuSample, Vector3>, than sample: ImuSample, bySeconds seconds: Double)
        -> Vector3
    {
        let instant = sample.timestamp.advanced(byNanoseconds: -FaultLimits.nanoseconds(seconds))
        guard let next = recent.firstIndex(where: { $0.timestamp >= instant }) else { return sample[keyPath: reading] }
        let after = recent[next]
        guard next > 0, after.timestamp != instant else { return after[keyPath: reading] }
        let before = recent[next - 1]
        let share =
            Double(instant.nanoseconds(since: before.timestamp))
            / Double(after.timestamp.nanoseconds(since: before.timestamp))
        return before[keyPath: reading] + share * (after[keyPath: reading] - before[keyPath: reading])
    }
}
