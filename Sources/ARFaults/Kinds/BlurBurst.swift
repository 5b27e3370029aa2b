// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import Foundation

/// Pictures blur, as if the camera shook or lost its focus.
public struct BlurBurst: Hashable, Sendable {
    /// How they blur.
    public var shape = Shape.directional
    /// The length of the line, or the diameter of the disc, over which each pixel is spread.
    public var sizePixels = 15.0
    /// The line's direction, from the picture's x axis towards its y axis (down), in radians.
    public var directionRadians = 0.0

    /// How pictures blur.
    public enum Shape: String, Hashable, Sendable, CaseIterable {
        /// Along a line: the camera moves.
        case directional
        /// Over a disc: the lens is out of focus.
        case defocus
    }

    /// A horizontal blur.
    public init() {}
}

extension BlurBurst: FaultParameters {
    static let name = "blur_burst"
    var kind: Fault.Kind { .blurBurst(self) }

    mutating func visit(_ fields: inout FaultFields) throws(DocumentError) {
        try fields.choice("shape", &shape)
        try fields.number("size_px", &sizePixels, in: 0.5...50)
        try fields.number("direction_rad", &directionRadians, in: -2 * .pi...2 * .pi)
    }

    func makeStage(_ setting: FaultSetting) -> any FaultStage {
        let kernel =
            switch shape {
            case .directional: PixelKernel(line: sizePixels, direction: directionRadians)
            case .defocus: PixelKernel(discOfDiameter: sizePixels)
            }
        return PictureStage(setting: setting) { rows, _ in rows.apply(kernel) }
    }
}
