// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing

/// The lens focuses on something else for a while, and its focal length is another: not the one that the calibration says.
public struct Refocus: Hashable, Sendable {
    /// By how much longer the focal lengths are, in percent.
    public var percent = 2.0
    /// How long the lens takes to get there, and to come back before the range ends.
    public var waySeconds = 0.3

    /// Two percent longer.
    public init() {}

    /// How far the lens has come from its usual focus, 0, to the other, 1.
    func share(at timestamp: Timestamp, in range: TimeRange) -> Double {
        guard range.contains(timestamp) else { return 0 }
        func share(_ seconds: Double) -> Double { seconds < waySeconds ? seconds / waySeconds : 1 }
        return min(
            range.secondsSinceBegin(at: timestamp).map(share) ?? 1, range.secondsUntilEnd(at: timestamp).map(share) ?? 1
        )
    }
}

extension Refocus: FaultParameters {
    static let name = "refocus"
    var kind: Fault.Kind { .refocus(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.number("percent", &percent, in: -50...100)
        try fields.number("way_s", &waySeconds, in: 0...60)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage {
        let intrinsics = setting.rig.camera.camera.intrinsics
        return PictureStage(setting: setting) { rows, _, timestamp in
            let share = share(at: timestamp, in: setting.range)
            rows.magnify(
                by: 1 + share * percent / 100, about: PixelPoint(intrinsics.cx, intrinsics.cy))
        }
    }
}
