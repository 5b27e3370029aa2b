// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A polygon with holes cut out of it.
public struct PolygonWithHoles: Hashable, Sendable {
    /// The outline. Either winding is accepted.
    public var outer: Polygon2
    /// The holes' outlines, inside the outer one, none inside another. Either winding is accepted.
    public var holes: [Polygon2]

    /// The polygon `outer` without the insides of `holes`.
    public init(outer: Polygon2, holes: [Polygon2] = []) {
        self.outer = outer
        self.holes = holes
    }

    /// The outer outline, then the holes.
    public var rings: [Polygon2] { [outer] + holes }

    /// The corners of all ``rings``, in order: what the indices of ``triangulation()`` count.
    public var vertices: [Point2] { rings.flatMap(\.vertices) }

    /// The enclosed area, without the holes.
    public var area: Double { holes.reduce(outer.area) { $0 - $1.area } }

    /// Whether the point lies inside or on an outline: the edges of the holes belong to the polygon.
    public func contains(_ point: Point2) -> Bool {
        outer.contains(point)
            && holes.allSatisfy { hole in
                !hole.contains(point) || hole.edges.contains { $0.contains(point) }
            }
    }

    /// Whether no outline crosses or touches itself or another one, all holes lie inside the outer outline, and none
    /// inside another. Exact.
    ///
    /// - Complexity: see ``DisjointRings`` for the outlines, and O(h n) for h holes.
    public var isSimple: Bool {
        guard Polygon2.areSimpleAndDisjoint(rings) else { return false }
        return holes.indices.allSatisfy { index in
            let corner = holes[index].vertices[0]
            return outer.contains(corner)
                && !holes.indices.contains { $0 != index && holes[$0].contains(corner) }
        }
    }
}
