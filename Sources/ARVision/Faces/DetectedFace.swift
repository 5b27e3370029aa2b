// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A face in a picture.
public struct DetectedFace: Hashable, Sendable {
    /// From the brows to the chin and from cheek to cheek.
    public var box: FaceBox
    /// How sure it is that this is a face, 0 … 1.
    public var confidence: Double
    /// How the head is turned against one that is upright and looks into the camera, in the camera's axes (ARKit's: +X
    /// right and +Y up in the picture as it was recorded, +Z towards the camera), seen along the line of sight to the head.
    public var cameraFromHead: Rotation
    /// Whether nodding was measured, about the head's own axis from ear to ear: the cascades do not tell it, a network's five
    /// points do, and a ``FaceTracker`` measures how it changes.
    public var hasPitch: Bool

    /// A face with these values.
    public init(box: FaceBox, confidence: Double, cameraFromHead: Rotation, hasPitch: Bool) {
        self.box = box
        self.confidence = confidence
        self.cameraFromHead = cameraFromHead
        self.hasPitch = hasPitch
    }

    /// The angles in the picture as it was recorded.
    public var angles: FaceAngles { angles(turnedFor: .landscapeRight) }

    /// The angles in the picture as it is turned for the interface, as Vision gives them when it is told the picture's
    /// orientation. Without ``hasPitch``, the angle that the head's nod has become there is `nil`: the pitch of a head that is
    /// upright in that picture, the yaw of one that lies on its side.
    ///
    /// Laws: `FaceViewTests.anglesTurnWithThePicture`, `FaceViewTests.whatIsNotMeasuredIsNotTold`.
    public func angles(turnedFor orientation: InterfaceOrientation) -> FaceAngles {
        let turned = (orientation.viewFromCamera.rotation * cameraFromHead).eulerAngles
        // Where the head lies on its side, its nod is a turn and its turn is a nod.
        let liesOnItsSide = abs(sin(turned.roll)) > abs(cos(turned.roll))
        let (knowsYaw, knowsPitch) = (hasPitch || !liesOnItsSide, hasPitch || liesOnItsSide)
        return FaceAngles(
            roll: turned.roll, yaw: knowsYaw ? turned.yaw : nil, pitch: knowsPitch ? turned.pitch : nil)
    }
}

/// How a face is turned, as `VNFaceObservation` states it: in radians, counter-clockwise positive.
///
/// The head looks into the camera, is rolled in the picture's plane, nods, and turns: R_y(yaw) · R_x(pitch) · R_z(roll), with
/// +X to the viewer's right, +Y up and +Z towards the viewer. Roll is positive for a head that leans to the viewer's left,
/// yaw for one that looks to the viewer's right, pitch for one that looks down. They are continuous, as from Vision's
/// third revision on.
public struct FaceAngles: Hashable, Sendable {
    /// Within ±π; `nil` where it was not computed.
    public var roll: Double?
    /// Within ±π/2 for a face that is seen; `nil` where it was not computed.
    public var yaw: Double?
    /// Within ±π/2; `nil` where it was not computed.
    public var pitch: Double?

    /// The three angles.
    public init(roll: Double?, yaw: Double?, pitch: Double?) {
        self.roll = roll
        self.yaw = yaw
        self.pitch = pitch
    }

    /// What `AVMetadataFaceObject.hasRollAngle` says.
    public var hasRollAngle: Bool { roll != nil }
    /// What `AVMetadataFaceObject.hasYawAngle` says.
    public var hasYawAngle: Bool { yaw != nil }

    /// Degrees from 0 up to 360, as `AVMetadataFaceObject.rollAngle` gives them: clockwise, since apps turn their layers by
    /// them about Core Animation's +Z. Where ``hasRollAngle`` is false there is none, and the original throws.
    ///
    /// Law: `FaceOverlayTests.bothWaysAgreeInPortrait`.
    public var rollAngle: Double? { roll.map(Self.clockwiseDegrees) }
    /// Degrees from 0 up to 360, as `AVMetadataFaceObject.yawAngle` gives them: growing as the head turns to the viewer's
    /// left, since apps turn their layers by them about Core Animation's −Y.
    public var yawAngle: Double? { yaw.map(Self.clockwiseDegrees) }

    private static func clockwiseDegrees(_ radians: Double) -> Double {
        let degrees = -radians * 180 / .pi
        let positive = degrees - 360 * (degrees / 360).rounded(.down)
        return positive < 360 ? positive : 0
    }
}
