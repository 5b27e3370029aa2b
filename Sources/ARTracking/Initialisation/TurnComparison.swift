// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What a gyroscope's bias seems to be, by how much more it says that the device turned than the pictures of a window do.
///
/// A bias of 0.08 rad/s turns a device by 5° within a second, beside which the parallax of a slow flight is nothing: what is linear where
/// the turn is known then begins far from where it leads. Pictures that show nearly the same tell a turn by themselves, however far
/// things are (``TwoViewMotion``), but not their rows' instants nor the clocks' offset, and so the less the faster the device turns.
///
/// Law: `TurnComparisonTests`.
struct TurnComparison {
    /// In rad/s; zero as far as the pictures do not tell.
    let gyroscopeBias: Vector3

    /// How many pairs of frames are compared, each with the next.
    private static let pairCount = 6
    /// How wrong a picture's turn may be by what it does not tell, as a share of the turn, and in rad/s.
    private static let turnShare = 0.03
    private static let leastDeviation = 0.003

    init(
        _ frames: [MotionAlignment.Frame], history: ImuHistory, calibration: CameraState,
        settings: InitialisationSettings
    ) {
        let chosen = (0...Self.pairCount).map { frames[$0 * (frames.count - 1) / Self.pairCount] }
        var information = 1 / (settings.gyroscopeBias * settings.gyroscopeBias)
        var sum = Vector3.zero
        for (first, last) in zip(chosen, chosen.dropFirst()) {
            let (from, to) = (
                calibration.instant(ofFrameAt: first.timestamp), calibration.instant(ofFrameAt: last.timestamp)
            )
            let seconds = to.seconds(since: from)
            guard seconds > 0, let motion = PictureChange(from: first, to: last, calibration)?.motion else { continue }
            let measured = history.motion(from: from, to: to, errors: ImuErrors()).rotation
            let turn = measured.rotationVector
            let more = turn - calibration.imuFromOptical.rotation * motion.turn
            let unknown = Self.turnShare * turn.length / seconds
            let variance =
                motion.turnCovariance.trace / 3 / (seconds * seconds) + unknown * unknown
                + Self.leastDeviation * Self.leastDeviation
            information += 1 / variance
            sum += more / (seconds * variance)
        }
        gyroscopeBias = sum / information
    }
}
