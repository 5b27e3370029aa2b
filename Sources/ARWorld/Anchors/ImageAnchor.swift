// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A known picture, found in the world: ARKit's `ARImageAnchor`.
///
/// The origin is the middle of the print, +X leads to its right and +Y out of it; its top lies towards −Z.
public struct ImageAnchor: Hashable, Sendable {
    /// The same for the anchor's whole life, and in every run of the same session.
    public let identifier: UUID
    /// The picture's name among the known ones.
    public let name: String?
    /// The anchor's axes in the world.
    public var worldFromAnchor: RigidTransform
    /// The size of the print as it was stated.
    public var physicalSize: RectangleSize
    /// How many times as large the print is as it was stated.
    public var estimatedScaleFactor: Double
    /// Whether the frame shows it. An anchor that is not shown stays where it was seen last.
    public var isTracked: Bool

    /// A picture at that place.
    public init(
        identifier: UUID, name: String?, worldFromAnchor: RigidTransform, physicalSize: RectangleSize,
        estimatedScaleFactor: Double = 1, isTracked: Bool
    ) {
        self.identifier = identifier
        self.name = name
        self.worldFromAnchor = worldFromAnchor
        self.physicalSize = physicalSize
        self.estimatedScaleFactor = estimatedScaleFactor
        self.isTracked = isTracked
    }
}

/// The size of something rectangular, in metres.
public struct RectangleSize: Hashable, Sendable {
    /// From left to right, along the thing's own X.
    public var width: Double
    /// From top to bottom, along the thing's own Z.
    public var height: Double

    /// That size.
    public init(width: Double, height: Double) {
        self.width = width
        self.height = height
    }
}
