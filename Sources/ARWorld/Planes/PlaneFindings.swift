// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a look at a frame's evidence says about the planes of the world.
public struct PlaneFindings: Hashable, Sendable {
    /// Planes that were not known before, in the order in which they were found.
    public var added: [PlaneAnchor] = []
    /// Known planes with what is known of them now.
    public var updated: [PlaneAnchor] = []
    /// Planes that were merged into an older one, or refuted.
    public var removed: [UUID] = []

    /// No findings.
    public init(added: [PlaneAnchor] = [], updated: [PlaneAnchor] = [], removed: [UUID] = []) {
        self.added = added
        self.updated = updated
        self.removed = removed
    }
}
