// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The anchors of all kinds that a frame added, changed or took away, each list in the order of the anchors' ages.
public struct AnchorChanges: Hashable, Sendable {
    /// New anchors.
    public var added: [UUID] = []
    /// Anchors that are not what they were: moved, grown, seen again or lost from sight.
    public var updated: [UUID] = []
    /// Anchors that are gone.
    public var removed: [UUID] = []

    /// No changes.
    public init() {}

    /// Whether nothing changed.
    public var isEmpty: Bool { added.isEmpty && updated.isEmpty && removed.isEmpty }
}
