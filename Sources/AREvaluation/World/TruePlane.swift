// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth

/// A declared plane, made ready for comparisons.
struct TruePlane: Sendable {
    let declared: DeclaredPlane
    let plane: Plane
    let planeFromWorld: RigidTransform
    /// The outline in the plane's x and z.
    let outline: Polygon2
    let area: Double

    init(_ declared: DeclaredPlane) {
        self.declared = declared
        plane = Plane(worldFromPlane: declared.worldFromPlane)
        planeFromWorld = declared.worldFromPlane.inverse
        outline = Polygon2(declared.boundary)
        area = outline.area
    }

    /// The nearest place on the plane, in its x and z.
    func place(of pointInWorld: Point3) -> Point2 {
        let point = planeFromWorld * pointInWorld
        return Point2(point.x, point.z)
    }

    /// The point of the world at an x and z of the plane.
    func pointInWorld(_ place: Point2) -> Point3 { declared.worldFromPlane * Point3(place.x, 0, place.y) }

    /// Whether it is a part of a larger plane: most of it lies on that, and they are too close to be told from each other.
    func isPart(of other: TruePlane, _ options: WorldEvaluationOptions) -> Bool {
        guard area < other.area, plane.normal.angle(to: other.plane.normal) < options.leastPlaneTurn else {
            return false
        }
        let corners = declared.boundary.map(pointInWorld)
        return corners.allSatisfy { abs(other.plane.signedDistance(to: $0)) < options.leastPlaneDistance }
            && Polygon2(corners.map(other.place)).overlap(with: other.outline).area > 0.9 * area
    }

    /// How far along a ray the plane's outline is crossed, from either side; `nil` where it is not.
    func distance(along ray: Ray) -> Double? {
        guard let distance = ray.distance(to: plane), outline.contains(place(of: ray.point(at: distance))) else {
            return nil
        }
        return distance
    }

    /// How far along the way from a point, in fractions of it, the outline is crossed; `nil` where it is not.
    func crossing(from start: Point3, to end: Point3) -> Double? {
        let (before, after) = (plane.signedDistance(to: start), plane.signedDistance(to: end))
        guard (before > 0) != (after > 0) else { return nil }
        let fraction = before / (before - after)
        return outline.contains(place(of: start + fraction * (end - start))) ? fraction : nil
    }
}
