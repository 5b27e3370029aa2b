// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Where an estimator that only knows that the device rests believed it to be, of late.
struct ProvisionalPoses: Sendable {
    private var poses: [Pose] = []

    /// The camera's pose, and how well it is known: its heading as a variance in rad², its place in m².
    struct Pose: Sendable {
        var instant: Timestamp
        var worldFromOptical: RigidTransform
        var headingVariance: Double
        var positionCovariance: Matrix3x3
    }

    mutating func append(_ filter: VisualInertialFilter, keepingSeconds seconds: Double) {
        let (navigation, known) = (filter.navigation, filter.poseCovariance)
        poses.append(
            Pose(
                instant: navigation.timestamp, worldFromOptical: filter.worldFromOptical,
                headingVariance: known.rotationByRotation[1].y, positionCovariance: known.translationByTranslation))
        poses.removeAll { navigation.timestamp.seconds(since: $0.instant) > seconds }
    }

    /// The last pose at or before an instant, or the first there is.
    func pose(at instant: Timestamp) -> Pose? { poses.last { $0.instant <= instant } ?? poses.first }

    /// The attitude at an instant by the camera's heading when it was known best, carried there by the samples: later more is
    /// known of the gyroscope's bias, and less of what it did since. And how well heading and place were known.
    func heading(
        at instant: Timestamp, history: ImuHistory, _ found: RefinedMotion
    ) -> (worldFromImu: Rotation, origin: WorldOrigin)? {
        guard let best = poses.min(by: { $0.headingVariance < $1.headingVariance }), let then = pose(at: instant)
        else { return nil }
        let (from, to) = (min(instant, best.instant), max(instant, best.instant))
        let turn = history.motion(from: from, to: to, errors: found.errors).rotation
        let worldFromImu = best.worldFromOptical.rotation * found.calibration.imuFromOptical.rotation.inverse
        return (
            worldFromImu * (instant < best.instant ? turn.inverse : turn),
            WorldOrigin(headingVariance: best.headingVariance, positionCovariance: then.positionCovariance)
        )
    }
}
