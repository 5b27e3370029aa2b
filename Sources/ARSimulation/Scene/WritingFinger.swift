// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth

/// A finger with its plane and its movements.
struct WritingFinger: Sendable {
    let timeline: FingerTimeline
    let worldFromPlane: RigidTransform
    private let planeFromHandRotation: Rotation

    /// The finger, or `nil` when its plane is not among those.
    init?(_ finger: Scene.Finger, planes: [DeclaredPlane]) {
        guard let plane = planes.first(where: { $0.name == finger.plane }) else { return nil }
        timeline = FingerTimeline(finger)
        worldFromPlane = plane.worldFromPlane
        planeFromHandRotation = Rotation(rotationVector: Vector3(0, finger.headingRadians, 0))
    }

    /// The hand's pose: its origin is the fingertip.
    func worldFromHand(at seconds: Double) -> RigidTransform {
        worldFromPlane
            * RigidTransform(rotation: planeFromHandRotation, translation: timeline.tipInPlane(at: seconds))
    }
}
