// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// The device's attitude before its motion is known: the gyroscope's turns since the first frame, level by the mean of
/// the specific force, which accelerations of a hand cancel in.
///
/// The world's heading is the one that the first frame's camera is given. What is learned later of gravity, of the
/// gyroscope's bias and of the camera's place on the device turns that frame's attitude by as little as possible.
///
/// Laws: `AttitudeAverageTests`.
struct AttitudeAverage: Sendable {
    private var start: Timestamp?
    private var now: Timestamp?
    private var motion = PreintegratedMotion(errors: ImuErrors())
    /// How the turn since the first frame grows with an error of the gyroscope's bias, in the first frame's axes.
    private var turnByGyroscopeBias = Matrix3x3.zero
    /// The first frame's attitude, as it was called then.
    private var worldFromFirstCamera = Rotation.identity

    /// Takes in what happened up to an instant. The first is the first frame's.
    mutating func advance(to instant: Timestamp, history: ImuHistory, imuFromCamera: Rotation) {
        guard let now else {
            (start, self.now) = (instant, instant)
            let level = Rotation.identity.withUp(up(history))
            worldFromFirstCamera = (level * imuFromCamera).heading.inverse * level * imuFromCamera
            return
        }
        guard instant > now else { return }
        let next = history.motion(from: now, to: instant, errors: ImuErrors(), detail: .derivatives)
        turnByGyroscopeBias =
            turnByGyroscopeBias + motion.rotation.matrix * next.byGyroscope.bias.rotation
        motion = motion.followed(by: next)
        self.now = instant
    }

    /// The attitude at an instant since the first frame.
    ///
    /// - gyroscopeBias: what the gyroscope reads at rest, in rad/s, as far as that is known.
    func worldFromImu(
        at instant: Timestamp, history: ImuHistory, imuFromCamera: Rotation, gyroscopeBias: Vector3 = .zero
    ) -> Rotation {
        guard let now else { return .identity }
        let turned =
            worldFromStart(history, imuFromCamera)
            * Rotation(rotationVector: turnByGyroscopeBias * gyroscopeBias) * motion.rotation
        guard instant != now else { return turned }
        let (from, to) = (min(instant, now), max(instant, now))
        let turn = history.motion(from: from, to: to, errors: ImuErrors(gyroscopeBias: gyroscopeBias)).rotation
        return turned * (instant < now ? turn.inverse : turn)
    }

    /// How well it knows at an instant what is up, in radians: a hand that moves changes its velocity meanwhile.
    func levelDeviation(at instant: Timestamp, gravityStrength: Double) -> Double {
        min(Self.handVelocity / (gravityStrength * max(seconds(at: instant), 1e-3)), Self.largestLevelDeviation)
    }

    /// How fast a hand is, in m/s, and how far the specific force of one that moves may be off the vertical, in radians.
    private static let handVelocity = 0.2
    private static let largestLevelDeviation = 0.1

    /// How long ago the first frame was at an instant, in seconds.
    func seconds(at instant: Timestamp) -> Double { start.map { max(instant.seconds(since: $0), 0) } ?? 0 }

    private func worldFromStart(_ history: ImuHistory, _ imuFromCamera: Rotation) -> Rotation {
        guard start != nil else { return .identity }
        return (worldFromFirstCamera * imuFromCamera.inverse).withUp(up(history))
    }

    /// Up, in the IMU's axes at the first frame.
    private func up(_ history: ImuHistory) -> Vector3 {
        guard let start else { return Vector3(0, 1, 0) }
        let force = motion.seconds > 0 ? motion.velocity : history.reading(at: start).specificForce
        return force.normalized() ?? Vector3(0, 1, 0)
    }
}
