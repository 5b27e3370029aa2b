// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Trajectory {
    /// The same motion in another world: each pose is `newWorldFromWorld * worldFromBody`.
    ///
    /// Law: `TrajectoryTests.covariancesFollowTheirFrames`.
    public func moved(by newWorldFromWorld: RigidTransform) -> Trajectory {
        let turn = newWorldFromWorld.rotation.matrix
        let change = Matrix6x6(
            translationByTranslation: turn, translationByRotation: .zero, rotationByTranslation: .zero,
            rotationByRotation: turn)
        return Trajectory(
            poses.map {
                StampedPose(timestamp: $0.timestamp, worldFromBody: newWorldFromWorld * $0.worldFromBody)
            },
            states: states, covariances: covariances.mapValues { change * $0 * change.transpose }, mode: mode)
    }

    /// The motion of another body that is fixed to this one: each pose is `worldFromBody * bodyFromOther`.
    ///
    /// A turn of the body moves the other along a lever R t: δp' = δp − [R t]× δθ.
    /// Law: `TrajectoryTests.covariancesFollowTheirFrames`.
    public func asSeen(from bodyFromOther: RigidTransform) -> Trajectory {
        var moved = covariances
        for (index, covariance) in covariances {
            let lever = poses[index].worldFromBody.rotation * bodyFromOther.translation
            let change = Matrix6x6(
                translationByTranslation: .identity, translationByRotation: .crossProduct(-lever),
                rotationByTranslation: .zero, rotationByRotation: .identity)
            moved[index] = change * covariance * change.transpose
        }
        return Trajectory(
            poses.map { StampedPose(timestamp: $0.timestamp, worldFromBody: $0.worldFromBody * bodyFromOther) },
            states: states, covariances: moved, mode: mode)
    }
}
