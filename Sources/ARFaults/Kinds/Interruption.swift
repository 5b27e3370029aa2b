// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing

/// The app goes to the background and comes back: in the range there are no frames, no inertial samples and no events but
/// that it began and that it ended.
///
/// Time goes on while the app is away, and so does the device: it comes back elsewhere.
public struct Interruption: Hashable, Sendable {
    /// Whether all that follows is moved to the beginning of the range, so that the clock knows nothing of it.
    public var closesGap = false

    /// An interruption that leaves its gap.
    public init() {}
}

extension Interruption: FaultParameters {
    static let name = "interruption"
    static let span = FaultSpan.bounded
    var kind: Fault.Kind { .interruption(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.truth("closes_gap", &closesGap)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage {
        InterruptingStage(cut: setting.cut, shift: closesGap ? -setting.cut.nanoseconds : 0)
    }

    func changed(_ span: ClosedRange<Timestamp>, _ setting: FaultSetting) -> ClosedRange<Timestamp>? {
        let cut = setting.cut
        guard closesGap else { return span }
        if cut.contains(span.lowerBound), cut.contains(span.upperBound) { return nil }
        func moved(_ timestamp: Timestamp) -> Timestamp {
            timestamp < cut.from ? timestamp : max(cut.from, timestamp.advanced(byNanoseconds: -cut.nanoseconds))
        }
        return moved(span.lowerBound)...moved(span.upperBound)
    }
}

extension FaultSetting {
    /// The range of an interruption, which begins at the session's start at the earliest.
    fileprivate var cut: TimeRange { range.beginning(atTheEarliest: start) }
}

private struct InterruptingStage: FaultStage {
    let cut: TimeRange
    let shift: Int64
    private var hasBegun = false
    private var hasEnded = false

    init(cut: TimeRange, shift: Int64) {
        self.cut = cut
        self.shift = shift
    }

    let changesOrder = true

    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) {
        if !hasBegun, delivery.arrival >= cut.from {
            hasBegun = true
            announce(.interruptionBegan, at: cut.from, into: &output)
        }
        if !hasEnded, delivery.arrival >= cut.to {
            hasEnded = true
            announce(.interruptionEnded, at: cut.to.advanced(byNanoseconds: shift), into: &output)
        }
        // What is late comes as long as the app is there, and is lost with what comes when it is not.
        if cut.contains(delivery.event.timestamp) || cut.contains(delivery.arrival) { return output.drop(delivery) }
        guard shift != 0, delivery.arrival >= cut.to else { return output.pass(delivery) }
        var moved = delivery
        moved.arrival = delivery.arrival.advanced(byNanoseconds: shift)
        guard delivery.event.timestamp >= cut.to else { return output.pass(moved) }
        moved.event.timestamp = delivery.event.timestamp.advanced(byNanoseconds: shift)
        output.pass(moved, as: \.restamped)
    }

    /// Nothing that comes after the range can arrive before the range began.
    func earliestArrival(after arrival: Timestamp) -> Timestamp {
        arrival < cut.from ? arrival : max(cut.from, arrival.advanced(byNanoseconds: shift))
    }

    private func announce(_ action: UserEvent.Action, at timestamp: Timestamp, into output: inout FaultOutput) {
        let event = SensorEvent.user(UserEvent(timestamp: timestamp, action: action))
        output.pass(Delivery(event: event, arrival: timestamp, origin: timestamp), as: \.added)
    }
}
