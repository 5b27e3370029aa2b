// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Where a ray crosses a plane anchor's plane.
struct PlaneCrossing {
    let plane: PlaneAnchor
    /// The crossing in the anchor's x and z.
    let point: Point2
    /// Metres along the ray.
    let distance: Double

    /// The crossing with the anchor's axes.
    var anchorFromHit: RigidTransform { RigidTransform(translation: Point3(point.x, 0, point.y)) }

    /// The crossing in the world, with the anchor's axes.
    var worldFromHit: RigidTransform { plane.worldFromAnchor * anchorFromHit }

    /// The crossing, or `nil` for a ray along the plane or away from it.
    init?(of ray: Ray, with plane: PlaneAnchor) {
        let anchorFromWorld = plane.worldFromAnchor.inverse
        let origin = anchorFromWorld * ray.origin
        let direction = anchorFromWorld.rotation * ray.direction
        guard abs(direction.y) > 1e-12 else { return nil }
        let distance = -origin.y / direction.y
        guard distance >= 0, distance.isFinite else { return nil }
        self.plane = plane
        self.point = Point2(origin.x + distance * direction.x, origin.z + distance * direction.z)
        // Minus zero, where the ray starts on the plane, becomes zero.
        self.distance = distance + 0
    }
}

extension Array where Element == PlaneCrossing {
    /// Nearest first; equal distances in the order of the anchors' identifiers, so that the order never wavers.
    var nearestFirst: [PlaneCrossing] {
        sorted { a, b in
            a.distance != b.distance
                ? a.distance < b.distance : a.plane.identifier.uuidString < b.plane.identifier.uuidString
        }
    }
}
