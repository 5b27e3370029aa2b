// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

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

    mutating func append(_ pose: Pose, keepingSeconds seconds: Double) {
        poses.append(pose)
        poses.removeAll { pose.instant.seconds(since: $0.instant) > seconds }
    }

    /// The last pose at or before an instant, or the first there is.
    func pose(at instant: Timestamp) -> Pose? { poses.last { $0.instant <= instant } ?? poses.first }

    /// The attitude at an instant by the camera's heading at the pose from where the samples carry it there best: later less is
    /// known of what the provisional estimator took for rest, and more of the gyroscope's bias. And how well heading and place
    /// are known.
    ///
    /// - errors: the gyroscope's, as they are known by now.
    /// - rateVariance: what their uncertainty leaves open of how fast the device turns about up, in rad²/s².
    /// - imuFromOptical: how the camera sits on the device, as that is known by now.
    ///
    /// Law: `ProvisionalPosesTests.samplesCarryTheHeading`.
    func heading(
        at instant: Timestamp, history: ImuHistory, errors: ImuErrors, rateVariance: Double, imuFromOptical: Rotation
    ) -> (worldFromImu: Rotation, origin: WorldOrigin)? {
        func variance(_ pose: Pose) -> Double {
            pose.headingVariance + rateVariance * pow(instant.seconds(since: pose.instant), 2)
        }
        guard let best = poses.min(by: { variance($0) < variance($1) }), let then = pose(at: instant) else {
            return nil
        }
        let (from, to) = (min(instant, best.instant), max(instant, best.instant))
        let motion = history.motion(from: from, to: to, errors: errors, detail: .noise)
        let atBest = best.worldFromOptical.rotation * imuFromOptical.inverse
        let isBefore = instant < best.instant
        let worldFromImu = atBest * (isBefore ? motion.rotation.inverse : motion.rotation)
        let atFrom = (isBefore ? worldFromImu : atBest).matrix
        let up = atFrom.transpose * Vector3(0, 1, 0)
        return (
            worldFromImu,
            WorldOrigin(
                headingByGyroscopeBias: (isBefore ? -1 : 1) * (motion.byGyroscope.bias.rotation.transpose * up),
                headingVariance: best.headingVariance + up.dot(motion.noise.rotation * up),
                positionCovariance: then.positionCovariance)
        )
    }
}

extension ProvisionalPoses.Pose {
    init(_ filter: VisualInertialFilter) {
        let known = filter.poseCovariance
        self.init(
            instant: filter.navigation.timestamp, worldFromOptical: filter.worldFromOptical,
            headingVariance: known.rotationByRotation[1].y, positionCovariance: known.translationByTranslation)
    }
}
