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
    /// Whether nodding was measured: a single picture does not tell it.
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
    /// orientation.
    ///
    /// Law: `FaceViewTests.anglesTurnWithThePicture`.
    public func angles(turnedFor orientation: InterfaceOrientation) -> FaceAngles {
        let turned = (orientation.viewFromCamera.rotation * cameraFromHead).eulerAngles
        return FaceAngles(roll: turned.roll, yaw: turned.yaw, pitch: hasPitch ? turned.pitch : nil)
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

    /// Degrees from 0 up to 360, as `AVMetadataFaceObject.rollAngle` gives them; where ``hasRollAngle`` is false there is
    /// none, and the original throws.
    public var rollAngle: Double? { roll.map(Self.wholeDegrees) }
    /// Degrees from 0 up to 360, as `AVMetadataFaceObject.yawAngle` gives them.
    public var yawAngle: Double? { yaw.map(Self.wholeDegrees) }

    private static func wholeDegrees(_ radians: Double) -> Double {
        let degrees = radians * 180 / .pi
        let positive = degrees - 360 * (degrees / 360).rounded(.down)
        return positive < 360 ? positive : 0
    }
}
