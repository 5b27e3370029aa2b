// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A fisheye camera: the image grows with the angle from the axis, θ, instead of its tangent.
///
/// With ρ = √(X² + Y²) and θ = atan2(ρ, Z), the distorted angle is
///
///     θ' = θ (1 + k1 θ² + k2 θ⁴ + k3 θ⁶ + k4 θ⁸)
///
/// and the pixel is (fx θ' X/ρ + cx, fy θ' Y/ρ + cy). Kalibr calls the model `equidistant`, OpenCV `fisheye`; both
/// compute θ from X/Z and are right for Z > 0 only.
/// - Domain: 0 ≤ θ < ``maximumAngle``, which may reach behind the camera (Z ≤ 0).
/// - Reference: Kannala and Brandt 2006, "A generic camera model and calibration method for conventional, wide-angle,
///   and fish-eye lenses", equation 6, with the first coefficient in fx and fy; OpenCV's documentation of calib3d.
public struct EquidistantCamera: CameraModel {
    public var intrinsics: PinholeIntrinsics
    /// Distortion that grows with θ³.
    public let k1: Double
    /// Distortion that grows with θ⁵.
    public let k2: Double
    /// Distortion that grows with θ⁷.
    public let k3: Double
    /// Distortion that grows with θ⁹.
    public let k4: Double
    /// Half the field of view, in radians: where θ' stops growing with θ, at most π.
    public let maximumAngle: Double
    /// θ' at ``maximumAngle``: the farthest that a pixel can lie from the principal point, over the focal length.
    public let maximumDistortedAngle: Double

    /// The camera with these intrinsics and this distortion.
    public init(_ intrinsics: PinholeIntrinsics, k1: Double, k2: Double, k3: Double, k4: Double) {
        self.intrinsics = intrinsics
        self.k1 = k1
        self.k2 = k2
        self.k3 = k3
        self.k4 = k4
        let distortedAngle = Polynomial(coefficients: [0, 1, 0, k1, 0, k2, 0, k3, 0, k4])
        maximumAngle = distortedAngle.derivative.signChanges(in: 0...Double.pi).first ?? .pi
        maximumDistortedAngle = distortedAngle(maximumAngle)
    }

    /// k1, k2, k3, k4.
    public var distortion: [Double] { [k1, k2, k3, k4] }
}

extension EquidistantCamera {
    /// θ' of θ.
    @inlinable func distortedAngle(_ angle: Double) -> Double {
        let s = angle * angle
        return angle * (1 + s * (k1 + s * (k2 + s * (k3 + s * k4))))
    }

    /// dθ'/dθ.
    @inlinable func distortedAngleSlope(_ angle: Double) -> Double {
        let s = angle * angle
        return 1 + s * (3 * k1 + s * (5 * k2 + s * (7 * k3 + s * 9 * k4)))
    }

    /// The point's angle from the axis and its distance from the camera, squared; `nil` outside the domain.
    @inlinable func angleInDomain(
        _ point: Point3, distanceFromAxis: Double
    ) -> (angle: Double, squaredDistance: Double)? {
        let squaredDistance = point.squaredLength
        let angle = atan2(distanceFromAxis, point.z)
        guard squaredDistance > 0, squaredDistance < .infinity, angle < maximumAngle else { return nil }
        return (angle, squaredDistance)
    }

    @inlinable public func project(_ pointInOptical: Point3) -> PixelPoint? {
        let across = Vector2(pointInOptical.x, pointInOptical.y)
        let distanceFromAxis = across.length
        guard let (angle, _) = angleInDomain(pointInOptical, distanceFromAxis: distanceFromAxis) else { return nil }
        let scale = distanceFromAxis > 0 ? distortedAngle(angle) / distanceFromAxis : 1 / pointInOptical.z
        return intrinsics.pixel(ofPointAtDepthOne: across * scale)
    }

    @inlinable public func projectWithJacobians(_ pointInOptical: Point3) -> CameraProjection? {
        let across = Vector2(pointInOptical.x, pointInOptical.y)
        let distanceFromAxis = across.length
        guard let (angle, squaredDistance) = angleInDomain(pointInOptical, distanceFromAxis: distanceFromAxis) else {
            return nil
        }
        // On the axis the direction across it is free, and everything that depends on it vanishes.
        let isOnAxis = distanceFromAxis == 0
        let outward = isOnAxis ? .zero : across / distanceFromAxis
        let scale = isOnAxis ? 1 / pointInOptical.z : distortedAngle(angle) / distanceFromAxis
        let slope = distortedAngleSlope(angle) / squaredDistance
        let distorted = across * scale

        // distorted = outward · θ'(θ): it turns with `outward` and grows with θ, whose gradient is (outward·Z, −ρ)/|P|².
        let growth = slope * pointInOptical.z - scale
        let focal = Vector2(intrinsics.fx, intrinsics.fy)
        let s = angle * angle
        let powers = angle * s * SIMD8(1, s, s * s, s * s * s, 0, 0, 0, 0)
        return CameraProjection(
            pixel: intrinsics.pixel(ofPointAtDepthOne: distorted),
            pixelByPoint: PixelByPoint(
                x: focal * (Vector2(scale, 0) + outward * (outward.x * growth)),
                y: focal * (Vector2(0, scale) + outward * (outward.y * growth)),
                z: focal * across * -slope),
            pixelByParameters: PixelByParameters(
                distorted: distorted, columnByDistortion: focal.x * outward.x * powers,
                rowByDistortion: focal.y * outward.y * powers, distortionCount: 4))
    }

    @inlinable public func unproject(_ pixel: PixelPoint) -> Vector3? {
        let distorted = intrinsics.pointAtDepthOne(of: pixel)
        let distortedAngle = distorted.length
        guard distortedAngle < maximumDistortedAngle else { return nil }
        guard distortedAngle > 0 else { return Vector3(0, 0, 1) }
        let angle = undistortedAngle(distortedAngle)
        return Vector3(distorted * (sin(angle) / distortedAngle), cos(angle))
    }

    /// θ of θ', which must be below ``maximumDistortedAngle``.
    ///
    /// Newton's method, kept between the bounds that are known so far: where a step would leave them, they are halved.
    @usableFromInline func undistortedAngle(_ target: Double) -> Double {
        var lower = 0.0
        var upper = maximumAngle
        var angle = min(target, maximumAngle)
        for _ in 0..<100 {
            let error = distortedAngle(angle) - target
            if error > 0 { upper = min(upper, angle) } else { lower = max(lower, angle) }
            let newton = angle - error / distortedAngleSlope(angle)
            let next = newton >= lower && newton <= upper ? newton : lower + (upper - lower) / 2
            // One unit in the last place.
            if abs(next - angle) <= 2.3e-16 * angle { return next }
            angle = next
        }
        return angle
    }
}
