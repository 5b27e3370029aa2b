// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing

/// Stamps are off by a random time each, normally distributed and cut off at three standard deviations. Events arrive in
/// the order of their new stamps.
public struct StampJitter: Hashable, Sendable {
    /// Whose stamps.
    public var sensor = SensorChoice.camera
    /// The standard deviation.
    public var standardDeviationSeconds = 0.001

    /// Frames whose stamps are off by a millisecond.
    public init() {}
}

extension StampJitter: FaultParameters {
    static let name = "stamp_jitter"
    static let isRandom = true
    var kind: Fault.Kind { .stampJitter(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.choice("sensor", &sensor, isRequired: true)
        try fields.number("standard_deviation_s", &standardDeviationSeconds, in: 0...0.5, isRequired: true)
    }

    func longestStampError(after error: Int64) -> Int64 { error + longestShift }

    private var longestShift: Int64 { FaultLimits.nanoseconds(3 * standardDeviationSeconds) + 1 }

    func makeStage(_ setting: FaultSetting) -> any FaultStage {
        let limit = longestShift
        return RestampingStage(setting: setting, sensor: sensor, shifts: -limit...limit) { stream, timestamp in
            var random = setting.random(for: stream, at: timestamp)
            return FaultLimits.nanoseconds(min(max(random.normalPair().0, -3), 3) * standardDeviationSeconds)
        }
    }
}

/// The camera's stamps are off by a constant that its calibration does not know. Events arrive in the order of their new
/// stamps.
public struct CameraImuOffset: Hashable, Sendable {
    /// What is added to the frames' stamps.
    public var offsetSeconds = 0.0

    /// No offset.
    public init() {}
}

extension CameraImuOffset: FaultParameters {
    static let name = "camera_imu_offset"
    var kind: Fault.Kind { .cameraImuOffset(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.number("offset_s", &offsetSeconds, in: -2...2, isRequired: true)
    }

    func longestStampError(after error: Int64) -> Int64 { error + abs(FaultLimits.nanoseconds(offsetSeconds)) }

    func changed(_ rig: SensorRig) throws(FaultError) -> SensorRig {
        var rig = rig
        // Nobody vouches for an offset that is wrong.
        rig.camera.uncertainty.timeOffsetSeconds = nil
        return rig
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage {
        let offset = FaultLimits.nanoseconds(offsetSeconds)
        return RestampingStage(setting: setting, sensor: .camera, shifts: min(offset, 0)...max(offset, 0)) { _, _ in
            offset
        }
    }
}

/// Gives the events of a sensor other stamps, by which they arrive.
private struct RestampingStage: FaultStage {
    let setting: FaultSetting
    let sensor: SensorChoice
    /// The shifts that there can be, in nanoseconds.
    let shifts: ClosedRange<Int64>
    let shift: (SensorEvent.Stream, Timestamp) -> Int64
    let changesOrder = true
    /// Which stamp was given to what, so that no two events of a sensor get the same: of each sensor the recent ones.
    private var given: [SensorEvent.Stream: [(new: Timestamp, old: Timestamp)]] = [:]

    init(
        setting: FaultSetting, sensor: SensorChoice, shifts: ClosedRange<Int64>,
        shift: @escaping (SensorEvent.Stream, Timestamp) -> Int64
    ) {
        self.setting = setting
        self.sensor = sensor
        self.shifts = shifts
        self.shift = shift
    }

    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) {
        let (stream, old) = (delivery.event.stream, delivery.event.timestamp)
        guard sensor.includes(stream) else { return output.pass(delivery) }
        let shift = setting.range.contains(old) ? shift(stream, old) : 0
        let new = freeStamp(old.advanced(byNanoseconds: shift), for: old, stream)
        guard new != old else { return output.pass(delivery) }
        var moved = delivery
        moved.move(byNanoseconds: new.nanoseconds(since: old))
        output.pass(moved, as: \.restamped)
    }

    func earliestArrival(after arrival: Timestamp) -> Timestamp {
        arrival.advanced(byNanoseconds: min(shifts.lowerBound, 0))
    }

    /// The first stamp from there on that no other event of the sensor has.
    private mutating func freeStamp(
        _ wanted: Timestamp, for old: Timestamp, _ stream: SensorEvent.Stream
    ) -> Timestamp {
        let reach = shifts.upperBound - shifts.lowerBound
        given[stream, default: []].removeAll { old.nanoseconds(since: $0.old) > 2 * reach }
        var new = wanted
        while given[stream, default: []].contains(where: { $0.new == new && $0.old != old }) { new.nanoseconds += 1 }
        given[stream, default: []].append((new, old))
        return new
    }
}
