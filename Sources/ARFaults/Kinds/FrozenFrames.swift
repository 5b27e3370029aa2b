// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// The picture stays as it was before the range; in a range from the start, as it is in the first frame. Stamps go on.
public struct FrozenFrames: Hashable, Sendable {
    /// A picture that stays.
    public init() {}
}

extension FrozenFrames: FaultParameters {
    static let name = "frozen_frames"
    var kind: Fault.Kind { .frozenFrames(self) }

    func makeStage(_ setting: FaultSetting) -> any FaultStage { FreezingStage(range: setting.range) }
}

private struct FreezingStage: FaultStage {
    let range: TimeRange
    private var last: ImageBuffer?

    init(range: TimeRange) { self.range = range }

    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) {
        guard case .frame(var frame) = delivery.event else { return output.pass(delivery) }
        guard range.contains(frame.timestamp), let last, last != frame.image else {
            if frame.timestamp < range.to { last = frame.image }
            return output.pass(delivery)
        }
        frame.image = last
        var frozen = delivery
        frozen.event = .frame(frame)
        output.pass(frozen, as: \.changed)
    }
}
