// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

// The rotation group's exponential map and its derivatives.
// Reference: Solà, Deray, Atchuthan 2018, "A micro Lie theory for state estimation in robotics", appendix B.

extension Rotation {
    /// Exp: the rotation by |v| radians about v.
    ///
    /// Near zero by the Taylor series of sin(θ/2)/θ.
    /// - Domain: |v| < 1e154, so that its square exists; beyond, the coefficients are NaN.
    ///
    /// Law: `RotationTests.expLogRoundTrip`.
    @inlinable public init(rotationVector v: Vector3) {
        let squaredAngle = v.squaredLength
        if squaredAngle < 1e-8 {
            let imaginary = v * (0.5 - squaredAngle / 48)
            self.init(unitCoefficients: Vector4(imaginary, 1 - squaredAngle / 8 + squaredAngle * squaredAngle / 384))
        } else {
            let angle = squaredAngle.squareRoot()
            self.init(unitCoefficients: Vector4(v * (sin(angle / 2) / angle), cos(angle / 2)))
        }
    }

    /// Log: the vector along the axis whose length is the angle, 0…π.
    ///
    /// Accurate over the whole range: the half angle comes from `atan2`, never from an arc cosine.
    public var rotationVector: Vector3 {
        let q = canonical.coefficients
        let sineOfHalf = q.xyz.length
        guard sineOfHalf > 1e-5 else {
            // 2·atan(s/w)/s = 2/w · (1 − (s/w)²/3 + …)
            let ratio = sineOfHalf / q.w
            return q.xyz * (2 / q.w * (1 - ratio * ratio / 3))
        }
        return q.xyz * (2 * atan2(sineOfHalf, q.w) / sineOfHalf)
    }

    /// The right Jacobian Jr of SO(3): Exp(v + δ) ≈ Exp(v) · Exp(Jr(v) δ). (Solà 2018, eq. 143.)
    ///
    /// Law: `RotationTests.rightJacobianIsTheDerivative`.
    public static func rightJacobian(_ v: Vector3) -> Matrix3x3 { leftJacobian(-v) }

    /// The left Jacobian Jl of SO(3): Exp(v + δ) ≈ Exp(Jl(v) δ) · Exp(v). (Solà 2018, eq. 145.)
    ///
    /// Law: `RotationTests.leftJacobianIsTheDerivative`.
    public static func leftJacobian(_ v: Vector3) -> Matrix3x3 {
        let series = AngleSeries(squaredAngle: v.squaredLength)
        let hat = Matrix3x3.crossProduct(v)
        return .identity + series.e2 * hat + series.e3 * (hat * hat)
    }

    /// The inverse of ``rightJacobian(_:)``. (Solà 2018, eq. 144.) Domain: |v| < 2π.
    public static func rightJacobianInverse(_ v: Vector3) -> Matrix3x3 { leftJacobianInverse(-v) }

    /// The inverse of ``leftJacobian(_:)``. (Solà 2018, eq. 146.) Domain: |v| < 2π.
    public static func leftJacobianInverse(_ v: Vector3) -> Matrix3x3 {
        let series = AngleSeries(squaredAngle: v.squaredLength)
        let hat = Matrix3x3.crossProduct(v)
        // 1/θ² − (1 + cos θ)/(2θ sin θ) = (E₃ − 2E₄)/(2E₂), which has no pole before 2π.
        return .identity - 0.5 * hat + ((series.e3 - 2 * series.e4) / (2 * series.e2)) * (hat * hat)
    }
}
