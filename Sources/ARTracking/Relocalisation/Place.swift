// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Where a camera was found again in a world that it has seen before.
public struct Place: Hashable, Sendable {
    /// The camera's pose in that world, in optical axes.
    public var worldFromOptical: RigidTransform
    /// The covariance of the pose by what the picture shows, without the few points that tell the most, as they may be false:
    /// position (m²) before rotation (rad²), both in the world's axes, with truth = (p + δp, Exp(δθ) R), as in
    /// ``MotionEstimate/poseCovariance``. That the remembered points may err together does not count.
    public var poseCovariance: Matrix6x6
    /// How many corners of the picture are where the pose says, and look as remembered.
    public var inlierCount: Int
    /// The share of these among all corners of the picture at which, as the pose says, a remembered point is.
    public var inlierShare: Double

    /// The standard deviation of the position, over all three directions together, in metres.
    public var positionDeviation: Double { poseCovariance.translationByTranslation.trace.squareRoot() }

    /// The standard deviation of the attitude, about all three axes together, in radians.
    public var attitudeDeviation: Double { poseCovariance.rotationByRotation.trace.squareRoot() }
}
