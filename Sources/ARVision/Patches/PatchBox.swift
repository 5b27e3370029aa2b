// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A rectangle in a picture, which may be turned.
public struct PatchBox: Hashable, Sendable {
    /// The middle.
    public var center: PixelPoint
    /// The side along the box's own right, in pixels.
    public var width: Double
    /// The side along the box's own down, in pixels.
    public var height: Double
    /// How far the box is turned, in radians, clockwise as the picture shows it, because y goes down; 0 is upright. It
    /// is counted on beyond half a turn.
    public var rotation: Double

    /// A box about a middle.
    public init(center: PixelPoint, width: Double, height: Double, rotation: Double = 0) {
        self.center = center
        self.width = width
        self.height = height
        self.rotation = rotation
    }

    /// An upright box between two corners as Vision states them.
    public init(lowerLeft: VisionPoint, upperRight: VisionPoint, imageSize: ImageSize) {
        let (first, second) = (
            PixelPoint(NormalizedImagePoint(lowerLeft), imageSize: imageSize),
            PixelPoint(NormalizedImagePoint(upperRight), imageSize: imageSize)
        )
        self.init(
            center: PixelPoint((first.vector + second.vector) * 0.5), width: second.x - first.x,
            height: first.y - second.y)
    }

    /// The corners, clockwise from the box's own upper left.
    public var corners: PixelQuad {
        let right = Vector2(cos(rotation), sin(rotation)) * (width / 2)
        let down = Vector2(-sin(rotation), cos(rotation)) * (height / 2)
        let middle = center.vector
        return PixelQuad(
            topLeft: PixelPoint(middle - right - down), topRight: PixelPoint(middle + right - down),
            bottomRight: PixelPoint(middle + right + down), bottomLeft: PixelPoint(middle - right + down))
    }

    /// The smallest upright box around this one, as Vision states it: what `VNDetectedObjectObservation.boundingBox` is.
    public func visionBounds(imageSize: ImageSize) -> (lowerLeft: VisionPoint, upperRight: VisionPoint) {
        let corners = corners.corners.map { VisionPoint(NormalizedImagePoint($0, imageSize: imageSize)) }
        let (xs, ys) = (corners.map(\.x).sorted(), corners.map(\.y).sorted())
        return (VisionPoint(xs[0], ys[0]), VisionPoint(xs[3], ys[3]))
    }

    /// Where a place of another box is in this one: what was marked in the first picture, a fingertip say, moves, turns
    /// and grows with the box.
    public func place(of pixel: PixelPoint, in other: PatchBox) -> PixelPoint {
        let scale = width / other.width
        let turn = rotation - other.rotation
        let offset = (pixel.vector - other.center.vector) * scale
        return PixelPoint(
            center.x + cos(turn) * offset.x - sin(turn) * offset.y,
            center.y + sin(turn) * offset.x + cos(turn) * offset.y)
    }
}
