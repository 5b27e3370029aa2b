// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing

/// Events of a sensor come in the wrong order: groups of neighbours are shuffled, and each comes when the latest of those
/// before it has come.
public struct Reordered: Hashable, Sendable {
    /// Whose events; of both sensors, each for itself.
    public var sensor = SensorChoice.imu
    /// How many neighbours are shuffled.
    public var group = 2

    /// Pairs of inertial samples are shuffled.
    public init() {}
}

extension Reordered: FaultParameters {
    static let name = "reordered"
    static let isRandom = true
    var kind: Fault.Kind { .reordered(self) }

    /// A group ends after this time, full or not.
    static let longestGroupNanoseconds: Int64 = 1_000_000_000

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.choice("sensor", &sensor, isRequired: true)
        try fields.integer("group", &group, in: 2...50)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage { ReorderingStage(setting: setting, parameters: self) }

    func longestDelay(after delay: Int64?) -> Int64? { (delay ?? 0) + Self.longestGroupNanoseconds }
}

private struct ReorderingStage: FaultStage {
    let setting: FaultSetting
    let parameters: Reordered
    let changesOrder = true
    private var camera: [Delivery] = []
    private var imu: [Delivery] = []

    init(setting: FaultSetting, parameters: Reordered) {
        self.setting = setting
        self.parameters = parameters
    }

    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) {
        releaseIfOver(&camera, delivery.arrival, into: &output)
        releaseIfOver(&imu, delivery.arrival, into: &output)
        let stream = delivery.event.stream
        guard parameters.sensor.includes(stream), setting.range.contains(delivery.event.timestamp) else {
            return output.pass(delivery)
        }
        if stream == .camera {
            camera.append(delivery)
            if camera.count == parameters.group { release(&camera, into: &output) }
        } else {
            imu.append(delivery)
            if imu.count == parameters.group { release(&imu, into: &output) }
        }
    }

    mutating func finish(into output: inout FaultOutput) {
        release(&camera, into: &output)
        release(&imu, into: &output)
    }

    func earliestArrival(after arrival: Timestamp) -> Timestamp {
        [camera.first?.arrival, imu.first?.arrival].compactMap { $0 }.reduce(arrival, min)
    }

    /// A group must not wait for what comes much later, nor for what comes after the range.
    private func releaseIfOver(_ group: inout [Delivery], _ now: Timestamp, into output: inout FaultOutput) {
        guard let first = group.first else { return }
        let isOld = now.nanoseconds(since: first.arrival) >= Reordered.longestGroupNanoseconds
        if isOld || now >= setting.range.to { release(&group, into: &output) }
    }

    private func release(_ group: inout [Delivery], into output: inout FaultOutput) {
        guard let first = group.first else { return }
        var random = setting.random(for: first.event.stream, at: first.event.timestamp)
        let inOrder = group.map(\.event.timestamp)
        group.shuffle(using: &random)
        var clock = first.arrival
        for (delivery, timestamp) in zip(group, inOrder) {
            var delivery = delivery
            clock = max(clock, delivery.arrival)
            delivery.arrival = clock
            if delivery.event.timestamp == timestamp {
                output.pass(delivery)
            } else {
                output.pass(delivery, as: \.delayed)
            }
        }
        group.removeAll(keepingCapacity: true)
    }
}
