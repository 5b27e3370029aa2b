// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A box around a face in a picture, its sides along the picture's.
public struct FaceBox: Hashable, Sendable {
    /// The corner at the top left.
    public var minimum: PixelPoint
    /// The corner at the bottom right.
    public var maximum: PixelPoint

    /// A box from corner to corner.
    public init(minimum: PixelPoint, maximum: PixelPoint) {
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The least box around points, of which there must be one.
    init(around points: some Sequence<PixelPoint>) {
        var minimum = Vector2(repeating: .infinity)
        var maximum = Vector2(repeating: -.infinity)
        for point in points {
            minimum = pointwiseMin(minimum, point.vector)
            maximum = pointwiseMax(maximum, point.vector)
        }
        precondition(minimum.x <= maximum.x, "no box lies around no points")
        self.init(minimum: PixelPoint(minimum), maximum: PixelPoint(maximum))
    }

    /// The middle.
    public var center: PixelPoint { PixelPoint((minimum.vector + maximum.vector) / 2) }
    /// Width and height, in pixels.
    public var size: Vector2 { maximum.vector - minimum.vector }
    /// Width times height, in square pixels; zero for a box that is turned inside out.
    public var area: Double { max(0, size.x) * max(0, size.y) }

    /// The area that both boxes cover, as a part of what either covers: 0 … 1.
    public func overlap(with other: FaceBox) -> Double {
        let common = FaceBox(
            minimum: PixelPoint(pointwiseMax(minimum.vector, other.minimum.vector)),
            maximum: PixelPoint(pointwiseMin(maximum.vector, other.maximum.vector))
        ).area
        let either = area + other.area - common
        return either > 0 ? common / either : 0
    }
}

/// A box as Vision states it: fractions of the picture, from the lower-left corner: `VNFaceObservation.boundingBox`.
public struct VisionBox: Hashable, Sendable {
    /// The corner at the lower left.
    public var origin: VisionPoint
    /// The width, as a fraction of the picture's.
    public var width: Double
    /// The height, as a fraction of the picture's.
    public var height: Double

    /// The box with these fractions.
    public init(origin: VisionPoint, width: Double, height: Double) {
        self.origin = origin
        self.width = width
        self.height = height
    }

    /// A box of a picture of that size, turned for the interface as Vision turns a picture whose orientation it is told.
    ///
    /// Law: `FaceBoxTests.visionBoxes`.
    public init(
        _ box: FaceBox, imageSize: ImageSize, turnedFor orientation: InterfaceOrientation = .landscapeRight
    ) {
        let first = VisionPoint(NormalizedImagePoint(box.minimum, imageSize: imageSize), turnedFor: orientation)
        let second = VisionPoint(NormalizedImagePoint(box.maximum, imageSize: imageSize), turnedFor: orientation)
        self.init(
            origin: VisionPoint(min(first.x, second.x), min(first.y, second.y)), width: abs(first.x - second.x),
            height: abs(first.y - second.y))
    }
}

/// A box as AVFoundation states it: fractions of the picture as it was recorded, from the upper-left corner:
/// `AVMetadataObject.bounds`.
public struct NormalizedImageBox: Hashable, Sendable {
    /// The corner at the upper left.
    public var origin: NormalizedImagePoint
    /// The width, as a fraction of the picture's.
    public var width: Double
    /// The height, as a fraction of the picture's.
    public var height: Double

    /// A box of a picture of that size.
    public init(_ box: FaceBox, imageSize: ImageSize) {
        origin = NormalizedImagePoint(box.minimum, imageSize: imageSize)
        width = box.size.x / Double(imageSize.width)
        height = box.size.y / Double(imageSize.height)
    }
}
