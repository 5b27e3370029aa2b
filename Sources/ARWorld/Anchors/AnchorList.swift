// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Anchors of all kinds in the order of their ages, found by their identifiers.
struct AnchorList: Sendable {
    private(set) var anchors: [Anchor] = []
    private var places: [UUID: Int] = [:]

    init() {}

    init(_ anchors: [Anchor]) { for anchor in anchors { put(anchor) } }

    subscript(identifier: UUID) -> Anchor? { places[identifier].map { anchors[$0] } }

    var planes: [PlaneAnchor] {
        anchors.compactMap { if case .plane(let plane) = $0 { plane } else { nil } }
    }

    /// The plane with that identifier.
    func plane(_ identifier: UUID) -> PlaneAnchor? {
        if case .plane(let plane) = self[identifier] { plane } else { nil }
    }

    /// Adds an anchor as the youngest, or puts it in the place of the one with the same identifier.
    mutating func put(_ anchor: Anchor) {
        if let place = places[anchor.identifier] {
            anchors[place] = anchor
        } else {
            places[anchor.identifier] = anchors.count
            anchors.append(anchor)
        }
    }

    /// Takes anchors away.
    mutating func remove(_ identifiers: Set<UUID>) {
        guard identifiers.contains(where: { places[$0] != nil }) else { return }
        self = AnchorList(anchors.filter { !identifiers.contains($0.identifier) })
    }

    /// Gives all anchors their coordinates in a world that was corrected.
    mutating func move(by correction: WorldCorrection) {
        for place in anchors.indices { anchors[place] = anchors[place].moved(by: correction) }
    }

    /// Puts the anchors that planes carry where those planes are now.
    ///
    /// An anchor whose plane is gone stays where it is, on the plane that it now lies on, if there is one: when planes are
    /// merged, the older one takes over what the younger one carried.
    mutating func followPlanes() {
        for place in anchors.indices {
            guard case .user(var anchor) = anchors[place], let support = anchor.support else { continue }
            if let plane = plane(support.plane) {
                anchor.worldFromAnchor = plane.worldFromAnchor * support.planeFromAnchor
            } else {
                anchor.support = planeBeneath(anchor.worldFromAnchor.translation).map {
                    UserAnchor.Support(of: anchor.worldFromAnchor, on: $0)
                }
            }
            anchors[place] = .user(anchor)
        }
    }

    /// The nearest plane to which a point belongs: inside its outline, within the 5 cm in which the drawing program
    /// draws objects onto a plane.
    private func planeBeneath(_ point: Point3) -> PlaneAnchor? {
        planes.compactMap { plane -> (height: Double, plane: PlaneAnchor)? in
            let inPlane = plane.worldFromAnchor.inverse * point
            guard abs(inPlane.y) <= 0.05, plane.boundaryContains(Point2(inPlane.x, inPlane.z)) else { return nil }
            return (abs(inPlane.y), plane)
        }.min { $0.height < $1.height }?.plane
    }

    /// What is different from the list that there was before.
    func changes(from before: AnchorList) -> AnchorChanges {
        var changes = AnchorChanges()
        changes.removed = before.anchors.map(\.identifier).filter { places[$0] == nil }
        for anchor in anchors {
            guard let known = before[anchor.identifier] else {
                changes.added.append(anchor.identifier)
                continue
            }
            if known != anchor { changes.updated.append(anchor.identifier) }
        }
        return changes
    }
}
