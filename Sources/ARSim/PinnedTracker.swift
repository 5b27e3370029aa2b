// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import ARTruth

/// Stands where a tracker would stand, and hands on the poses that the session's truth holds.
///
/// A frame whose pose is unknown is `notAvailable` and keeps the last known one, so that nothing is built on it.
struct PinnedTracker: Sendable {
    private let calibration: CameraCalibration
    private var lastWorldFromCamera = RigidTransform.identity

    init(calibration: CameraCalibration) { self.calibration = calibration }

    mutating func track(_ frame: CameraFrame, truth: FrameTruth?) -> TrackedFrame {
        if let truth { lastWorldFromCamera = truth.worldFromCamera }
        return TrackedFrame(
            timestamp: frame.timestamp, trackingState: truth == nil ? .notAvailable : .normal,
            worldFromCamera: lastWorldFromCamera, camera: calibration.camera, imageSize: frame.image.size)
    }
}
