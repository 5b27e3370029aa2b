// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing

/// Events come later than their stamps, after events that happened since.
public struct Late: Hashable, Sendable {
    /// Whose events.
    public var sensor = SensorChoice.camera
    /// The probability that an event is late.
    public var probability = 1.0
    /// How late it is.
    public var delaySeconds = 0.1

    /// Every frame comes a tenth of a second late.
    public init() {}
}

extension Late: FaultParameters {
    static let name = "late"
    static let isRandom = true
    var kind: Fault.Kind { .late(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.choice("sensor", &sensor, isRequired: true)
        try fields.number("probability", &probability, in: 0...1)
        try fields.number("delay_s", &delaySeconds, in: FaultLimits.delays, isRequired: true)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage { DelayingStage(setting: setting, parameters: self) }

    func longestDelay(after delay: Int64?) -> Int64? { (delay ?? 0) + FaultLimits.nanoseconds(delaySeconds) }
}

private struct DelayingStage: FaultStage {
    let setting: FaultSetting
    let parameters: Late
    let changesOrder = true

    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) {
        let (stream, timestamp) = (delivery.event.stream, delivery.event.timestamp)
        var random = setting.random(for: stream, at: timestamp)
        guard parameters.sensor.includes(stream), setting.range.contains(timestamp),
            random.happens(parameters.probability)
        else { return output.pass(delivery) }
        var late = delivery
        late.arrival.nanoseconds += FaultLimits.nanoseconds(parameters.delaySeconds)
        output.pass(late, as: \.delayed)
    }
}
