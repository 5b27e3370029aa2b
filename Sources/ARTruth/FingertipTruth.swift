// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Where a fingertip really is.
public struct FingertipTruth: Hashable, Sendable {
    /// The tip, in metres.
    public var positionInWorld: Point3
    /// Its pixel in the frame, or `nil` behind the camera. It may lie outside the picture.
    public var pixel: PixelPoint?
    /// Whether the tip is seen: inside the picture and not hidden.
    public var isVisible: Bool
    /// Whether it draws.
    public var isPenDown: Bool
    /// The stroke that it draws, counted from zero in ``SessionTruth/strokes``; `nil` between strokes.
    public var stroke: Int?

    /// A fingertip with these values.
    public init(
        positionInWorld: Point3, pixel: PixelPoint?, isVisible: Bool, isPenDown: Bool, stroke: Int? = nil
    ) {
        self.positionInWorld = positionInWorld
        self.pixel = pixel
        self.isVisible = isVisible
        self.isPenDown = isPenDown
        self.stroke = stroke
    }
}
