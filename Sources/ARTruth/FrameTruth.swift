// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// What is true at a frame's instant, whoever perceives it.
public struct FrameTruth: Hashable, Sendable {
    /// The frame's instant.
    public var timestamp: Timestamp
    /// The camera's pose: ARKit's axes, world +Y up.
    public var worldFromCamera: RigidTransform
    /// The fingertip, where the session has one.
    public var fingertip: FingertipTruth?

    /// The truth at an instant.
    public init(timestamp: Timestamp, worldFromCamera: RigidTransform, fingertip: FingertipTruth? = nil) {
        self.timestamp = timestamp
        self.worldFromCamera = worldFromCamera
        self.fingertip = fingertip
    }
}

/// Where a fingertip really is.
public struct FingertipTruth: Hashable, Sendable {
    /// The tip, in metres.
    public var positionInWorld: Point3
    /// Its pixel in the frame, or `nil` behind the camera. It may lie outside the picture.
    public var pixel: PixelPoint?
    /// Whether the tip is seen: inside the picture and not hidden.
    public var isVisible: Bool
    /// Whether it draws.
    public var isPenDown: Bool

    /// A fingertip with these values.
    public init(positionInWorld: Point3, pixel: PixelPoint?, isVisible: Bool, isPenDown: Bool) {
        self.positionInWorld = positionInWorld
        self.pixel = pixel
        self.isVisible = isVisible
        self.isPenDown = isPenDown
    }
}

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

/// Where the truth of a session comes from: a recording's files, or the scene itself.
///
/// Only evaluation, and sessions in mode `pinned`, read it; trackers cannot: their modules do not import this one.
public protocol TruthSource: Sendable {
    /// The planes that the session declares.
    var declaredPlanes: [DeclaredPlane] { get }

    /// A stream of truth for the frames of a stream of sensor events.
    func makeTruthStream() throws -> any TruthStream
}

/// A reading of the truth from its beginning.
public protocol TruthStream {
    /// The truth at that instant, or `nil` where it is unknown. Instants must not decrease from call to call.
    mutating func truth(at timestamp: Timestamp) throws -> FrameTruth?
}
