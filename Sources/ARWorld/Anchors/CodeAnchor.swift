// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARVision
import Foundation

/// A code that was read and has its place in the world.
///
/// The origin is the middle of the code's symbol, +X leads to its right as it is printed and +Y out of the print; its top
/// lies towards −Z.
public struct CodeAnchor: Hashable, Sendable {
    /// The same for the anchor's whole life, and in every run of the same session.
    public let identifier: UUID
    /// The name it was given, if any.
    public let name: String?
    /// The anchor's axes in the world.
    public var worldFromAnchor: RigidTransform
    /// What the code says.
    public var payload: String
    /// How it is written.
    public var symbology: CodeSymbology
    /// The symbol's size.
    public var size: RectangleSize
    /// Whether the frame shows it. An anchor that is not shown stays where it was seen last.
    public var isTracked: Bool

    /// A code at that place.
    public init(
        identifier: UUID, name: String? = nil, worldFromAnchor: RigidTransform, payload: String,
        symbology: CodeSymbology, size: RectangleSize, isTracked: Bool
    ) {
        self.identifier = identifier
        self.name = name
        self.worldFromAnchor = worldFromAnchor
        self.payload = payload
        self.symbology = symbology
        self.size = size
        self.isTracked = isTracked
    }
}
