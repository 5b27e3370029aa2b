// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How a picture fills the view that shows it: `AVLayerVideoGravity`.
public enum VideoGravity: String, Hashable, Sendable, CaseIterable {
    /// Until it covers the view; what sticks out is cut off: `resizeAspectFill`.
    case aspectFill
    /// Until it just fits into the view; bars remain: `resizeAspect`.
    case aspectFit
    /// To the view's shape, whatever that does to its own: `resize`.
    case resize
}

/// What shows faces over the camera's picture: AVFoundation's preview layer, which takes boxes and angles from the picture
/// into the view (`transformedMetadataObject(for:)`).
public struct FacePreview: Hashable, Sendable {
    /// The view's size in points.
    public var viewSize: ViewSize
    /// How the interface is turned.
    public var orientation: InterfaceOrientation
    /// How the picture is scaled.
    public var gravity: VideoGravity
    /// Whether the view shows the picture mirrored, as a front camera's is shown.
    public var isMirrored: Bool

    /// A preview; the view must not be empty.
    public init(
        viewSize: ViewSize, orientation: InterfaceOrientation, gravity: VideoGravity = .aspectFill,
        isMirrored: Bool = false
    ) {
        precondition(
            viewSize.width > 0 && viewSize.height > 0, "a view must have a size above zero, not \(viewSize)")
        self.viewSize = viewSize
        self.orientation = orientation
        self.gravity = gravity
        self.isMirrored = isMirrored
    }

    /// A preview in that view.
    public init(_ viewport: Viewport) {
        self.init(
            viewSize: viewport.size, orientation: viewport.orientation,
            gravity: viewport.contentMode == .aspectFill ? .aspectFill : .aspectFit)
    }

    /// Fractions of the view, from its upper-left corner, from fractions of the recorded picture.
    ///
    /// The picture is turned for the interface, mirrored, then stretched about the middle.
    /// Law: `FaceViewTests.previewAgreesWithViewport`.
    public func viewFromPicture(imageSize: ImageSize) -> AffineTransform2D {
        let turned = imageSize.turned(for: orientation)
        let (width, height) = (Double(turned.width), Double(turned.height))
        let (horizontal, vertical) = (viewSize.width / width, viewSize.height / height)
        let scale =
            switch gravity {
            case .aspectFill: Vector2(repeating: max(horizontal, vertical))
            case .aspectFit: Vector2(repeating: min(horizontal, vertical))
            case .resize: Vector2(horizontal, vertical)
            }
        let factors = scale * Vector2(width / viewSize.width, height / viewSize.height)
        let mirror = isMirrored ? AffineTransform2D(a: -1, b: 0, c: 0, d: 1, tx: 1, ty: 0) : .identity
        return .scaling(factors, about: Point2(0.5, 0.5)) * mirror * orientation.turnedFromRecorded
    }

    /// What the view shows of a face.
    public func shown(_ face: DetectedFace, imageSize: ImageSize) -> ShownFace {
        let map = viewFromPicture(imageSize: imageSize)
        func place(_ pixel: PixelPoint) -> Vector2 {
            let point = NormalizedImagePoint(pixel, imageSize: imageSize)
            return map * Point2(point.x, point.y) * Vector2(viewSize.width, viewSize.height)
        }
        let (first, second) = (place(face.box.minimum), place(face.box.maximum))
        let origin = pointwiseMin(first, second)
        let size = pointwiseMax(first, second) - origin
        var angles = face.angles(turnedFor: orientation)
        if isMirrored {
            // A mirror turns rolls and yaws around; a nod stays a nod.
            angles.roll = angles.roll.map { -$0 }
            angles.yaw = angles.yaw.map { -$0 }
        }
        return ShownFace(
            origin: ViewPoint(origin.x, origin.y), size: ViewSize(width: size.x, height: size.y), angles: angles)
    }
}

/// A face as the view shows it.
public struct ShownFace: Hashable, Sendable {
    /// The upper-left corner of its box, in points.
    public var origin: ViewPoint
    /// The width and height of its box, in points.
    public var size: ViewSize
    /// Its angles in the view.
    public var angles: FaceAngles

    /// A face with these values.
    public init(origin: ViewPoint, size: ViewSize, angles: FaceAngles) {
        self.origin = origin
        self.size = size
        self.angles = angles
    }

    /// The middle of its box.
    public var center: ViewPoint { ViewPoint(origin.x + size.width / 2, origin.y + size.height / 2) }
}
