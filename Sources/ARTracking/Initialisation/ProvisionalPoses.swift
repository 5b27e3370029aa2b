// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// Where an estimator that only knows that the device rests believed it to be, of late.
struct ProvisionalPoses: Sendable {
    private var poses: [Pose] = []

    /// The camera's pose at a frame, and how well it is known: its heading as a variance in rad², its place in m².
    struct Pose: Sendable {
        /// The frame's stamp, on the camera's clock: when that was on the sensor's, the motion may tell otherwise.
        var timestamp: Timestamp
        var worldFromOptical: RigidTransform
        var headingVariance: Double
        var positionCovariance: Matrix3x3
    }

    mutating func append(_ pose: Pose, keepingSeconds seconds: Double) {
        poses.append(pose)
        poses.removeAll { pose.timestamp.seconds(since: $0.timestamp) > seconds }
    }

    /// The last pose at or before an instant, or the first there is, by a calibration's clocks.
    func pose(at instant: Timestamp, _ calibration: CameraState) -> Pose? {
        poses.last { calibration.instant(ofFrameAt: $0.timestamp) <= instant } ?? poses.first
    }

    /// The attitude at an instant by the camera's heading at the pose from where the samples carry it there best: later less is
    /// known of what the provisional estimator took for rest, and more of the gyroscope's bias. And how well heading and place
    /// are known.
    ///
    /// - errors: the gyroscope's, as they are known by now.
    /// - rateVariance: what their uncertainty leaves open of how fast the device turns about up, in rad²/s².
    /// - calibration: how the camera sits on the device, and how far its clock is off, as that is known by now.
    ///
    /// Law: `ProvisionalPosesTests.samplesCarryTheHeading`.
    func heading(
        at instant: Timestamp, history: ImuHistory, errors: ImuErrors, rateVariance: Double, calibration: CameraState
    ) -> (worldFromImu: Rotation, origin: WorldOrigin)? {
        func variance(_ pose: Pose) -> Double {
            let seconds = instant.seconds(since: calibration.instant(ofFrameAt: pose.timestamp))
            return pose.headingVariance + rateVariance * seconds * seconds
        }
        guard let best = poses.min(by: { variance($0) < variance($1) }), let then = pose(at: instant, calibration)
        else { return nil }
        let atBestFrame = calibration.instant(ofFrameAt: best.timestamp)
        let (from, to) = (min(instant, atBestFrame), max(instant, atBestFrame))
        let motion = history.motion(from: from, to: to, errors: errors, detail: .noise)
        let atBest = best.worldFromOptical.rotation * calibration.imuFromOptical.rotation.inverse
        let isBefore = instant < atBestFrame
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

extension ProvisionalPoses {
    /// Of an estimator that has just begun. What its first frame's camera is headed for is what heading is called, and so known,
    /// whenever that frame was taken; those of later frames are known from there by the clocks as they were believed to be.
    /// Law: `RestThenMotionTests.theFirstPoseNamesTheHeading`.
    init(since odometry: Odometry) { append(newestOf: odometry, keepingSeconds: 0) }

    mutating func append(newestOf odometry: Odometry, keepingSeconds seconds: Double) {
        if let pose = Pose(odometry) { append(pose, keepingSeconds: seconds) }
    }
}

extension ProvisionalPoses.Pose {
    /// Of the newest frame of an estimator that has seen any.
    fileprivate init?(_ odometry: Odometry) {
        let filter = odometry.filter
        guard let newest = odometry.window.last, let clone = filter.clones[newest] else { return nil }
        let known = filter.poseCovariance(ofClone: newest)
        self.init(
            timestamp: clone.timestamp, worldFromOptical: filter.worldFromOptical,
            headingVariance: known.rotationByRotation[1].y, positionCovariance: known.translationByTranslation)
    }
}
