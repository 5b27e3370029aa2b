// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The points with `normal · point = offset`: an infinite plane with a front side.
public struct Plane: Hashable, Sendable {
    /// The unit normal, which points to the front.
    public let normal: Vector3
    /// The origin's signed distance to the plane, negated: how far the plane lies along its normal.
    public let offset: Double

    /// Wraps a normal that is known to have length one.
    @inlinable public init(unitNormal: Vector3, offset: Double) {
        normal = unitNormal
        self.offset = offset
    }

    /// The plane through a point, at a right angle to `normal` of any length; `nil` for a normal without direction.
    @inlinable public init?(normal: Vector3, through point: Point3) {
        guard let unit = normal.normalized() else { return nil }
        self.init(unitNormal: unit, offset: unit.dot(point))
    }

    /// The plane through three points, in front where they are seen counter-clockwise; `nil` when they lie on a line, up
    /// to the last digits. Law: `SingularityTests.pointsOfALineHaveNoPlane`.
    @inlinable public init?(through a: Point3, _ b: Point3, _ c: Point3) {
        guard let first = (b - a).normalized(), let second = (c - a).normalized() else { return nil }
        let normal = first.cross(second)
        // The directions are rounded: a smaller sine of the angle between them is noise.
        guard normal.length > 1e-15 else { return nil }
        self.init(normal: normal, through: a)
    }

    /// The plane of a plane anchor's X and Z axes, with its +Y as normal.
    @inlinable public init(worldFromPlane: RigidTransform) {
        let normal = worldFromPlane.rotation * Vector3(0, 1, 0)
        self.init(unitNormal: normal, offset: normal.dot(worldFromPlane.translation))
    }

    /// The same points with front and back exchanged.
    @inlinable public var flipped: Plane { Plane(unitNormal: -normal, offset: -offset) }

    /// How far the point lies in front of the plane; negative behind it.
    @inlinable public func signedDistance(to point: Point3) -> Double { normal.dot(point) - offset }

    /// The nearest point on the plane.
    @inlinable public func projection(of point: Point3) -> Point3 { point - signedDistance(to: point) * normal }

    /// The plane in the target's coordinates.
    ///
    /// Law: signed distances do not change, `PlaneTests.rigidTransformKeepsDistances`.
    @inlinable public static func * (targetFromSource: RigidTransform, plane: Plane) -> Plane {
        let normal = targetFromSource.rotation * plane.normal
        return Plane(unitNormal: normal, offset: plane.offset + normal.dot(targetFromSource.translation))
    }
}
