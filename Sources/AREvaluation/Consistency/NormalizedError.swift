// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// The errors of a pose measured by the covariance that the estimate claims: ε = eᵀ P⁻¹ e, the NEES.
///
/// If the claim is true, ε has the mean of its degrees of freedom: three, three and six. A tracker that believes itself too
/// much has more.
public struct NormalizedError: Hashable, Sendable {
    /// The instant of the estimate's pose.
    public var timestamp: Timestamp
    /// Of the position alone.
    public var position: Double
    /// Of the orientation alone.
    public var orientation: Double
    /// Of both together.
    public var pose: Double

    /// The normalized error of an estimate, or `nil` where the covariance is not positive definite, as at a start that is
    /// exact by definition.
    ///
    /// With the position's block A, the mixed block B and the orientation's block D the pose's error is
    /// δpᵀ A⁻¹ δp + rᵀ S⁻¹ r with r = δθ − Bᵀ A⁻¹ δp and Schur's complement S = D − Bᵀ A⁻¹ B.
    /// - Parameters:
    ///   - worldFromBody: the estimate.
    ///   - truth: the truth in the estimate's world.
    ///   - covariance: as in ``Trajectory/covariances``.
    /// - Reference: Bar-Shalom, Li, Kirubarajan 2001, "Estimation with Applications to Tracking and Navigation", eq.
    ///   5.4.2-1. Law: `ConsistencyTests.normalizedErrorsOfSamples`.
    public init?(
        timestamp: Timestamp, worldFromBody: RigidTransform, truth: RigidTransform, covariance: Matrix6x6
    ) {
        let δp = truth.translation - worldFromBody.translation
        let δθ = (truth.rotation * worldFromBody.rotation.inverse).rotationVector
        let mixed = covariance.translationByRotation
        guard let positionInformation = covariance.translationByTranslation.positiveInverse,
            let orientationInformation = covariance.rotationByRotation.positiveInverse,
            let remaining = (covariance.rotationByRotation - mixed.transpose * positionInformation * mixed)
                .positiveInverse
        else { return nil }
        let residual = δθ - mixed.transpose * (positionInformation * δp)
        self.timestamp = timestamp
        position = δp.dot(positionInformation * δp)
        orientation = δθ.dot(orientationInformation * δθ)
        pose = position + residual.dot(remaining * residual)
    }
}

extension Matrix3x3 {
    /// The inverse of a symmetric, positive definite matrix; `nil` of others.
    fileprivate var positiveInverse: Matrix3x3? {
        let (a, b) = (columns.0, columns.1)
        guard a.x > 0, a.x * b.y - a.y * b.x > 0, determinant > 0 else { return nil }
        return inverse
    }
}
