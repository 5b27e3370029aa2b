// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A plane as a session knew it.
public struct PlaneAnswer: Hashable, Sendable {
    /// The anchor's identifier, the same for its whole life.
    public var identifier: String
    /// The anchor's axes in the session's world: +Y is the normal, X and Z span the plane.
    public var worldFromPlane: RigidTransform
    /// The outline's corners in the anchor's x and z, in metres; they may run either way.
    public var boundary: [Point2]
    /// What the session took the surface for.
    public var classification: PlaneClassification

    /// A plane with these values.
    public init(
        identifier: String, worldFromPlane: RigidTransform, boundary: [Point2],
        classification: PlaneClassification = .none
    ) {
        self.identifier = identifier
        self.worldFromPlane = worldFromPlane
        self.boundary = boundary
        self.classification = classification
    }
}

/// A result of a hit test.
public struct HitAnswer: Hashable, Sendable {
    /// The kind of result by ARKit's name, as in `existingPlaneUsingExtent`.
    public var type: String
    /// The pixel through which the ray went.
    public var pixel: PixelPoint
    /// The place in the session's world.
    public var position: Point3
    /// The identifier of the plane that was hit; `nil` where none was.
    public var anchor: String?

    /// A hit with these values.
    public init(type: String, pixel: PixelPoint, position: Point3, anchor: String? = nil) {
        self.type = type
        self.pixel = pixel
        self.position = position
        self.anchor = anchor
    }
}

/// A rectangle in the world as a session knew it.
public struct PlacedRectangleAnswer: Hashable, Sendable {
    /// Its identifier, the same for as long as it is known.
    public var identifier: String
    /// What identifies it, such as the text of the code on it.
    public var name: String?
    /// The corners in the session's world: top left, top right, bottom right, bottom left, as one faces it with its top up.
    public var corners: [Point3]
    /// The width, along the top, and the height, in metres.
    public var size: Vector2

    /// A rectangle with four corners.
    public init(identifier: String, name: String? = nil, corners: [Point3], size: Vector2) {
        precondition(corners.count == 4, "a rectangle has 4 corners, not \(corners.count)")
        self.identifier = identifier
        self.name = name
        self.corners = corners
        self.size = size
    }
}
