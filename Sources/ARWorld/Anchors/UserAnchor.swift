// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A place that the app chose: ARKit's `ARAnchor`. Made by ``World/addAnchor(named:at:on:)``.
public struct UserAnchor: Hashable, Sendable {
    /// The same for the anchor's whole life, and in every run of the same session.
    public let identifier: UUID
    /// The name it was given, if any.
    public let name: String?
    /// The anchor's axes in the world.
    public internal(set) var worldFromAnchor: RigidTransform
    /// The plane that the anchor lies on, if the app said so: what moves that plane moves the anchor.
    public internal(set) var support: Support?

    /// A plane that carries an anchor.
    public struct Support: Hashable, Sendable {
        /// The plane's identifier.
        public let plane: UUID
        /// Where the anchor is in the plane's axes. It stays as long as the plane does.
        public let planeFromAnchor: RigidTransform
    }

    /// A place with that name, carried by the plane if there is one.
    public init(
        identifier: UUID, name: String? = nil, worldFromAnchor: RigidTransform, on plane: PlaneAnchor? = nil
    ) {
        self.identifier = identifier
        self.name = name
        self.worldFromAnchor = worldFromAnchor
        self.support = plane.map { UserAnchor.Support(of: worldFromAnchor, on: $0) }
    }
}

extension UserAnchor.Support {
    /// The plane as it carries something that is there now.
    init(of worldFromAnchor: RigidTransform, on plane: PlaneAnchor) {
        self.plane = plane.identifier
        self.planeFromAnchor = plane.worldFromAnchor.inverse * worldFromAnchor
    }
}
