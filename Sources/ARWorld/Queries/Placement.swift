// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Where the drawing program puts a thing that the user drags on the screen.
public struct Placement: Hashable, Sendable {
    /// What the place was found on.
    public enum Source: String, Hashable, Sendable {
        /// A plane anchor, inside its extent.
        case existingPlane
        /// The level plane through the thing's own place, without regard to the real world.
        case infinitePlane
        /// A feature point in the cone in which they are trusted.
        case featureInCone
        /// The feature point nearest to the ray.
        case anyFeature
    }

    /// The place in the world.
    public var position: Point3
    /// What it was found on.
    public var source: Source
    /// The plane, where it was found on one that exists.
    public var plane: PlaneAnchor?
}

extension WorldSnapshot {
    /// How far down a ray must lead, as its direction's y, to meet an infinite plane: flatter ones would put things out of
    /// sight.
    public static let greatestSlopeTowardsInfinitePlane = -0.03

    /// Where a thing that is dragged to a point of the screen goes, in the steps of the drawing program
    /// (`worldPositionFromScreenPosition`):
    ///
    /// 1. the nearest existing plane, inside its extent;
    /// 2. the first feature point in ``FeatureSearch/Cone/drawing``, unless step 3 applies;
    /// 3. the infinite level plane through the thing's own place, if the thing prefers it or step 2 found nothing;
    /// 4. any feature point.
    ///
    /// - Parameters:
    ///   - position: where the thing is now; without it, step 3 is left out.
    ///   - prefersInfinitePlane: whether step 3 comes before step 2.
    public func placement(
        at point: ViewPoint, in viewport: Viewport, ofThingAt position: Point3? = nil,
        prefersInfinitePlane: Bool = false
    ) -> Placement? {
        guard frame.trackingState == .normal, let ray = ray(through: point, in: viewport) else { return nil }
        if let hit = hitTest(ray, types: .existingPlaneUsingExtent).first {
            return Placement(position: hit.worldFromHit.translation, source: .existingPlane, plane: hit.anchor)
        }
        let features = FeatureSearch(frame.featurePoints)
        let trusted = features.results(along: ray, in: .drawing).first
        if prefersInfinitePlane || trusted == nil, let position,
            let dragged = Self.infinitePlaneHit(ray, through: position)
        {
            return Placement(position: dragged, source: .infinitePlane)
        }
        if let trusted { return Placement(position: trusted.position, source: .featureInCone) }
        return features.nearest(to: ray).map { Placement(position: $0.position, source: .anyFeature) }
    }

    /// Where the ray meets the level plane through a point; `nil` for a ray that is flatter than
    /// ``greatestSlopeTowardsInfinitePlane`` or leads up, and for a plane above its origin.
    public static func infinitePlaneHit(_ ray: Ray, through point: Point3) -> Point3? {
        guard ray.direction.y <= greatestSlopeTowardsInfinitePlane else { return nil }
        return ray.intersection(with: Plane(unitNormal: Vector3(0, 1, 0), offset: point.y))
    }
}
