// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A face: ARKit's `ARFaceAnchor`.
///
/// +X leads to the viewer's right, +Y up along the face and +Z out of it, towards the viewer; the origin lies behind the
/// face.
public struct FaceAnchor: Hashable, Sendable {
    /// The same for the anchor's whole life, and in every run of the same session.
    public let identifier: UUID
    /// The name it was given, if any.
    public let name: String?
    /// The anchor's axes in the world.
    public var worldFromAnchor: RigidTransform
    /// Whether the frame shows it. An anchor that is not shown stays where it was seen last.
    public var isTracked: Bool

    /// A face at that place.
    public init(identifier: UUID, name: String? = nil, worldFromAnchor: RigidTransform, isTracked: Bool) {
        self.identifier = identifier
        self.name = name
        self.worldFromAnchor = worldFromAnchor
        self.isTracked = isTracked
    }
}
