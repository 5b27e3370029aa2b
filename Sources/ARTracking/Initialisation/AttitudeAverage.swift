// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// The device's attitude before its motion is known: the gyroscope's turns since the first frame, level by the mean of
/// the specific force, which accelerations of a hand cancel in.
struct AttitudeAverage: Sendable {
    private var start: Timestamp?
    private var motion = PreintegratedMotion(errors: ImuErrors())
    private var now: Timestamp?

    /// Takes in what happened up to an instant.
    mutating func advance(to instant: Timestamp, history: ImuHistory) {
        guard let now else {
            (start, self.now) = (instant, instant)
            return
        }
        guard instant > now else { return }
        motion = motion.followed(by: history.motion(from: now, to: instant, errors: ImuErrors()))
        self.now = instant
    }

    /// The attitude at an instant since the first frame: level, and with the camera's heading at the first frame as −Z.
    func worldFromImu(at instant: Timestamp, history: ImuHistory, _ camera: CameraCalibration) -> Rotation {
        guard let start, let now else { return .identity }
        let force = motion.seconds > 0 ? motion.velocity : history.reading(at: start).specificForce
        let level = Rotation.identity.withUp(force.normalized() ?? Vector3(0, 1, 0))
        let worldFromLevel = (level * camera.imuFromCamera.rotation).heading.inverse
        let worldFromStart = worldFromLevel * level
        guard instant != now else { return worldFromStart * motion.rotation }
        let (from, to) = (min(instant, now), max(instant, now))
        let turn = history.motion(from: from, to: to, errors: ImuErrors()).rotation
        return worldFromStart * motion.rotation * (instant < now ? turn.inverse : turn)
    }
}
