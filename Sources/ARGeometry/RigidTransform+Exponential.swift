// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// The exponential map of the rigid motions SE(3), its derivatives, and the adjoint.
// References: Solà, Deray, Atchuthan 2018, "A micro Lie theory for state estimation in robotics", appendix D;
// Barfoot 2017, "State Estimation for Robotics", section 7.1.

extension RigidTransform {
    /// Exp: the motion along the screw that the twist describes. R = Exp(θ), t = Jl(θ) ρ.
    ///
    /// Law: `RigidTransformExponentialTests.expLogRoundTrip`.
    public init(_ twist: Twist) {
        self.init(
            rotation: Rotation(rotationVector: twist.rotation),
            translation: Rotation.leftJacobian(twist.rotation) * twist.translation)
    }

    /// Log: the twist whose motion this is, with a rotation of at most half a turn. θ = Log(R), ρ = Jl(θ)⁻¹ t.
    public var twist: Twist {
        let rotationVector = rotation.rotationVector
        return Twist(
            translation: Rotation.leftJacobianInverse(rotationVector) * translation, rotation: rotationVector)
    }

    /// Ad: carries a twist from the source frame to the target frame.
    ///
    /// X · Exp(τ) = Exp(Ad τ) · X, with the blocks R, [t]× R, 0, R.
    /// Law: `RigidTransformExponentialTests.adjoint`.
    public var adjoint: Matrix6x6 {
        let rotationMatrix = rotation.matrix
        return Matrix6x6(
            diagonalBlock: rotationMatrix, translationByRotation: .crossProduct(translation) * rotationMatrix)
    }

    /// The left Jacobian: Exp(τ + δ) ≈ Exp(Jl(τ) δ) · Exp(τ). Blocks Jl(θ), Q(ρ, θ), 0, Jl(θ).
    ///
    /// Law: `RigidTransformExponentialTests.leftJacobianIsTheDerivative`.
    public static func leftJacobian(_ twist: Twist) -> Matrix6x6 {
        Matrix6x6(
            diagonalBlock: Rotation.leftJacobian(twist.rotation), translationByRotation: translationByRotation(twist))
    }

    /// The right Jacobian: Exp(τ + δ) ≈ Exp(τ) · Exp(Jr(τ) δ); Jr(τ) = Jl(−τ).
    ///
    /// Law: `RigidTransformExponentialTests.rightJacobianIsTheDerivative`.
    public static func rightJacobian(_ twist: Twist) -> Matrix6x6 { leftJacobian(-twist) }

    /// The inverse of ``leftJacobian(_:)``: blocks Jl⁻¹, −Jl⁻¹ Q Jl⁻¹, 0, Jl⁻¹. Domain: |θ| < 2π.
    public static func leftJacobianInverse(_ twist: Twist) -> Matrix6x6 {
        let inverse = Rotation.leftJacobianInverse(twist.rotation)
        return Matrix6x6(
            diagonalBlock: inverse, translationByRotation: -(inverse * translationByRotation(twist) * inverse))
    }

    /// The inverse of ``rightJacobian(_:)``. Domain: |θ| < 2π.
    public static func rightJacobianInverse(_ twist: Twist) -> Matrix6x6 { leftJacobianInverse(-twist) }

    /// Q(ρ, θ) = Σₙₘ [θ]×ⁿ [ρ]× [θ]×ᵐ / (n + m + 2)!, in closed form.
    private static func translationByRotation(_ twist: Twist) -> Matrix3x3 {
        let series = AngleSeries(squaredAngle: twist.rotation.squaredLength)
        let θ = Matrix3x3.crossProduct(twist.rotation)
        let ρ = Matrix3x3.crossProduct(twist.translation)
        let θρ = θ * ρ
        let ρθ = ρ * θ
        let θρθ = θρ * θ
        return 0.5 * ρ
            + series.e3 * (θρ + ρθ + θρθ)
            + series.e4 * (θ * θρ + ρθ * θ - 3 * θρθ)
            + (series.e4 - 3 * series.e5) / 2 * (θρθ * θ + θ * θρθ)
    }
}

extension RigidTransform {
    /// The transform between this one and `target` as recordings are interpolated: the origin on a straight line, the
    /// rotation on the shortest arc, both at constant speed. This one at fraction 0, `target` at 1.
    ///
    /// Not the screw motion `self * RigidTransform(fraction * (inverse * target).twist)`, whose origin follows an arc.
    /// Law: `RigidTransformTests.interpolation`.
    public func interpolated(to target: RigidTransform, fraction: Double) -> RigidTransform {
        RigidTransform(
            rotation: rotation.interpolated(to: target.rotation, fraction: fraction),
            translation: translation + fraction * (target.translation - translation))
    }
}
