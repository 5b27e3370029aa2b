// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

// The exponential map of the similarities Sim(3) and the adjoint.
// Reference: Strasdat 2012, "Local accuracy and global consistency for efficient visual SLAM", on Sim(3). The closed
// forms below are derived where they stand.

/// A motion with growth in the tangent space of the similarities: what their logarithm is.
public struct SimilarityTwist: Hashable, Sendable {
    /// ρ, in metres.
    public var translation: Vector3
    /// θ, the rotation vector, in radians.
    public var rotation: Vector3
    /// σ, the natural logarithm of the scale.
    public var logScale: Double

    /// The twist with these parts.
    @inlinable public init(translation: Vector3 = .zero, rotation: Vector3 = .zero, logScale: Double = 0) {
        self.translation = translation
        self.rotation = rotation
        self.logScale = logScale
    }
}

extension Similarity {
    /// Exp: scale e^σ, rotation Exp(θ), translation W(θ, σ) ρ.
    ///
    /// - Domain: |σ| < 700, so that the scale is a positive finite number.
    ///
    /// Law: `SimilarityTests.expLogRoundTrip`.
    public init(_ twist: SimilarityTwist) {
        let growth = SpiralIntegral(twist)
        self.init(
            scale: exp(twist.logScale), rotation: Rotation(rotationVector: twist.rotation),
            translation: growth.combine(twist.translation, about: twist.rotation))
    }

    /// Log: the twist whose exponential this is, with a rotation of at most half a turn.
    public var twist: SimilarityTwist {
        var twist = SimilarityTwist(rotation: rotation.rotationVector, logScale: log(scale))
        let shrinking = SpiralIntegral(twist).inverse(squaredAngle: twist.rotation.squaredLength)
        twist.translation = shrinking.combine(translation, about: twist.rotation)
        return twist
    }

    /// Ad: carries a twist from the source frame to the target frame; linear in the twist.
    ///
    /// X · Exp(τ) = Exp(Ad τ) · X with Ad (ρ, θ, σ) = (s R ρ + t × R θ − σ t, R θ, σ).
    /// Law: `SimilarityTests.adjoint`.
    @inlinable public func adjoint(_ twist: SimilarityTwist) -> SimilarityTwist {
        let turned = rotation * twist.rotation
        return SimilarityTwist(
            translation: scale * (rotation * twist.translation) + translation.cross(turned)
                - twist.logScale * translation,
            rotation: turned, logScale: twist.logScale)
    }
}

/// The matrix W = ∫₀¹ e^(σu) Exp(uθ) du = a·I + b·[θ]× + c·[θ]×², by its three coefficients.
///
/// With z = σ + i|θ| and φ(z) = ∫₀¹ e^(zu) du = (e^z − 1)/z: a = φ(σ), a − c|θ|² + i b|θ| = φ(z). In other words, W
/// multiplies by a along the axis and by the complex number φ(z) in the plane at a right angle to it.
private struct SpiralIntegral {
    var a: Double
    var b: Double
    var c: Double

    init(a: Double, b: Double, c: Double) {
        self.a = a
        self.b = b
        self.c = c
    }

    init(_ twist: SimilarityTwist) {
        let σ = twist.logScale
        let squaredAngle = twist.rotation.squaredLength
        if σ * σ + squaredAngle < 1 {
            self.init(seriesOf: σ, squaredAngle: squaredAngle)
        } else {
            let series = AngleSeries(squaredAngle: squaredAngle)
            let scale = exp(σ)
            let squaredModulus = σ * σ + squaredAngle
            let cosine = 1 - squaredAngle * series.e2
            let a = σ == 0 ? 1 : expm1(σ) / σ
            self.init(
                a: a,
                b: (scale * (σ * series.e1 - cosine) + 1) / squaredModulus,
                c: (a + scale * (σ * series.e2 - series.e1)) / squaredModulus)
        }
    }

    /// The power series φ(z) = Σ zⁿ/(n + 1)!, for |z| < 1, where the closed form divides small differences.
    ///
    /// Writing zⁿ = σⁿ − |θ|² rₙ + i|θ| qₙ makes qₙ and rₙ follow from their predecessors without any division.
    private init(seriesOf σ: Double, squaredAngle: Double) {
        var (power, q, r) = (1.0, 0.0, 0.0)
        var factor = 1.0
        self.init(a: 1, b: 0, c: 0)
        // 1/18! is below the last digit.
        for n in 1..<18 {
            (power, q, r) = (σ * power, σ * q + power - squaredAngle * r, σ * r + q)
            factor /= Double(n + 1)
            a += factor * power
            b += factor * q
            c += factor * r
        }
    }

    /// The inverse matrix has the same form: 1/a along the axis, 1/φ(z) in the plane.
    func inverse(squaredAngle: Double) -> SpiralIntegral {
        let real = a - c * squaredAngle
        let squaredModulus = real * real + b * b * squaredAngle
        return SpiralIntegral(a: 1 / a, b: -b / squaredModulus, c: (b * b - c * real) / (a * squaredModulus))
    }

    func combine(_ v: Vector3, about θ: Vector3) -> Vector3 {
        let turned = θ.cross(v)
        return a * v + b * turned + c * θ.cross(turned)
    }
}
