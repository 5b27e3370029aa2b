// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Where the device was at the frames of the last seconds, and from there, with its samples, at any instant.
///
/// Law: `VisualInertialTrackerTests.tellsThePoseAtAnyInstant`.
struct RecentMotion: Sendable {
    private var states: [NavigationState] = []
    private var imuFromCamera = RigidTransform.identity
    private var worldFromEstimate = RigidTransform.identity

    /// How far back it goes.
    private static let seconds = 2.0

    mutating func append(_ state: NavigationState, calibration: CameraState, worldFromEstimate: RigidTransform) {
        states.append(state)
        if let first = states.firstIndex(where: { state.timestamp.seconds(since: $0.timestamp) <= Self.seconds }), first > 0
        {
            states.removeFirst(first)
        }
        imuFromCamera = calibration.imuFromOptical * .opticalFromCamera
        self.worldFromEstimate = worldFromEstimate
    }

    /// The camera's pose at an instant of the samples' clock, or `nil` where it is too long ago.
    func worldFromCamera(at instant: Timestamp, history: ImuHistory, gravity: Vector3) -> RigidTransform? {
        guard let before = states.last(where: { $0.timestamp <= instant }) else { return nil }
        let motion = history.motion(from: before.timestamp, to: instant, errors: before.errors)
        return worldFromEstimate * before.advanced(by: motion, gravity: gravity, to: instant).worldFromImu
            * imuFromCamera
    }
}
