// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A moving body at an instant.
public struct MotionState: Hashable, Sendable {
    /// The pose.
    public var worldFromBody: RigidTransform
    /// The velocity of the body's origin in the world, in m/s.
    public var velocity: Vector3
    /// The acceleration of the body's origin in the world, in m/s².
    public var acceleration: Vector3
    /// The angular velocity in the body's axes, in rad/s.
    public var angularVelocityInBody: Vector3
    /// The derivative of ``angularVelocityInBody``, in rad/s².
    public var angularAccelerationInBody: Vector3
}

/// A moving body's pose over time: C², on knots at equal intervals.
///
/// The position is a uniform cubic B-spline, the rotation a cumulative one on SO(3). Velocities and accelerations are
/// exact derivatives of the pose. Evaluation takes the same short time whatever the motion's length.
/// Laws: `PoseSplineTests`.
public struct PoseSpline: Hashable, Sendable {
    /// When the first knot is reached.
    public let startSeconds: Double
    /// The time from one knot to the next.
    public let intervalSeconds: Double
    private let positions: UniformCubicSpline<Vector3>
    private let rotations: RotationSpline

    /// The motion through at least two poses, the first at time zero.
    ///
    /// Rotations from one pose to the next must stay well below π.
    public init(through worldFromBody: [RigidTransform], intervalSeconds: Double) {
        precondition(worldFromBody.count >= 2, "a motion needs two poses, not \(worldFromBody.count)")
        self.init(
            positions: UniformCubicSpline(through: worldFromBody.map(\.translation)),
            rotations: RotationSpline(through: worldFromBody.map(\.rotation)), intervalSeconds: intervalSeconds)
    }

    /// The motion with those controls, one more at either end than there are knots.
    init(
        positions: UniformCubicSpline<Vector3>, rotations: RotationSpline, startSeconds: Double = 0,
        intervalSeconds: Double
    ) {
        precondition(intervalSeconds > 0, "poses must be some time apart, not \(intervalSeconds) s")
        self.positions = positions
        self.rotations = rotations
        self.startSeconds = startSeconds
        self.intervalSeconds = intervalSeconds
    }

    /// When the last knot is reached; before the first and after the last knot the body stands still.
    public var endSeconds: Double { startSeconds + positions.end * intervalSeconds }

    private func parameter(at seconds: Double) -> Double { (seconds - startSeconds) / intervalSeconds }

    /// The pose at a time.
    public func worldFromBody(at seconds: Double) -> RigidTransform {
        let parameter = parameter(at: seconds)
        return RigidTransform(rotation: rotations.value(at: parameter), translation: positions.value(at: parameter))
    }

    /// The pose at a time with its derivatives.
    public func state(at seconds: Double) -> MotionState {
        let parameter = parameter(at: seconds)
        let position = positions.derivatives(at: parameter)
        let rotation = rotations.derivatives(at: parameter)
        // Outside, where nothing moves, the derivatives of the parameter are zero; the end itself, which a quotient may
        // miss by its last bit, is inside.
        let rate = (0...positions.end + 1e-9).contains(parameter) ? 1 / intervalSeconds : 0
        return MotionState(
            worldFromBody: RigidTransform(rotation: rotation.value, translation: position.value),
            velocity: position.first * rate,
            acceleration: position.second * (rate * rate),
            angularVelocityInBody: rotation.first * rate,
            angularAccelerationInBody: rotation.second * (rate * rate))
    }
}
