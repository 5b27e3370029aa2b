// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The four numbers that every camera has.
public struct PinholeIntrinsics: Hashable, Sendable {
    /// The focal length along x, in pixels.
    public var fx: Double
    /// The focal length along y, in pixels.
    public var fy: Double
    /// The principal point's x, in pixels from the centre of the first pixel.
    public var cx: Double
    /// The principal point's y, in pixels from the centre of the first pixel.
    public var cy: Double

    /// The intrinsics with these parameters, in pixels.
    @inlinable public init(fx: Double, fy: Double, cx: Double, cy: Double) {
        self.fx = fx
        self.fy = fy
        self.cx = cx
        self.cy = cy
    }

    /// The matrix K with columns (fx, 0, 0), (0, fy, 0), (cx, cy, 1).
    public var matrix: Matrix3x3 { Matrix3x3(Vector3(fx, 0, 0), Vector3(0, fy, 0), Vector3(cx, cy, 1)) }

    /// The pixel of a point at depth one.
    @inlinable func pixel(ofPointAtDepthOne point: Vector2) -> PixelPoint {
        PixelPoint(fx * point.x + cx, fy * point.y + cy)
    }

    /// The point at depth one that a camera without distortion shows at the pixel.
    @inlinable func pointAtDepthOne(of pixel: PixelPoint) -> Vector2 {
        Vector2((pixel.x - cx) / fx, (pixel.y - cy) / fy)
    }
}

extension PinholeIntrinsics {
    /// The intrinsics of the picture after it was resized to cover the same view with other pixels.
    ///
    /// Edges stay edges: a position moves from u to (u + ½)·s − ½, because a pixel's centre lies half a pixel from its
    /// edge. Law: `PinholeIntrinsicsTests.resizing`.
    public func resized(from oldSize: ImageSize, to newSize: ImageSize) -> PinholeIntrinsics {
        let scaleX = Double(newSize.width) / Double(oldSize.width)
        let scaleY = Double(newSize.height) / Double(oldSize.height)
        return PinholeIntrinsics(
            fx: fx * scaleX, fy: fy * scaleY, cx: (cx + 0.5) * scaleX - 0.5, cy: (cy + 0.5) * scaleY - 0.5)
    }

    /// The intrinsics of the part of the picture whose first pixel is at `column`, `row`.
    ///
    /// Law: `PinholeIntrinsicsTests.cropping`.
    public func cropped(fromColumn column: Int, row: Int) -> PinholeIntrinsics {
        PinholeIntrinsics(fx: fx, fy: fy, cx: cx - Double(column), cy: cy - Double(row))
    }

    /// The intrinsics of the picture, of that size as it was recorded, after it was turned for the interface.
    ///
    /// Law: `PinholeIntrinsicsTests.turning`.
    public func turned(for orientation: InterfaceOrientation, imageSize: ImageSize) -> PinholeIntrinsics {
        let lastColumn = Double(imageSize.width - 1)
        let lastRow = Double(imageSize.height - 1)
        return switch orientation {
        case .landscapeRight: self
        case .landscapeLeft: PinholeIntrinsics(fx: fx, fy: fy, cx: lastColumn - cx, cy: lastRow - cy)
        case .portrait: PinholeIntrinsics(fx: fy, fy: fx, cx: lastRow - cy, cy: cx)
        case .portraitUpsideDown: PinholeIntrinsics(fx: fy, fy: fx, cx: cy, cy: lastColumn - cx)
        }
    }
}
