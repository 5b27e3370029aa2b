// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARTracking
import Foundation

/// The anchors of a session over time.
///
/// As in ARKit, what is added or removed between frames takes effect with the next frame, and nothing changes while
/// tracking is limited. Law: `WorldTests.changesTakeEffectInTheNextTrackedFrame`.
public struct World: Sendable {
    private var planes: [PlaneAnchor] = []
    private var pendingPlanes: [PlaneAnchor] = []
    private var pendingRemovals: Set<UUID> = []

    /// A world without anchors.
    public init() {}

    /// Adds a plane, or replaces the one with the same identifier, in the next frame.
    public mutating func add(_ plane: PlaneAnchor) {
        pendingRemovals.remove(plane.identifier)
        pendingPlanes.append(plane)
    }

    /// Removes the plane with that identifier in the next frame.
    public mutating func remove(_ identifier: UUID) {
        pendingPlanes.removeAll { $0.identifier == identifier }
        pendingRemovals.insert(identifier)
    }

    /// The world as it is known at that frame.
    public mutating func update(with frame: TrackedFrame) -> WorldSnapshot {
        guard frame.trackingState == .normal else { return WorldSnapshot(frame: frame, planes: planes) }
        var changes = AnchorChanges()
        changes.removed = planes.map(\.identifier).filter(pendingRemovals.contains)
        planes.removeAll { pendingRemovals.contains($0.identifier) }
        let known = planes.map(\.identifier)
        for plane in pendingPlanes {
            if let index = planes.firstIndex(where: { $0.identifier == plane.identifier }) {
                planes[index] = plane
            } else {
                planes.append(plane)
            }
        }
        changes.updated = known.filter(pendingPlanes.map(\.identifier).contains)
        changes.added = planes.dropFirst(known.count).map(\.identifier)
        pendingPlanes.removeAll()
        pendingRemovals.removeAll()
        return WorldSnapshot(frame: frame, planes: planes, changes: changes)
    }
}
