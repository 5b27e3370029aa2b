// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A box along the axes: the points with `minimum ≤ point ≤ maximum` in every component.
public struct AxisAlignedBox: Hashable, Sendable {
    /// The corner with the smallest coordinates.
    public var minimum: Point3
    /// The corner with the largest coordinates.
    public var maximum: Point3

    /// The box between two corners. `minimum` may not exceed `maximum` in any component.
    @inlinable public init(minimum: Point3, maximum: Point3) {
        precondition(all(minimum .<= maximum), "a box needs minimum ≤ maximum, not \(minimum) and \(maximum)")
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The smallest box that holds all points, or `nil` when there are none or a coordinate is NaN.
    public init?(containing points: some Sequence<Point3>) {
        var bounds: (minimum: Point3, maximum: Point3)?
        for point in points {
            guard all(point .== point) else { return nil }
            bounds = (
                pointwiseMin(bounds?.minimum ?? point, point), pointwiseMax(bounds?.maximum ?? point, point)
            )
        }
        guard let bounds else { return nil }
        self.init(minimum: bounds.minimum, maximum: bounds.maximum)
    }

    /// The point in the middle.
    @inlinable public var center: Point3 { 0.5 * (minimum + maximum) }

    /// The lengths of the edges.
    @inlinable public var size: Vector3 { maximum - minimum }

    /// Whether the point lies inside or on the boundary.
    @inlinable public func contains(_ point: Point3) -> Bool { all(point .>= minimum) && all(point .<= maximum) }

    /// The nearest point of the box: the point itself when it lies inside.
    @inlinable public func closestPoint(to point: Point3) -> Point3 {
        pointwiseMin(pointwiseMax(point, minimum), maximum)
    }

    /// The eight corners; bit 0 of the index selects the larger x, bit 1 the larger y, bit 2 the larger z.
    public var corners: [Point3] {
        (0..<8).map { index in
            Point3(
                index & 1 == 0 ? minimum.x : maximum.x,
                index & 2 == 0 ? minimum.y : maximum.y,
                index & 4 == 0 ? minimum.z : maximum.z)
        }
    }
}
