// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A moving body's pose over time: C², given by poses at equal intervals through which it passes.
///
/// The position is a uniform cubic B-spline, the rotation a cumulative one on SO(3). Velocities and accelerations are
/// exact derivatives of the pose. Laws: `PoseSplineTests`.
/// - Reference: Kim, Kim, Shin 1995, "A general construction scheme for unit quaternion curves"; Sommer et al. 2020.
public struct PoseSpline: Hashable, Sendable {
    /// The time from one pose to the next.
    public let intervalSeconds: Double
    private let positions: UniformCubicSpline<Vector3>
    private let rotations: [Rotation]

    /// The motion through at least two poses, the first at time zero.
    ///
    /// Rotations from one pose to the next must stay well below π.
    public init(through worldFromBody: [RigidTransform], intervalSeconds: Double) {
        precondition(worldFromBody.count >= 2, "a motion needs two poses, not \(worldFromBody.count)")
        precondition(intervalSeconds > 0, "poses must be some time apart, not \(intervalSeconds) s")
        self.intervalSeconds = intervalSeconds
        positions = UniformCubicSpline(through: worldFromBody.map(\.translation))
        rotations = Self.controlRotations(through: worldFromBody.map(\.rotation))
    }

    /// When the last pose is reached; before the first and after the last pose the body stands still.
    public var endSeconds: Double { positions.end * intervalSeconds }

    /// The pose at a time.
    public func worldFromBody(at seconds: Double) -> RigidTransform {
        RigidTransform(
            rotation: rotation(at: seconds / intervalSeconds).rotation,
            translation: positions.value(at: seconds / intervalSeconds))
    }

    /// The velocity in the world, in m/s.
    public func velocity(at seconds: Double) -> Vector3 {
        positions.derivatives(at: seconds / intervalSeconds).first / intervalSeconds
    }

    /// The acceleration in the world, in m/s².
    public func acceleration(at seconds: Double) -> Vector3 {
        positions.derivatives(at: seconds / intervalSeconds).second / (intervalSeconds * intervalSeconds)
    }

    /// The angular velocity in the body's axes, in rad/s.
    public func angularVelocityInBody(at seconds: Double) -> Vector3 {
        rotation(at: seconds / intervalSeconds).derivative / intervalSeconds
    }

    /// R = R₀ Π Exp(Bⱼ Ωⱼ) and its body derivative, by ω ← Exp(BⱼΩⱼ)⁻¹ ω + Ḃⱼ Ωⱼ. (Sommer 2020, eq. 20 and 27.)
    private func rotation(at parameter: Double) -> (rotation: Rotation, derivative: Vector3) {
        let (segment, u) = UniformCubicBasis.segment(of: parameter, count: rotations.count - 3)
        let basis = UniformCubicBasis(u)
        var rotation = rotations[segment]
        var derivative = Vector3.zero
        let weights = [(basis.value.0, basis.first.0), (basis.value.1, basis.first.1), (basis.value.2, basis.first.2)]
        for (step, (weight, weightDerivative)) in weights.enumerated() {
            let difference = (rotations[segment + step].inverse * rotations[segment + step + 1]).rotationVector
            let increment = Rotation(rotationVector: difference * weight)
            rotation = rotation * increment
            derivative = increment.inverse * derivative + weightDerivative * difference
        }
        return (rotation.normalized, derivative)
    }

    /// The controls whose spline passes through the rotations.
    ///
    /// At a knot the spline is close to a mean of three controls with weights 1/6, 4/6, 1/6; moving each control by 3/2
    /// of what its knot lacks halves the error at least, and fifty rounds leave nothing of it.
    private static func controlRotations(through rotations: [Rotation]) -> [Rotation] {
        var inner = rotations
        for _ in 0..<50 {
            let previous = inner
            for index in inner.indices.dropFirst().dropLast() {
                let before = (previous[index - 1].inverse * previous[index]).rotationVector
                let after = (previous[index].inverse * previous[index + 1]).rotationVector
                let atKnot =
                    previous[index - 1] * Rotation(rotationVector: before * (5.0 / 6))
                    * Rotation(rotationVector: after / 6)
                let lack = (atKnot.inverse * rotations[index]).rotationVector
                inner[index] = (previous[index] * Rotation(rotationVector: lack * 1.5)).normalized
            }
        }
        let first = inner[0] * (inner[0].inverse * inner[1]).inverse
        let last = inner[inner.count - 1] * (inner[inner.count - 2].inverse * inner[inner.count - 1])
        return [first.normalized] + inner + [last.normalized]
    }
}
