// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension Viewport {
    /// Clip coordinates from the view's axes (+X right, +Y up, looking along −Z): ARKit's
    /// `projectionMatrix(for:viewportSize:zNear:zFar:)`.
    ///
    /// After division by w, x and y run from −1 to 1 over the view, y upwards; depth runs from 0 at `near` to 1 at
    /// `far`, as Metal has it. With the picture's W×H and the intrinsics turned for the interface, s points per pixel
    /// and a view of v×w points:
    ///
    ///     2 fx s/v      0             (W − 1 − 2 cx) s/v     0
    ///     0             2 fy s/w      (2 cy − H + 1) s/w     0
    ///     0             0             −far/(far − near)      −far·near/(far − near)
    ///     0             0             −1                     0
    ///
    /// The −1 and +1 are the half pixel between the picture's edge and the centre of its first pixel. In landscapeRight
    /// the formula gives a real device's matrix to seven digits (`ProjectionMatrixTests.aRealDevice`); the other
    /// orientations follow from it by turning. Distortion has no place in a matrix and is left out.
    /// - Parameters:
    ///   - near: the distance of depth 0, in metres, above zero.
    ///   - far: the distance of depth 1, beyond `near`; infinity is allowed, and is what ARKit means by zero.
    public func projectionMatrix(
        _ intrinsics: PinholeIntrinsics, imageSize: ImageSize, near: Double, far: Double = .infinity
    ) -> Matrix4x4 {
        precondition(near > 0 && far > near, "clipping planes at \(near) m and \(far) m enclose nothing")
        let scale = pointsPerPixel(imageSize: imageSize)
        let turned = intrinsics.turned(for: orientation, imageSize: imageSize)
        let turnedSize = imageSize.turned(for: orientation)
        let horizontal = scale / size.width
        let vertical = scale / size.height
        let offCenterX = Double(turnedSize.width - 1) - 2 * turned.cx
        let offCenterY = 2 * turned.cy - Double(turnedSize.height - 1)
        let depth = far == .infinity ? 1 : far / (far - near)
        return Matrix4x4(
            rows: Vector4(2 * turned.fx * horizontal, 0, offCenterX * horizontal, 0),
            Vector4(0, 2 * turned.fy * vertical, offCenterY * vertical, 0),
            Vector4(0, 0, -depth, -depth * near),
            Vector4(0, 0, -1, 0))
    }

    /// Where the view shows a point of normalised device coordinates: x and y in −1…1, y upwards.
    public func viewPoint(ofNormalizedDevice point: Point2) -> ViewPoint {
        ViewPoint((point.x + 1) / 2 * size.width, (1 - point.y) / 2 * size.height)
    }
}
