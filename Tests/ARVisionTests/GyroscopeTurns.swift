// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARVision

/// The turn of a camera between two instants, by the gyroscope of the device that it is part of.
struct GyroscopeTurns {
    private let samples: [ImuSample]
    private let imuFromOptical: Rotation

    init(_ samples: [ImuSample], calibration: CameraCalibration) {
        self.samples = samples
        imuFromOptical = calibration.imuFromOptical.rotation
    }

    /// Each sample holds until the next one.
    func opticalFromPreviousOptical(from previous: Timestamp, to now: Timestamp) -> Rotation {
        var previousFromNow = Rotation.identity
        for (sample, next) in zip(samples, samples.dropFirst()) {
            let start = max(sample.timestamp, previous)
            let end = min(next.timestamp, now)
            guard start < end else { continue }
            let rate = (sample.angularVelocity + next.angularVelocity) / 2
            previousFromNow = previousFromNow * Rotation(rotationVector: rate * end.seconds(since: start))
        }
        return imuFromOptical.inverse * previousFromNow.inverse * imuFromOptical
    }
}
