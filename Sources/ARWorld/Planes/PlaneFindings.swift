// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a frame changed about the planes, each list in the order in which the planes were found.
public struct PlaneFindings: Hashable, Sendable {
    /// New planes. The centre of their extent is the origin of their axes.
    public var added: [PlaneAnchor]
    /// Planes of which more is known now.
    public var updated: [PlaneAnchor]
    /// Planes that turned out to be parts of older ones, or not to exist.
    public var removed: [UUID]

    /// These changes; by default none.
    public init(added: [PlaneAnchor] = [], updated: [PlaneAnchor] = [], removed: [UUID] = []) {
        self.added = added
        self.updated = updated
        self.removed = removed
    }
}
