// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth

/// A finger with its plane and its movements.
struct WritingFinger: Sendable {
    let timeline: FingerTimeline
    let worldFromPlane: RigidTransform
    private let planeFromHandRotation: Rotation

    /// A scene's finger, or `nil` when it has none, or its plane is not among those.
    init?(_ scene: Scene, timeline: FingerTimeline, planes: [DeclaredPlane]) {
        guard let finger = scene.finger, let plane = planes.first(where: { $0.name == finger.plane }) else {
            return nil
        }
        self.timeline = timeline
        worldFromPlane = plane.worldFromPlane
        planeFromHandRotation = Rotation(rotationVector: Vector3(0, finger.headingRadians, 0))
    }

    /// The hand's pose: its origin is the fingertip.
    func worldFromHand(at seconds: Double) -> RigidTransform {
        worldFromPlane
            * RigidTransform(rotation: planeFromHandRotation, translation: timeline.tipInPlane(at: seconds))
    }
}
