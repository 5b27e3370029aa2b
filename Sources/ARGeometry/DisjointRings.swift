// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The area to the left of rings that touch neither themselves nor each other, and triangles that fill it.
///
/// Where rings come from a polygon library in any number and nesting, this is the form that prisms and triangulations
/// need: outer rings run counter-clockwise, holes clockwise, in any order.
public struct DisjointRings: Sendable {
    /// The corners of all rings, one ring after the other.
    public let vertices: [Point2]
    /// For each corner the next one of its ring.
    public let following: [Int32]

    /// The area to the left of these rings; `nil` where one has fewer than three corners or touches itself or another,
    /// or where a coordinate is not finite. Exact.
    ///
    /// - Complexity: O(n) for n edges of about the same length.
    public init?(_ rings: [Polygon2]) {
        guard rings.allSatisfy({ $0.vertices.count >= 3 }) else { return nil }
        let vertices = rings.flatMap(\.vertices)
        guard vertices.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        var following: [Int32] = []
        following.reserveCapacity(vertices.count)
        for ring in rings {
            let first = Int32(following.count)
            for index in 1..<Int32(ring.vertices.count) { following.append(first + index) }
            following.append(first)
        }
        let edges = vertices.indices.map { Segment2(vertices[$0], vertices[Int(following[$0])]) }
        let areDisjoint = SegmentGrid(edges).allPairsSatisfy { a, b in
            if Int(following[a]) == b { return edges[a].continuesWithoutTurningBack(into: edges[b]) }
            if Int(following[b]) == a { return edges[b].continuesWithoutTurningBack(into: edges[a]) }
            return !edges[a].intersects(edges[b])
        }
        // A ring's edges may lie in cells of their own: whether they have a length is asked of each.
        guard areDisjoint, edges.allSatisfy({ $0.start != $0.end }) else { return nil }
        (self.vertices, self.following) = (vertices, following)
    }

    /// Triangles that fill the area, counter-clockwise, as indices into ``vertices``; `nil` when a hole lies in no area.
    ///
    /// Every corner is used, none is added, no triangle has zero area, and the triangles are as round as the outline
    /// allows (constrained Delaunay). Law: `DisjointRingsTests.trianglesFillTheArea`.
    /// - Complexity: O(n log n), but for the exchange of diagonals, which is O(n) as a rule.
    public func triangulation() -> [TriangleIndices]? {
        guard var triangles = SweepTriangulation.triangles(of: vertices, following: following) else { return nil }
        EdgeFlips.improve(&triangles, vertices)
        return triangles
    }
}

extension Segment2 {
    /// Whether the segment that starts at this one's end has nothing else in common with it.
    fileprivate func continuesWithoutTurningBack(into next: Segment2) -> Bool {
        guard start != end, next.start != next.end else { return false }
        return orientation(start, end, next.end) != 0 || (start - end).dot(next.end - end) < 0
    }
}
