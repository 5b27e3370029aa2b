// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Something rectangular with its size and its place in the world, such as a card on a table.
///
/// The origin is the middle, where the diagonals cross. +X leads from the left edge to the right one and +Y out of the
/// front; the top edge lies towards −Z.
public struct RectangleAnchor: Hashable, Sendable {
    /// The same for the anchor's whole life, and in every run of the same session.
    public let identifier: UUID
    /// The name it was given, if any: what identifies it, such as the payload of the code that is printed on it.
    public var name: String?
    /// The anchor's axes in the world.
    public var worldFromAnchor: RigidTransform
    /// Its size.
    public var size: RectangleSize
    /// Whether the frame shows it. An anchor that is not shown stays where it was seen last, until pictures that should show it do not.
    public var isTracked: Bool

    /// A rectangle at that place.
    public init(
        identifier: UUID, name: String? = nil, worldFromAnchor: RigidTransform, size: RectangleSize, isTracked: Bool
    ) {
        self.identifier = identifier
        self.name = name
        self.worldFromAnchor = worldFromAnchor
        self.size = size
        self.isTracked = isTracked
    }
}
