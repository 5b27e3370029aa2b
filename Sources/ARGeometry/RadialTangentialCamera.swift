// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A camera with OpenCV's standard distortion: radial k1, k2, k3 and tangential p1, p2.
///
/// With x = X/Z, y = Y/Z and s = x² + y², the distorted point is
///
///     x' = x (1 + k1 s + k2 s² + k3 s³) + 2 p1 x y + p2 (s + 2x²)
///     y' = y (1 + k1 s + k2 s² + k3 s³) + p1 (s + 2y²) + 2 p2 x y
///
/// and the pixel is (fx x' + cx, fy y' + cy). Kalibr calls the model `radtan` and leaves out k3.
/// - Domain: 0 < Z < ∞ and √s < ``maximumRadius``, inside which no two points share a pixel.
/// - Reference: Brown 1966, "Decentering distortion of lenses", after Conrady 1919; OpenCV's documentation of calib3d.
public struct RadialTangentialCamera: CameraModel {
    public var intrinsics: PinholeIntrinsics
    /// Radial distortion that grows with r².
    public let k1: Double
    /// Radial distortion that grows with r⁴.
    public let k2: Double
    /// Tangential distortion along y.
    public let p1: Double
    /// Tangential distortion along x.
    public let p2: Double
    /// Radial distortion that grows with r⁶.
    public let k3: Double
    /// How far from the axis a point at depth one may lie: the tangent of half the field of view, at most 1e6.
    ///
    /// Farther out, a model with barrel distortion folds back: the pixels of points outside the field of view would
    /// land inside the picture.
    public let maximumRadius: Double

    /// The camera with these intrinsics and this distortion.
    public init(
        _ intrinsics: PinholeIntrinsics, k1: Double, k2: Double, p1: Double, p2: Double, k3: Double = 0
    ) {
        self.intrinsics = intrinsics
        self.k1 = k1
        self.k2 = k2
        self.p1 = p1
        self.p2 = p2
        self.k3 = k3
        maximumRadius = Self.invertibleRadius(k1: k1, k2: k2, tangential: (p1 * p1 + p2 * p2).squareRoot(), k3: k3)
    }

    /// k1, k2, p1, p2, k3: OpenCV's order.
    public var distortion: [Double] { [k1, k2, p1, p2, k3] }

    /// The radius of a disc on which the distortion is one to one.
    ///
    /// The distortion is the gradient of a potential: its Jacobian is symmetric. Where that is positive definite
    /// throughout a convex region the potential is strictly convex, and its gradient takes no value twice. The radial
    /// part has the eigenvalues f′(r) along the radius and f(r)/r across, with f(r) = r + k1 r³ + k2 r⁵ + k3 r⁷; the
    /// tangential part lowers an eigenvalue by at most 6 r √(p1² + p2²), reached along the radius. The disc ends where
    /// the first of the two eigenvalues is used up.
    private static func invertibleRadius(k1: Double, k2: Double, tangential: Double, k3: Double) -> Double {
        let lowering = -6 * tangential
        let alongRadius = Polynomial(coefficients: [1, lowering, 3 * k1, 0, 5 * k2, 0, 7 * k3])
        let acrossRadius = Polynomial(coefficients: [1, lowering, k1, 0, k2, 0, k3])
        let range = 0...1e6
        return min(
            alongRadius.signChanges(in: range).first ?? range.upperBound,
            acrossRadius.signChanges(in: range).first ?? range.upperBound)
    }
}

extension RadialTangentialCamera {
    /// The distorted point of a point at depth one.
    @inlinable func distorted(_ point: Vector2, squaredRadius s: Double) -> Vector2 {
        let radial = 1 + s * (k1 + s * (k2 + s * k3))
        let twiceProduct = 2 * point.x * point.y
        return Vector2(
            point.x * radial + p1 * twiceProduct + p2 * (s + 2 * point.x * point.x),
            point.y * radial + p1 * (s + 2 * point.y * point.y) + p2 * twiceProduct)
    }

    /// The derivative of the distorted point: the symmetric matrix [xx xy; xy yy].
    @inlinable func distortionJacobian(
        _ point: Vector2, squaredRadius s: Double
    ) -> (xx: Double, xy: Double, yy: Double) {
        let (x, y) = (point.x, point.y)
        let radial = 1 + s * (k1 + s * (k2 + s * k3))
        let twiceSlope = 2 * (k1 + s * (2 * k2 + s * 3 * k3))
        return (
            xx: radial + x * x * twiceSlope + 2 * p1 * y + 6 * p2 * x,
            xy: x * y * twiceSlope + 2 * p1 * x + 2 * p2 * y,
            yy: radial + y * y * twiceSlope + 6 * p1 * y + 2 * p2 * x
        )
    }

