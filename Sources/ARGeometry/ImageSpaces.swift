// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// The four coordinate systems of a picture, each its own type, so that they cannot be mixed.

/// A position in pixels: origin at the centre of the top-left pixel, x right, y down.
///
/// The convention of OpenCV, Kalibr and ARKit's intrinsics. The picture covers −0.5 … width − 0.5.
public struct PixelPoint: Hashable, Sendable {
    /// Pixels to the right of the centre of the first column.
    public var x: Double
    /// Pixels below the centre of the first row.
    public var y: Double

    /// The position at `x`, `y` pixels.
    @inlinable public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    /// The coordinates as a vector, for arithmetic.
    @inlinable public var vector: Vector2 { Vector2(x, y) }

    /// The position with the given coordinates.
    @inlinable public init(_ vector: Vector2) { self.init(vector.x, vector.y) }

    /// The distance in pixels.
    @inlinable public func distance(to other: PixelPoint) -> Double { (vector - other.vector).length }
}

/// A position as a fraction of the picture: (0, 0) is its upper-left corner, (1, 1) its lower-right corner.
///
/// The space of `ARFrame.hitTest` and `ARFrame.displayTransform`.
public struct NormalizedImagePoint: Hashable, Sendable {
    /// 0 at the left edge, 1 at the right edge.
    public var x: Double
    /// 0 at the top edge, 1 at the bottom edge.
    public var y: Double

    /// The position at these fractions.
    @inlinable public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    /// The position as a fraction of a picture of that size: half a pixel lies between a corner and a pixel's centre.
    @inlinable public init(_ pixel: PixelPoint, imageSize: ImageSize) {
        self.init((pixel.x + 0.5) / Double(imageSize.width), (pixel.y + 0.5) / Double(imageSize.height))
    }
}

/// A position as Vision states it: a fraction of the picture, (0, 0) its **lower**-left corner, (1, 1) its upper-right.
public struct VisionPoint: Hashable, Sendable {
    /// 0 at the left edge, 1 at the right edge.
    public var x: Double
    /// 0 at the bottom edge, 1 at the top edge.
    public var y: Double

    /// The position at these fractions.
    @inlinable public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }

    /// The same position, measured from below.
    @inlinable public init(_ point: NormalizedImagePoint) { self.init(point.x, 1 - point.y) }
}

extension NormalizedImagePoint {
    /// The same position, measured from above.
    @inlinable public init(_ point: VisionPoint) { self.init(point.x, 1 - point.y) }
}

extension PixelPoint {
    /// The position in pixels of a picture of that size.
    @inlinable public init(_ point: NormalizedImagePoint, imageSize: ImageSize) {
        self.init(point.x * Double(imageSize.width) - 0.5, point.y * Double(imageSize.height) - 0.5)
    }
}

/// A position in the view that shows the picture: points from the upper-left corner, after the picture was turned for
/// the interface orientation and scaled to fill (or to fit) the view.
public struct ViewPoint: Hashable, Sendable {
    /// Points to the right of the left edge.
    public var x: Double
    /// Points below the top edge.
    public var y: Double

    /// The position at `x`, `y` points.
    @inlinable public init(_ x: Double, _ y: Double) {
        self.x = x
        self.y = y
    }
}

/// The size of a picture in pixels.
public struct ImageSize: Hashable, Sendable, CustomStringConvertible {
    /// The number of columns.
    public var width: Int
    /// The number of rows.
    public var height: Int

    /// The size of that many columns and rows.
    @inlinable public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// Whether the position lies on one of the picture's pixels.
    @inlinable public func contains(_ pixel: PixelPoint) -> Bool {
        pixel.x >= -0.5 && pixel.y >= -0.5 && pixel.x < Double(width) - 0.5 && pixel.y < Double(height) - 0.5
    }

    /// For example `752×480`.
    public var description: String { "\(width)×\(height)" }
}

/// The size of a view in points.
public struct ViewSize: Hashable, Sendable {
    /// Points from left to right.
    public var width: Double
    /// Points from top to bottom.
    public var height: Double

    /// The size of that many points.
    @inlinable public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }

    /// The point in the middle.
    @inlinable public var center: ViewPoint { ViewPoint(width / 2, height / 2) }
}
