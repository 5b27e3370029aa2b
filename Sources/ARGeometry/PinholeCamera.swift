// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A camera without distortion: u = fx·X/Z + cx, v = fy·Y/Z + cy.
///
/// Domain: Z > 0.
public struct PinholeCamera: CameraModel {
    public var intrinsics: PinholeIntrinsics

    /// The camera with these intrinsics.
    @inlinable public init(_ intrinsics: PinholeIntrinsics) { self.intrinsics = intrinsics }

    public var distortion: [Double] { [] }

    @inlinable public func project(_ pointInOptical: Point3) -> PixelPoint? {
        guard pointInOptical.z > 0 else { return nil }
        return PixelPoint(
            intrinsics.fx * pointInOptical.x / pointInOptical.z + intrinsics.cx,
            intrinsics.fy * pointInOptical.y / pointInOptical.z + intrinsics.cy)
    }

    public func projectWithJacobians(_ pointInOptical: Point3) -> CameraProjection? {
        guard let pixel = project(pointInOptical) else { return nil }
        let inverseDepth = 1 / pointInOptical.z
        let x = pointInOptical.x * inverseDepth
        let y = pointInOptical.y * inverseDepth
        return CameraProjection(
            pixel: pixel,
            pixelByPoint: (
                Vector2(intrinsics.fx * inverseDepth, 0),
                Vector2(0, intrinsics.fy * inverseDepth),
                Vector2(-intrinsics.fx * x * inverseDepth, -intrinsics.fy * y * inverseDepth)
            ),
            pixelByParameters: [Vector2(x, 0), Vector2(0, y), Vector2(1, 0), Vector2(0, 1)])
    }

    @inlinable public func unproject(_ pixel: PixelPoint) -> Vector3? {
        Vector3((pixel.x - intrinsics.cx) / intrinsics.fx, (pixel.y - intrinsics.cy) / intrinsics.fy, 1).normalized()
    }
}
