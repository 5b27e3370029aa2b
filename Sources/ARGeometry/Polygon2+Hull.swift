// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension Polygon2 {
    /// The smallest convex polygon that holds all points, counter-clockwise from the lowest of the leftmost points,
    /// without collinear corners; fewer than three corners when the points lie on a line.
    ///
    /// Exact, because ``orientation(_:_:_:)`` is.
    /// - Reference: Andrew 1979, "Another efficient algorithm for convex hulls in two dimensions" (monotone chain).
    /// - Complexity: O(n log n).
    public init(convexHullOf points: [Point2]) {
        let sorted = points.sorted { ($0.x, $0.y) < ($1.x, $1.y) }
        let lower = Self.rightmostChain(sorted)
        let upper = Self.rightmostChain(sorted.reversed())
        self.init(lower.count < 2 ? lower : lower.dropLast() + upper.dropLast())
    }

    /// The polygon's convex hull.
    public var convexHull: Polygon2 { Polygon2(convexHullOf: vertices) }

    /// Whether all corners turn left, the outline goes around once and no corner is flat.
    public var isStrictlyConvex: Bool {
        let hull = convexHull.vertices
        guard hull.count == vertices.count, hull.count >= 3 else { return false }
        guard let first = vertices.firstIndex(of: hull[0]) else { return false }
        return vertices[first...].elementsEqual(hull.prefix(vertices.count - first))
            && vertices[..<first].elementsEqual(hull.suffix(first))
    }

    /// The chain of left turns along sorted points: half of the hull.
    private static func rightmostChain(_ sorted: [Point2]) -> [Point2] {
        var chain: [Point2] = []
        for point in sorted where point != chain.last {
            while chain.count >= 2, orientation(chain[chain.count - 2], chain[chain.count - 1], point) <= 0 {
                chain.removeLast()
            }
            chain.append(point)
        }
        return chain
    }
}

/// A rectangle in a plane, in any attitude.
public struct OrientedRectangle: Hashable, Sendable {
    /// The point in the middle.
    public var center: Point2
    /// The unit direction of the first pair of edges; the second pair runs along its ``SIMD2/perpendicular``.
    public var axis: Vector2
    /// Half the lengths of the edges along ``axis`` and across it.
    public var halfExtents: Vector2

    /// The rectangle with these values.
    public init(center: Point2, axis: Vector2, halfExtents: Vector2) {
        self.center = center
        self.axis = axis
        self.halfExtents = halfExtents
    }

    /// The area.
    public var area: Double { 4 * halfExtents.x * halfExtents.y }

    /// The corners, counter-clockwise.
    public var polygon: Polygon2 {
        let along = halfExtents.x * axis
        let across = halfExtents.y * axis.perpendicular
        return Polygon2([
            center - along - across, center + along - across, center + along + across, center - along + across,
        ])
    }
}

extension Polygon2 {
    /// The rectangle of least area that holds all corners, or `nil` when there is no hull with an area.
    ///
    /// One of its edges lies on an edge of the hull, so each hull edge is tried, and the corners that touch the three
    /// other sides advance around the hull once ("rotating calipers").
    /// - Reference: Freeman, Shapira 1975 (the edge); Toussaint 1983 (the calipers). Law: `Polygon2Tests.boundingRectangle`.
    /// - Complexity: O(n log n).
    public var minimumAreaBoundingRectangle: OrientedRectangle? {
        let hull = convexHull
        let corners = hull.vertices
        guard corners.count >= 3, let first = (corners[1] - corners[0]).normalized() else { return nil }
        let farthest = { (direction: Vector2) in
            corners.indices.max { direction.dot(corners[$0]) < direction.dot(corners[$1]) } ?? 0
        }
        let advance = { (corner: inout Int, direction: Vector2) in
            var next = (corner + 1) % corners.count
            while direction.dot(corners[next] - corners[corner]) > 0 {
                corner = next
                next = (next + 1) % corners.count
            }
        }
        var (rightmost, topmost, leftmost) = (farthest(first), farthest(first.perpendicular), farthest(-first))
        var smallest: OrientedRectangle?
        for edge in hull.edges {
            guard let axis = (edge.end - edge.start).normalized() else { continue }
            advance(&rightmost, axis)
            advance(&topmost, axis.perpendicular)
            advance(&leftmost, -axis)
            let right = axis.dot(corners[rightmost] - edge.start)
            let left = axis.dot(corners[leftmost] - edge.start)
            let height = axis.perpendicular.dot(corners[topmost] - edge.start)
            let candidate = OrientedRectangle(
                center: edge.start + 0.5 * (left + right) * axis + 0.5 * height * axis.perpendicular,
                axis: axis, halfExtents: Vector2(right - left, height) / 2)
            if candidate.area < smallest?.area ?? .infinity { smallest = candidate }
        }
        return smallest
    }
}
