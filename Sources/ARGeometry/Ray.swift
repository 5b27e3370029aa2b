// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A half-line: from an origin along a unit direction.
///
/// Parameters along a ray are distances in the unit of its coordinates, because the direction has length one.
public struct Ray: Hashable, Sendable {
    /// Where the ray starts.
    public let origin: Point3
    /// The unit direction.
    public let direction: Vector3

    /// The ray along `direction`, whatever its length, or `nil` when it has none (zero, infinite or NaN).
    @inlinable public init?(origin: Point3, direction: Vector3) {
        guard let unit = direction.normalized() else { return nil }
        self.init(origin: origin, unitDirection: unit)
    }

    /// The ray from `origin` through `target`, or `nil` when both are the same point.
    @inlinable public init?(from origin: Point3, through target: Point3) {
        self.init(origin: origin, direction: target - origin)
    }

    /// Wraps a direction that is known to have length one.
    @inlinable public init(origin: Point3, unitDirection: Vector3) {
        self.origin = origin
        self.direction = unitDirection
    }

    /// The point at that distance from the origin.
    @inlinable public func point(at distance: Double) -> Point3 { origin + distance * direction }

    /// The distance from `point` to the nearest point of the ray; behind the origin, that is the origin.
    @inlinable public func distance(to point: Point3) -> Double {
        let along = max(0, (point - origin).dot(direction))
        return (point - self.point(at: along)).length
    }

    /// The ray in the target's coordinates: distances along it stay.
    @inlinable public static func * (targetFromSource: RigidTransform, ray: Ray) -> Ray {
        Ray(origin: targetFromSource * ray.origin, unitDirection: targetFromSource.rotation * ray.direction)
    }
}
