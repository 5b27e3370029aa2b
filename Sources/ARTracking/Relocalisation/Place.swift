// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Where a camera was found again in a world that it has seen before.
public struct Place: Hashable, Sendable {
    /// The camera's pose in that world, in optical axes.
    public var worldFromOptical: RigidTransform
    /// The covariance of the pose by what the picture shows, the remembered points taken for exact: position (m²)
    /// before rotation (rad²), both in the world's axes, with truth = (p + δp, Exp(δθ) R), as in
    /// ``MotionEstimate/poseCovariance``.
    public var poseCovariance: Matrix6x6
    /// How many points are seen where the pose says.
    public var inlierCount: Int
    /// The share of the points that look like remembered ones which are seen where the pose says.
    public var inlierShare: Double

    /// The standard deviation of the position along its least certain direction is no larger than this, in metres.
    public var positionDeviation: Double {
        let variances = poseCovariance.translationByTranslation
        return variances.trace.squareRoot()
    }
}
