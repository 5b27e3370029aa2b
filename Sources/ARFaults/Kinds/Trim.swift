// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARSensing

/// Only what lies in the range is kept; stamps stay as they are.
public struct Trim: Hashable, Sendable {
    /// A piece of the session.
    public init() {}
}

extension Trim: FaultParameters {
    static let name = "trim"
    static let decisiveKeys = ["from_s", "to_s"]
    var kind: Fault.Kind { .trim(self) }

    func makeStage(_ setting: FaultSetting) -> any FaultStage { TrimmingStage(range: setting.range) }

    func changed(_ span: ClosedRange<Timestamp>, _ setting: FaultSetting) -> ClosedRange<Timestamp>? {
        let last =
            setting.range.to.nanoseconds == .max ? setting.range.to : setting.range.to.advanced(byNanoseconds: -1)
        let from = max(span.lowerBound, setting.range.from)
        let to = min(span.upperBound, last)
        return from <= to ? from...to : nil
    }
}

private struct TrimmingStage: FaultStage {
    let range: TimeRange

    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) {
        if range.contains(delivery.event.timestamp) { output.pass(delivery) } else { output.drop(delivery) }
    }
}
