// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

// Where a ray meets a plane, a triangle, a box. Distances are measured from the ray's origin and are never negative:
// what lies behind the origin is not hit.

extension Ray {
    /// The distance to the plane, from either side, or `nil` when the ray is parallel to it or points away.
    ///
    /// t = (offset − normal·origin) / (normal·direction). A ray that lies in the plane has no single hit: `nil`.
    @inlinable public func distance(to plane: Plane) -> Double? {
        let approach = plane.normal.dot(direction)
        guard approach != 0 else { return nil }
        let distance = -plane.signedDistance(to: origin) / approach
        return distance >= 0 && distance.isFinite ? distance : nil
    }

    /// The point where the ray meets the plane, or `nil` when it is parallel to it or points away.
    @inlinable public func intersection(with plane: Plane) -> Point3? { distance(to: plane).map(point(at:)) }
}

/// Where a ray meets a triangle.
public struct TriangleHit: Hashable, Sendable {
    /// The distance from the ray's origin.
    public var distance: Double
    /// The weights of the three corners: not negative, with sum one.
    public var barycentrics: Vector3
    /// Whether the side was hit from which the corners are seen counter-clockwise.
    public var isFrontFace: Bool

    /// A hit with these values.
    @inlinable public init(distance: Double, barycentrics: Vector3, isFrontFace: Bool) {
        self.distance = distance
        self.barycentrics = barycentrics
        self.isFrontFace = isFrontFace
    }
}

extension Ray {
    /// Where the ray meets the triangle a b c from either side, edges and corners included; `nil` for a miss, for a
    /// triangle seen edge-on and for one without area.
    ///
    /// Watertight: a ray that crosses the common edge of two triangles hits at least one of them. The corners are
    /// sheared so that the ray becomes an axis, where the signs of three 2-D edge functions decide; a common edge gives
    /// both triangles the same products.
    /// - Reference: Woop, Benthin, Wald 2013, "Watertight Ray/Triangle Intersection", JCGT 2(1).
    ///   Law: `RayIntersectionTests.trianglesAreWatertight`.
    @inlinable public func intersection(withTriangle a: Point3, _ b: Point3, _ c: Point3) -> TriangleHit? {
        let (kx, ky, kz) = shearAxes
        let shear = Vector3(direction[kx], direction[ky], 1) / direction[kz]
        let pa = a - origin
        let pb = b - origin
        let pc = c - origin
        let ax = pa[kx] - shear.x * pa[kz]
        let ay = pa[ky] - shear.y * pa[kz]
        let bx = pb[kx] - shear.x * pb[kz]
        let by = pb[ky] - shear.y * pb[kz]
        let cx = pc[kx] - shear.x * pc[kz]
        let cy = pc[ky] - shear.y * pc[kz]
        let u = cx * by - cy * bx
        let v = ax * cy - ay * cx
        let w = bx * ay - by * ax
        guard (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0) else { return nil }
        let determinant = u + v + w
        guard determinant != 0 else { return nil }
        let weights = Vector3(u, v, w) / determinant
        let distance = shear.z * (weights.x * pa[kz] + weights.y * pb[kz] + weights.z * pc[kz])
        guard distance >= 0, distance.isFinite else { return nil }
        return TriangleHit(distance: distance, barycentrics: weights, isFrontFace: determinant > 0)
    }

    /// The axis along which the ray runs most, last, and the two others, in the order that keeps the handedness.
    @usableFromInline var shearAxes: (Int, Int, Int) {
        let (x, y, z) = (abs(direction.x), abs(direction.y), abs(direction.z))
        let kz = x >= y && x >= z ? 0 : y >= z ? 1 : 2
        let (kx, ky) = ((kz + 1) % 3, (kz + 2) % 3)
        return direction[kz] < 0 ? (ky, kx, kz) : (kx, ky, kz)
    }
}

extension Ray {
    /// The distances between which the ray is inside the box, boundary included, or `nil` when it misses.
    ///
    /// A ray that starts inside enters at 0. The slab method: the box is the intersection of three slabs; a ray parallel
    /// to a slab is inside it always or never.
    /// - Reference: Kay, Kajiya 1986, "Ray Tracing Complex Scenes". Law: `RayIntersectionTests.boxesAreTwelveTriangles`.
    @inlinable public func distances(through box: AxisAlignedBox) -> ClosedRange<Double>? {
        var entry = 0.0
        var exit = Double.infinity
        for axis in 0..<3 {
            if direction[axis] == 0 {
                guard box.minimum[axis] <= origin[axis], origin[axis] <= box.maximum[axis] else { return nil }
                continue
            }
            let toMinimum = (box.minimum[axis] - origin[axis]) / direction[axis]
            let toMaximum = (box.maximum[axis] - origin[axis]) / direction[axis]
            let (nearer, farther) = (min(toMinimum, toMaximum), max(toMinimum, toMaximum))
            // NaN is not in order with anything.
            guard nearer <= farther else { return nil }
            entry = max(entry, nearer)
            exit = min(exit, farther)
        }
        return entry <= exit ? entry...exit : nil
    }

    /// The distances between which the ray is inside the box, boundary included, or `nil` when it misses.
    @inlinable public func distances(through box: OrientedBox) -> ClosedRange<Double>? {
        (box.worldFromBox.inverse * self).distances(through: box.inOwnFrame)
    }
}
