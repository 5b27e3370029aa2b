// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Where the device was at the frames of the last seconds, and from there, with its samples, at any instant.
///
/// Law: `VisualInertialTrackerTests.tellsThePoseAtAnyInstant`.
struct RecentMotion: Sendable {
    private var states: [(stamp: Timestamp, state: NavigationState)] = []
    private var imuFromCamera = RigidTransform.identity
    private var worldFromEstimate = RigidTransform.identity

    /// How far back it goes.
    private static let seconds = 2.0

    mutating func append(
        _ state: NavigationState, frame stamp: Timestamp, calibration: CameraState, worldFromEstimate: RigidTransform
    ) {
        states.append((stamp, state))
        let kept = states.firstIndex { stamp.seconds(since: $0.stamp) <= Self.seconds } ?? 0
        states.removeFirst(kept)
        imuFromCamera = calibration.imuFromOptical * .opticalFromCamera
        self.worldFromEstimate = worldFromEstimate
    }

    /// The camera's pose at an instant of the frames' clock, or `nil` where it is too long ago.
    func worldFromCamera(at stamp: Timestamp, history: ImuHistory, gravity: Vector3) -> RigidTransform? {
        guard let (frame, state) = states.last(where: { $0.stamp <= stamp }) else { return nil }
        let instant = state.timestamp.advanced(byNanoseconds: stamp.nanoseconds(since: frame))
        let motion = history.motion(from: state.timestamp, to: instant, errors: state.errors)
        return worldFromEstimate * state.advanced(by: motion, gravity: gravity, to: instant).worldFromImu
            * imuFromCamera
    }
}
