// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A polygon in a plane: its corners in order, the last joined to the first.
///
/// Areas are positive for corners that run counter-clockwise where x points right and y up. A plane anchor's x and z
/// are mirrored to that: seen against the normal, a polygon in (x, z) that looks counter-clockwise has a negative area.
public struct Polygon2: Hashable, Sendable {
    /// The corners, in order.
    public var vertices: [Point2]

    /// The polygon with these corners. Any number is allowed; fewer than three enclose nothing.
    @inlinable public init(_ vertices: [Point2]) { self.vertices = vertices }

    /// The edges, each from one corner to the next.
    @inlinable public var edges: Edges { Edges(vertices: vertices) }

    /// Half the sum of the edges' cross products: positive when counter-clockwise.
    ///
    /// Coordinates are taken from the first corner, so that a small polygon far from the origin keeps its digits.
    public var signedArea: Double {
        guard let origin = vertices.first else { return 0 }
        return edges.reduce(0) { $0 + ($1.start - origin).cross($1.end - origin) } / 2
    }

    /// The enclosed area, whatever the winding.
    @inlinable public var area: Double { abs(signedArea) }

    /// Which way a polygon's corners run.
    public enum Winding: Hashable, Sendable {
        /// With the area to the left.
        case counterClockwise
        /// With the area to the right.
        case clockwise
    }

    /// Which way the corners run, or `nil` when the area is zero.
    public var winding: Winding? {
        let area = signedArea
        return area > 0 ? .counterClockwise : area < 0 ? .clockwise : nil
    }

    /// The same corners in reverse.
    public var reversed: Polygon2 { Polygon2(vertices.reversed()) }

    /// The polygon, reversed where necessary so that it runs counter-clockwise.
    public var counterClockwise: Polygon2 { signedArea < 0 ? reversed : self }

    /// The length of the outline.
    public var perimeter: Double { edges.reduce(0) { $0 + ($1.end - $1.start).length } }

    /// The area's centre of mass, or `nil` when the area is zero.
    public var centroid: Point2? {
        guard let origin = vertices.first else { return nil }
        var moment = Vector2.zero
        var doubleArea = 0.0
        for edge in edges {
            let (a, b) = (edge.start - origin, edge.end - origin)
            let cross = a.cross(b)
            moment += cross * (a + b)
            doubleArea += cross
        }
        guard doubleArea != 0, doubleArea.isFinite else { return nil }
        return origin + moment / (3 * doubleArea)
    }

    /// Whether the point lies inside or on the outline.
    ///
    /// Corners and edges belong to the polygon, exactly: decided by ``orientation(_:_:_:)``. Where the outline crosses
    /// itself, the even–odd rule decides.
    /// - Reference: Hormann, Agathos 2001, "The point in polygon problem for arbitrary polygons".
    ///   Law: `Polygon2Tests.containmentAgreesWithTriangles`.
    public func contains(_ point: Point2) -> Bool {
        var isInside = false
        for edge in edges {
            let (a, b) = (edge.start, edge.end)
            if edge.contains(point) { return true }
            guard (a.y > point.y) != (b.y > point.y) else { continue }
            let (lower, upper) = a.y < b.y ? (a, b) : (b, a)
            if orientation(lower, upper, point) > 0 { isInside.toggle() }
        }
        return isInside
    }
}

/// A straight piece of a line between two points.
public struct Segment2: Hashable, Sendable {
    /// Where it starts.
    public var start: Point2
    /// Where it ends.
    public var end: Point2

    /// The segment between two points.
    @inlinable public init(_ start: Point2, _ end: Point2) {
        self.start = start
        self.end = end
    }

    /// Whether the point lies on the segment, ends included: exactly.
    @inlinable public func contains(_ point: Point2) -> Bool {
        isInBounds(point) && orientation(start, end, point) == 0
    }

    /// Whether the segments have a point in common, ends included: exactly.
    @inlinable public func intersects(_ other: Segment2) -> Bool {
        if contains(other.start) || contains(other.end) || other.contains(start) || other.contains(end) { return true }
        return (orientation(start, end, other.start) > 0) != (orientation(start, end, other.end) > 0)
            && (orientation(other.start, other.end, start) > 0) != (orientation(other.start, other.end, end) > 0)
    }

    /// The distance from the point to the nearest point of the segment.
    @inlinable public func distance(to point: Point2) -> Double {
        let along = end - start
        let squaredLength = along.squaredLength
        guard squaredLength > 0 else { return (point - start).length }
        let fraction = min(1, max(0, (point - start).dot(along) / squaredLength))
        return (point - start - fraction * along).length
    }

    @inlinable func isInBounds(_ point: Point2) -> Bool {
        min(start.x, end.x) <= point.x && point.x <= max(start.x, end.x)
            && min(start.y, end.y) <= point.y && point.y <= max(start.y, end.y)
    }
}

extension Polygon2 {
    /// The edges of a polygon, each from one corner to the next, the last back to the first.
    public struct Edges: RandomAccessCollection, Sendable {
        @usableFromInline let vertices: [Point2]

        @inlinable init(vertices: [Point2]) { self.vertices = vertices }

        @inlinable public var startIndex: Int { 0 }
        @inlinable public var endIndex: Int { vertices.count }

        @inlinable public subscript(position: Int) -> Segment2 {
            Segment2(vertices[position], vertices[position + 1 == vertices.count ? 0 : position + 1])
        }
    }
}
