// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A C² rotation over a parameter: a cumulative uniform cubic B-spline on SO(3).
///
/// R(s + u) = Rₛ Exp(B₁(u) Ωₛ) Exp(B₂(u) Ωₛ₊₁) Exp(B₃(u) Ωₛ₊₂), where Ωᵢ = Log(Rᵢ⁻¹ Rᵢ₊₁) and Bⱼ is the cumulative basis.
/// - Reference: Kim, Kim, Shin 1995, "A general construction scheme for unit quaternion curves"; Sommer et al. 2020.
/// - Domain: 0 to the number of controls less three; beyond, the rotation stays at its end.
struct RotationSpline: Hashable, Sendable {
    /// One control more at either end than there are knots.
    private let controls: [Rotation]
    /// Ωᵢ, kept because evaluation is far more frequent than construction.
    let increments: [Vector3]

    /// The spline of those controls: at least four, each well within half a turn of the next.
    init(controls: [Rotation]) {
        precondition(controls.count >= 4, "a cubic spline needs four controls, not \(controls.count)")
        self.controls = controls
        increments = zip(controls, controls.dropFirst()).map { ($0.inverse * $1).rotationVector }
    }

    /// The spline through at least two rotations at whole parameters, whose ends have no angular acceleration.
    ///
    /// For rotations that differ by up to 1 rad, in any direction, from one to the next. Law: `PoseSplineTests.passesThroughLargeTurns`.
    init(through rotations: [Rotation]) {
        precondition(rotations.count >= 2, "a rotation over time needs two rotations, not \(rotations.count)")
        self.init(controls: Self.controls(through: rotations))
    }

    /// The rotation.
    func value(at parameter: Double) -> Rotation {
        let (segment, u) = UniformCubicBasis.segment(of: parameter, count: controls.count - 3)
        let basis = UniformCubicBasis(u)
        let first = Rotation(rotationVector: basis.value.0 * increments[segment])
        let second = Rotation(rotationVector: basis.value.1 * increments[segment + 1])
        let third = Rotation(rotationVector: basis.value.2 * increments[segment + 2])
        return (controls[segment] * first * second * third).normalized
    }

    /// The rotation with its first and second derivative with respect to the parameter, in the turned axes.
    ///
    /// With A = Exp(BⱼΩⱼ): ω ← A⁻¹ω + Ḃⱼ Ωⱼ and α ← A⁻¹α + (A⁻¹ω) × Ḃⱼ Ωⱼ + B̈ⱼ Ωⱼ. (Sommer 2020, eq. 27 and 28.)
    func derivatives(at parameter: Double) -> (value: Rotation, first: Vector3, second: Vector3) {
        let (segment, u) = UniformCubicBasis.segment(of: parameter, count: controls.count - 3)
        let basis = UniformCubicBasis(u)
        var (rotation, velocity, acceleration) = (controls[segment], Vector3.zero, Vector3.zero)
        func turn(by increment: Vector3, _ value: Double, _ first: Double, _ second: Double) {
            let step = Rotation(rotationVector: value * increment)
            let back = step.inverse
            rotation = rotation * step
            velocity = back * velocity
            acceleration = back * acceleration + velocity.cross(first * increment) + second * increment
            velocity += first * increment
        }
        turn(by: increments[segment], basis.value.0, basis.first.0, basis.second.0)
        turn(by: increments[segment + 1], basis.value.1, basis.first.1, basis.second.1)
        turn(by: increments[segment + 2], basis.value.2, basis.first.2, basis.second.2)
        return (rotation.normalized, velocity, acceleration)
    }

    /// The controls whose spline passes through the rotations.
    ///
    /// What the spline lacks at its knots is a curve in the tangent spaces; the controls of the spline through it are
    /// added to ours, until nothing is lacking. Were rotations vectors, once would do; while much is lacking, half of the
    /// way is safer.
    private static func controls(through rotations: [Rotation]) -> [Rotation] {
        var inner = rotations
        var rounds = 0
        var largestLack = Double.infinity
        while largestLack > 1e-15, rounds < 100 {
            var lacks = [Vector3](repeating: .zero, count: inner.count)
            for index in inner.indices.dropFirst().dropLast() {
                let before = (inner[index].inverse * inner[index - 1]).rotationVector
                let after = (inner[index].inverse * inner[index + 1]).rotationVector
                let controlFromKnot = Rotation(rotationVector: before / 6) * Rotation(rotationVector: after / 6)
                lacks[index] = (controlFromKnot.inverse * (inner[index].inverse * rotations[index])).rotationVector
            }
            largestLack = lacks.reduce(0) { max($0, $1.length) }
            let part = largestLack > 0.1 ? 0.5 : 1
            let corrections = UniformCubicSpline.innerControls(through: lacks)
            for index in inner.indices.dropFirst().dropLast() {
                inner[index] = (inner[index] * Rotation(rotationVector: part * corrections[index])).normalized
            }
            rounds += 1
        }
        let first = inner[0] * (inner[0].inverse * inner[1]).inverse
        let last = inner[inner.count - 1] * (inner[inner.count - 2].inverse * inner[inner.count - 1])
        return [first.normalized] + inner + [last.normalized]
    }
}
