// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How much of a declared plane is seen.
public struct PlaneTruth: Hashable, Sendable {
    /// The plane's name in ``SessionTruth/planes``.
    public var name: String
    /// How much of it is seen.
    public var visibleFraction: VisibleFraction

    /// A plane of which that much is seen.
    public init(name: String, visibleFraction: VisibleFraction) {
        self.name = name
        self.visibleFraction = visibleFraction
    }
}

/// Which part of a surface is seen, 0…1: of points spread evenly over its front, those that face the camera, lie inside
/// the picture and are not hidden by anything.
public typealias VisibleFraction = Double

/// Where four corners really are, in the order top left, top right, bottom right, bottom left, as one faces what they
/// bound with its top up.
public struct CornersTruth: Hashable, Sendable {
    /// The corners, in metres.
    public var inWorld: [Point3]
    /// Their pixels in the frame, each `nil` where it lies behind the camera. They may lie outside the picture.
    public var pixels: [PixelPoint?]
    /// How much is seen of what the corners bound.
    public var visibleFraction: VisibleFraction

    /// Four corners.
    public init(inWorld: [Point3], pixels: [PixelPoint?], visibleFraction: VisibleFraction) {
        precondition(
            inWorld.count == 4 && pixels.count == 4, "four corners, not \(inWorld.count) and \(pixels.count)")
        self.inWorld = inWorld
        self.pixels = pixels
        self.visibleFraction = visibleFraction
    }
}

/// Where an image target really is.
public struct ImageTargetTruth: Hashable, Sendable {
    /// The name of what wears the picture: two things with the same picture have two names.
    public var name: String
    /// What is printed: `emblem-17`, or the name of a picture's file without its extension.
    public var picture: String
    /// The pose of the image anchor: origin in the middle of the print, +X to its right, +Y out of it, its top towards −Z.
    /// Of a print on waving cloth, the pose of the cloth at rest.
    public var worldFromTarget: RigidTransform
    /// The print's width and height, in metres.
    public var size: Vector2
    /// The print's corners; on waving cloth they wave along.
    public var corners: CornersTruth

    /// What the name of a picture ends with where it is printed in one ink.
    public static let oneInkSuffix = "-one-ink"

    /// A target with these values.
    public init(
        name: String, picture: String, worldFromTarget: RigidTransform, size: Vector2, corners: CornersTruth
    ) {
        self.name = name
        self.picture = picture
        self.worldFromTarget = worldFromTarget
        self.size = size
        self.corners = corners
    }
}

/// Where a rectangle really is.
public struct RectangleTruth: Hashable, Sendable {
    /// The rectangle's name.
    public var name: String
    /// Its corners.
    public var corners: CornersTruth

    /// A rectangle with these values.
    public init(name: String, corners: CornersTruth) {
        self.name = name
        self.corners = corners
    }
}

/// Where a code really is, and what it says.
public struct CodeTruth: Hashable, Sendable {
    /// The name of what carries the code.
    public var name: String
    /// What the code says.
    public var payload: String
    /// The kind of code, in Vision's words without prefix: `qr`.
    public var symbology: String
    /// How many modules it has along a side, where that is known.
    public var modulesAcross: Int?
    /// The corners of its pattern, without the quiet zone.
    public var corners: CornersTruth

    /// A code with these values.
    public init(
        name: String, payload: String, symbology: String, modulesAcross: Int? = nil, corners: CornersTruth
    ) {
        self.name = name
        self.payload = payload
        self.symbology = symbology
        self.modulesAcross = modulesAcross
        self.corners = corners
    }
}

/// Where a face really is and where it looks.
public struct FaceTruth: Hashable, Sendable {
    /// The face's name.
    public var name: String
    /// The head's pose: +Z out of the face, +Y to the crown, +X to the head's left, which is the viewer's right.
    public var worldFromHead: RigidTransform
    /// The box around the face, from the brows to the chin and from cheek to cheek; `nil` where part of it lies behind
    /// the camera.
    public var box: PixelBox?
    /// The turns from a head that looks at the camera upright to this one, as R_y(yaw) · R_x(pitch) · R_z(roll) in the
    /// camera's axes turned so that they look at the head: counter-clockwise is positive, as Vision has it.
    public var angles: EulerAngles
    /// How much of the face is seen.
    public var visibleFraction: VisibleFraction

    /// A face with these values.
    public init(
        name: String, worldFromHead: RigidTransform, box: PixelBox?, angles: EulerAngles,
        visibleFraction: VisibleFraction
    ) {
        self.name = name
        self.worldFromHead = worldFromHead
        self.box = box
        self.angles = angles
        self.visibleFraction = visibleFraction
    }
}

/// A box in a picture, from one corner's pixel to the opposite one's.
public struct PixelBox: Hashable, Sendable {
    /// The corner at the top left.
    public var minimum: PixelPoint
    /// The corner at the bottom right.
    public var maximum: PixelPoint

    /// A box between two corners.
    public init(minimum: PixelPoint, maximum: PixelPoint) {
        self.minimum = minimum
        self.maximum = maximum
    }
}