    @inlinable public func project(_ pointInOptical: Point3) -> PixelPoint? {
        let inverseDepth = 1 / pointInOptical.z
        let point = Vector2(pointInOptical.x, pointInOptical.y) * inverseDepth
        let squaredRadius = point.squaredLength
        guard inverseDepth > 0, squaredRadius < maximumRadius * maximumRadius else { return nil }
        return intrinsics.pixel(ofPointAtDepthOne: distorted(point, squaredRadius: squaredRadius))
    }

    @inlinable public func projectWithJacobians(_ pointInOptical: Point3) -> CameraProjection? {
        let inverseDepth = 1 / pointInOptical.z
        let point = Vector2(pointInOptical.x, pointInOptical.y) * inverseDepth
        let s = point.squaredLength
        guard inverseDepth > 0, s < maximumRadius * maximumRadius else { return nil }
        let distorted = distorted(point, squaredRadius: s)
        let jacobian = distortionJacobian(point, squaredRadius: s)
        let (x, y) = (point.x, point.y)
        let focal = Vector2(intrinsics.fx, intrinsics.fy)
        let byX = focal * Vector2(jacobian.xx, jacobian.xy) * inverseDepth
        let byY = focal * Vector2(jacobian.xy, jacobian.yy) * inverseDepth
        return CameraProjection(
            pixel: intrinsics.pixel(ofPointAtDepthOne: distorted),
            pixelByPoint: PixelByPoint(x: byX, y: byY, z: -(byX * x + byY * y)),
            pixelByParameters: PixelByParameters(
                distorted: distorted,
                columnByDistortion: focal.x * SIMD8(x * s, x * s * s, 2 * x * y, s + 2 * x * x, x * s * s * s, 0, 0, 0),
                rowByDistortion: focal.y * SIMD8(y * s, y * s * s, s + 2 * y * y, 2 * x * y, y * s * s * s, 0, 0, 0),
                distortionCount: 5))
    }

    @inlinable public func unproject(_ pixel: PixelPoint) -> Vector3? {
        let target = intrinsics.pointAtDepthOne(of: pixel)
        guard target.squaredLength < .infinity, let point = undistorted(target) else { return nil }
        return Vector3(point, 1).normalized()
    }
}

extension RadialTangentialCamera {
    /// The point at depth one whose distorted point is `target`, to the last digits, or `nil` where there is none.
    ///
    /// Newton's method with each step halved until it stays in the domain and brings the distorted point nearer. As the
    /// Jacobian is positive definite in the domain, such a step exists until the answer is reached, if there is one.
    /// Law: `CameraModelTests.unprojectThenProject`.
    public func undistorted(_ target: Vector2) -> Vector2? {
        // Rounding leaves some units in the last place of what is being matched.
        let rounding = 4e-16 * (1 + target.length)
        let squaredRounding = rounding * rounding
        let start = target.length < maximumRadius ? target : .zero
        var point = start
        var residual = target - distorted(start, squaredRadius: start.squaredLength)
        for _ in 0..<100 {
            guard residual.squaredLength > squaredRounding,
                let better = improved(point, target: target, residual: residual)
            else { break }
            (point, residual) = better
        }
        return residual.squaredLength <= 4096 * squaredRounding ? point : nil
    }

    /// A point whose distorted point is nearer to the target, or `nil` when rounding or the domain's edge leaves none.
    private func improved(
        _ point: Vector2, target: Vector2, residual: Vector2
    ) -> (point: Vector2, residual: Vector2)? {
        let jacobian = distortionJacobian(point, squaredRadius: point.squaredLength)
        let determinant = jacobian.xx * jacobian.yy - jacobian.xy * jacobian.xy
        var step =
            Vector2(
                jacobian.yy * residual.x - jacobian.xy * residual.y,
                jacobian.xx * residual.y - jacobian.xy * residual.x) / determinant
        // Halving ends where the step is lost in the point's last digit.
        while step.squaredLength > 1e-32 * (1 + point.squaredLength) {
            let candidate = point + step
            let squaredRadius = candidate.squaredLength
            if squaredRadius < maximumRadius * maximumRadius {
                let remaining = target - distorted(candidate, squaredRadius: squaredRadius)
                if remaining.squaredLength < residual.squaredLength { return (candidate, remaining) }
            }
            step /= 2
        }
        return nil
    }
}
