// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A camera without distortion: u = fx·X/Z + cx, v = fy·Y/Z + cy.
///
/// - Domain: 0 < Z < ∞, with X/Z and Y/Z below about 1e154, so that their squares exist.
public struct PinholeCamera: CameraModel {
    public var intrinsics: PinholeIntrinsics

    /// The camera with these intrinsics.
    @inlinable public init(_ intrinsics: PinholeIntrinsics) { self.intrinsics = intrinsics }

    public var distortion: [Double] { [] }

    @inlinable public func project(_ pointInOptical: Point3) -> PixelPoint? {
        let inverseDepth = 1 / pointInOptical.z
        let point = Vector2(pointInOptical.x, pointInOptical.y) * inverseDepth
        // The inverse is zero at infinity, where there is no point to be seen.
        guard inverseDepth > 0, point.squaredLength < .infinity else { return nil }
        return intrinsics.pixel(ofPointAtDepthOne: point)
    }

    @inlinable public func projectWithJacobians(_ pointInOptical: Point3) -> CameraProjection? {
        guard let pixel = project(pointInOptical) else { return nil }
        let inverseDepth = 1 / pointInOptical.z
        let point = Vector2(pointInOptical.x, pointInOptical.y) * inverseDepth
        return CameraProjection(
            pixel: pixel,
            pixelByPoint: PixelByPoint(
                x: Vector2(intrinsics.fx * inverseDepth, 0), y: Vector2(0, intrinsics.fy * inverseDepth),
                z: Vector2(intrinsics.fx, intrinsics.fy) * point * -inverseDepth),
            pixelByParameters: PixelByParameters(distorted: point))
    }

    @inlinable public func unproject(_ pixel: PixelPoint) -> Vector3? {
        let point = intrinsics.pointAtDepthOne(of: pixel)
        guard point.squaredLength < .infinity else { return nil }
        return Vector3(point, 1).normalized()
    }
}
