// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing

/// Events come twice, with the same stamp and content.
public struct Doubled: Hashable, Sendable {
    /// Whose events.
    public var sensor = SensorChoice.imu
    /// The probability that an event comes twice.
    public var probability = 1.0
    /// How much later the second one comes.
    public var delaySeconds = 0.0

    /// Every inertial sample comes twice in a row.
    public init() {}
}

extension Doubled: FaultParameters {
    static let name = "doubled"
    static let isRandom = true
    var kind: Fault.Kind { .doubled(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.choice("sensor", &sensor, isRequired: true)
        try fields.number("probability", &probability, in: 0...1)
        try fields.number("delay_s", &delaySeconds, in: FaultLimits.delays)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage { DoublingStage(setting: setting, parameters: self) }

    func longestDelay(after delay: Int64?) -> Int64? { (delay ?? 0) + FaultLimits.nanoseconds(delaySeconds) }
}

private struct DoublingStage: FaultStage {
    let setting: FaultSetting
    let parameters: Doubled
    let changesOrder = true

    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) {
        let (stream, timestamp) = (delivery.event.stream, delivery.event.timestamp)
        output.pass(delivery)
        guard parameters.sensor.includes(stream), setting.range.contains(timestamp) else { return }
        var random = setting.random(for: stream, at: timestamp)
        guard random.happens(parameters.probability) else { return }
        var double = delivery
        double.arrival.nanoseconds += FaultLimits.nanoseconds(parameters.delaySeconds)
        output.pass(double, as: \.doubled)
    }
}

/// Limits that several kinds of faults share.
enum FaultLimits {
    /// Delays, in seconds: what waits is held in memory.
    static let delays = 0.0...2.0

    static func nanoseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1e9).rounded()) }
}
