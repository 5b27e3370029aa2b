// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry

/// Each picture is moved by itself, as a stabilised lens moves it: not where the inertial sensor says.
public struct LensShake: Hashable, Sendable {
    /// The standard deviation of the way along each axis, in pixels; cut off at three of them.
    public var standardDeviationPixels = 1.0

    /// A shake of a pixel.
    public init() {}
}

extension LensShake: FaultParameters {
    static let name = "lens_shake"
    static let isRandom = true
    var kind: Fault.Kind { .lensShake(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.number("standard_deviation_px", &standardDeviationPixels, in: 0.01...50)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage {
        PictureStage(setting: setting) { rows, random in
            let (x, y) = random.normalPair()
            let way = Vector2(min(max(x, -3), 3), min(max(y, -3), 3))
            rows.apply(PixelKernel(shift: standardDeviationPixels * way))
        }
    }
}
