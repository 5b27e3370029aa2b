// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// How an app shows the camera's picture: the size of the view, how the interface is turned, how the picture is scaled.
public struct Viewport: Hashable, Sendable {
    /// How a picture whose shape is not the view's is scaled.
    public enum ContentMode: String, Hashable, Sendable, CaseIterable {
        /// Until it covers the view; what sticks out is cut off. As ARKit does.
        case aspectFill
        /// Until it just fits into the view; bars remain.
        case aspectFit
    }

    /// The view's size in points.
    public let size: ViewSize
    /// How the interface is turned.
    public let orientation: InterfaceOrientation
    /// How the picture is scaled.
    public let contentMode: ContentMode

    /// A view of that size, which must not be empty.
    public init(size: ViewSize, orientation: InterfaceOrientation, contentMode: ContentMode = .aspectFill) {
        precondition(
            size.width > 0 && size.height > 0 && size.width.isFinite && size.height.isFinite,
            "a view must have a size above zero, not \(size.width) by \(size.height) points")
        self.size = size
        self.orientation = orientation
        self.contentMode = contentMode
    }
}

extension Viewport {
    /// Points of the view per pixel of the picture.
    public func pointsPerPixel(imageSize: ImageSize) -> Double {
        precondition(imageSize.width > 0 && imageSize.height > 0, "a picture of \(imageSize) pixels cannot be shown")
        let turned = imageSize.turned(for: orientation)
        let horizontal = size.width / Double(turned.width)
        let vertical = size.height / Double(turned.height)
        return contentMode == .aspectFill ? max(horizontal, vertical) : min(horizontal, vertical)
    }

    /// Fractions of the view, from its upper-left corner, from fractions of the recorded picture: ARKit's
    /// `displayTransform(for:viewportSize:)`.
    ///
    /// Both sides are fractions: neither pixels nor points. The picture is turned, then stretched about the middle.
    /// Law: `ViewportTests.displayTransformOfAPhone`.
    public func displayTransform(imageSize: ImageSize) -> AffineTransform2D {
        let scale = pointsPerPixel(imageSize: imageSize)
        let turned = imageSize.turned(for: orientation)
        let shownPerView = Vector2(Double(turned.width) / size.width, Double(turned.height) / size.height) * scale
        return .scaling(shownPerView, about: Point2(0.5, 0.5)) * orientation.turnedFromRecorded
    }

    /// Fractions of the recorded picture from fractions of the view: ``displayTransform(imageSize:)`` undone.
    public func inverseDisplayTransform(imageSize: ImageSize) -> AffineTransform2D {
        guard let inverse = displayTransform(imageSize: imageSize).inverse else {
            preconditionFailure("a picture of \(imageSize) pixels vanishes in a view of \(size)")
        }
        return inverse
    }
}

extension ViewPoint {
    /// Where the view shows that position of the picture; outside the view where the picture is cut off.
    public init(_ point: NormalizedImagePoint, in viewport: Viewport, imageSize: ImageSize) {
        let shown = viewport.displayTransform(imageSize: imageSize) * Point2(point.x, point.y)
        self.init(shown.x * viewport.size.width, shown.y * viewport.size.height)
    }

    /// Where the view shows that pixel.
    public init(_ pixel: PixelPoint, in viewport: Viewport, imageSize: ImageSize) {
        self.init(NormalizedImagePoint(pixel, imageSize: imageSize), in: viewport, imageSize: imageSize)
    }

    /// Where the view shows what Vision found in the recorded picture.
    public init(_ point: VisionPoint, in viewport: Viewport, imageSize: ImageSize) {
        self.init(NormalizedImagePoint(point), in: viewport, imageSize: imageSize)
    }
}

extension NormalizedImagePoint {
    /// The position of the picture that the view shows there. Law: `ViewportTests.viewPointsRoundTrip`.
    public init(_ point: ViewPoint, in viewport: Viewport, imageSize: ImageSize) {
        let recorded =
            viewport.inverseDisplayTransform(imageSize: imageSize)
            * Point2(point.x / viewport.size.width, point.y / viewport.size.height)
        self.init(recorded.x, recorded.y)
    }
}

extension PixelPoint {
    /// The pixel that the view shows there.
    public init(_ point: ViewPoint, in viewport: Viewport, imageSize: ImageSize) {
        self.init(NormalizedImagePoint(point, in: viewport, imageSize: imageSize), imageSize: imageSize)
    }
}

extension VisionPoint {
    /// Vision's coordinates, in the recorded picture, of what the view shows there.
    public init(_ point: ViewPoint, in viewport: Viewport, imageSize: ImageSize) {
        self.init(NormalizedImagePoint(point, in: viewport, imageSize: imageSize))
    }
}
