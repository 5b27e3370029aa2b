// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

extension Rotation {
    /// The rotation R_y(yaw) · R_x(pitch) · R_z(roll). Law: `EulerAnglesTests.productOfThreeTurns`.
    public init(_ angles: EulerAngles) {
        self =
            Rotation(rotationVector: Vector3(0, angles.yaw, 0))
            * Rotation(rotationVector: Vector3(angles.pitch, 0, 0))
            * Rotation(rotationVector: Vector3(0, 0, angles.roll))
    }

    /// The three turns: pitch within ±π/2, yaw and roll within ±π.
    ///
    /// With p, y, r the half angles, the quaternion's coefficients add up to two pairs in which yaw and roll occur only
    /// as their difference and their sum:
    /// (w + x, y − z) = (cos p + sin p) · (cos(y − r), sin(y − r)) and
    /// (w − x, y + z) = (cos p − sin p) · (cos(y + r), sin(y + r)).
    /// Looking straight up or down one pair vanishes, and with it the distinction between yaw and roll (gimbal lock):
    /// the roll is then zero by definition. Close to it every digit that the quaternion has is still used.
    /// - Reference: the sums and differences are those of Bernardes and Viollet 2022, "Quaternion to Euler angles
    ///   conversion: a direct, general and computationally efficient method". Law: `EulerAnglesTests.roundTrip`.
    public var eulerAngles: EulerAngles {
        let q = coefficients
        let ofDifference = Vector2(q.w + q.x, q.y - q.z)
        let ofSum = Vector2(q.w - q.x, q.y + q.z)
        // The pairs' lengths are √2 sin and √2 cos of pitch/2 + π/4.
        let pitch = 2 * atan2(ofDifference.length, ofSum.length) - .pi / 2

        // The size of the rounding errors in a unit quaternion that was composed from several.
        let vanishing = 1e-14
        let halfDifference = atan2(ofDifference.y, ofDifference.x)
        let halfSum = atan2(ofSum.y, ofSum.x)
        if ofDifference.length < vanishing {
            return EulerAngles(pitch: -.pi / 2, yaw: remainder(2 * halfSum, 2 * .pi), roll: 0)
        }
        if ofSum.length < vanishing {
            return EulerAngles(pitch: .pi / 2, yaw: remainder(2 * halfDifference, 2 * .pi), roll: 0)
        }
        return EulerAngles(
            pitch: pitch,
            yaw: remainder(halfSum + halfDifference, 2 * .pi),
            roll: remainder(halfSum - halfDifference, 2 * .pi))
    }
}
