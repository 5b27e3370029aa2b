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
    /// From the first frozen frame on, the picture is the same, whatever comes late from before: a frame and its double show one.
    private var isFrozen = false

    init(range: TimeRange) { self.range = range }

    mutating func take(_ delivery: Delivery, into output: inout FaultOutput) {
        guard case .frame(var frame) = delivery.event else { return output.pass(delivery) }
        guard range.contains(frame.timestamp) else {
            if !isFrozen, frame.timestamp < range.to { last = frame.image }
            return output.pass(delivery)
        }
        isFrozen = true
        let picture = last ?? frame.image
        last = picture
        guard picture != frame.image else { return output.pass(delivery) }
        frame.image = picture
        var frozen = delivery
        frozen.event = .frame(frame)
        output.pass(frozen, as: \.changed)
    }
}
