// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A pose at a time of a trajectory.
public struct TimedPose: Hashable, Sendable {
    /// Seconds on any clock; negative before its zero.
    public var seconds: Double
    /// The pose.
    public var worldFromBody: RigidTransform

    /// A pose at a time.
    public init(seconds: Double, worldFromBody: RigidTransform) {
        self.seconds = seconds
        self.worldFromBody = worldFromBody
    }
}

/// A smooth motion near poses that were measured: what an inertial sensor on the body can have felt.
///
/// Published trajectories jitter, repeat stamps and have gaps. The motion through their poses would have accelerations
/// that are mostly noise, so a smoothing spline is laid near them instead: the least third derivative, against the squared
/// distance from the poses. It answers a wave of frequency f in the poses with 1 / (1 + (f/c)⁶) of its amplitude, where c
/// is the cutoff: that of ``NoiseCutoff`` unless given, one for position and one for rotation. Gaps are bridged with the
/// least third derivative. Laws: `TrajectoryFitTests`.
public struct TrajectoryFit: Sendable {
    /// The motion; its times are the poses'.
    public let motion: PoseSpline
    /// The frequency at which the position answers by half, in hertz.
    public let positionCutoffInHertz: Double
    /// The frequency at which the rotation answers by half, in hertz.
    public let rotationCutoffInHertz: Double
    /// The root mean square of the distance between poses and motion, in metres.
    public let positionResidual: Double
    /// The root mean square of the angle between poses and motion.
    public let rotationResidualRadians: Double

    /// The motion near at least two poses, whose times do not decrease and whose last is later than the first.
    public init(
        _ poses: [TimedPose], positionCutoffInHertz: Double? = nil, rotationCutoffInHertz: Double? = nil
    ) {
        precondition(poses.count >= 2, "a motion needs two poses, not \(poses.count)")
        let samples = TrajectorySamples(poses)
        let positionCutoff =
            positionCutoffInHertz
            ?? NoiseCutoff.hertz(of: samples.accelerations, intervalSeconds: samples.medianInterval)
        let rotationCutoff =
            rotationCutoffInHertz
            ?? NoiseCutoff.hertz(of: samples.angularAccelerations, intervalSeconds: samples.medianInterval)
        // Four knots to a period of the cutoff: what the spline cannot carry is far below what it lets through.
        let wanted = min(0.25 / max(positionCutoff, rotationCutoff), 0.1)
        let segmentCount = max(1, Int((samples.duration / wanted).rounded(.up)))
        let interval = samples.duration / Double(segmentCount)
        func system(_ cutoff: Double) -> SplineSystem {
            let period = 1 / (2 * .pi * cutoff)
            return SplineSystem(
                parameters: samples.times.map { $0 / interval }, weights: samples.weights, segmentCount: segmentCount,
                intervalSeconds: interval, smoothness: period * period * period * period * period * period)
        }
        let position = Self.fitPositions(samples, system(positionCutoff), interval: interval)
        let rotation = Self.fitRotations(samples, system(rotationCutoff), interval: interval)
        self.positionCutoffInHertz = positionCutoff
        self.rotationCutoffInHertz = rotationCutoff
        positionResidual = position.residual
        rotationResidualRadians = rotation.residual
        motion = PoseSpline(
            positions: position.spline, rotations: rotation.spline, startSeconds: poses[0].seconds,
            intervalSeconds: interval)
    }

    private static func fitPositions(
        _ samples: TrajectorySamples, _ system: SplineSystem, interval: Double
    ) -> (spline: UniformCubicSpline<Vector3>, residual: Double) {
        // Relative to the first position, so that a far origin costs no digits.
        let origin = samples.poses[0].worldFromBody.translation
        let offsets = samples.poses.map { $0.worldFromBody.translation - origin }
        let spline = UniformCubicSpline(
            controls: system.solve(residuals: offsets, thirdDifferences: []).map { $0 + origin })
        let residuals = samples.poses.map { $0.worldFromBody.translation - spline.value(at: $0.seconds / interval) }
        return (spline, system.rootMeanSquare(of: residuals))
    }

    /// Gauss and Newton's iteration on the controls: what is lacking at the samples, and the third differences that the
    /// controls have, are seen as vectors in the tangent spaces.
    private static func fitRotations(
        _ samples: TrajectorySamples, _ system: SplineSystem, interval: Double
    ) -> (spline: RotationSpline, residual: Double) {
        var controls = samples.rotations(at: (0..<system.controlCount).map { Double($0 - 1) * interval })
        var spline = RotationSpline(controls: controls)
        func residuals() -> [Vector3] {
            samples.poses.map { pose in
                (spline.value(at: pose.seconds / interval).inverse * pose.worldFromBody.rotation).rotationVector
            }
        }
        var rounds = 0
        var largest = Double.infinity
        while largest > 1e-10, rounds < 30 {
            let d = spline.increments
            let thirdDifferences = d.indices.dropFirst(2).map { index -> Vector3 in
                let (older, old, new) = (d[index - 2], d[index - 1], d[index])
                return (new - old) - (old - older)
            }
            let corrections = system.solve(residuals: residuals(), thirdDifferences: thirdDifferences)
            controls = zip(controls, corrections).map { ($0 * Rotation(rotationVector: $1)).normalized }
            spline = RotationSpline(controls: controls)
            largest = corrections.reduce(0) { max($0, $1.length) }
            rounds += 1
        }
        return (spline, system.rootMeanSquare(of: residuals()))
    }
}
