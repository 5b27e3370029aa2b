// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A plane that a recording or a scene declares: a bounded piece of a flat surface.
public struct DeclaredPlane: Hashable, Sendable {
    /// A name that is unique in the session.
    public var name: String
    /// The plane's axes: +Y is the normal, X and Z span the plane.
    public var worldFromPlane: RigidTransform
    /// The outline's corners in the plane's x and z, in metres, counter-clockwise seen from above (against +Y).
    public var boundary: [Point2]
    /// What the surface is.
    public var classification: PlaneClassification

    /// A plane with these values.
    public init(
        name: String, worldFromPlane: RigidTransform, boundary: [Point2], classification: PlaneClassification = .none
    ) {
        self.name = name
        self.worldFromPlane = worldFromPlane
        self.boundary = boundary
        self.classification = classification
    }
}
