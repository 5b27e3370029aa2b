// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The directed edges that bound a polygon with holes, with the area to their left, brought to a form in which outlines
/// meet in corners only and no edge runs along another.
struct OutlineEdges {
    /// One edge, as indices of its ends.
    struct Edge: Hashable {
        var from: Int
        var to: Int
    }

    let points: [Point2]
    private(set) var edges: [Edge] = []

    /// The edges from corner to corner.
    var segments: [Segment2] { edges.map { Segment2(points[$0.from], points[$0.to]) } }

    /// The edges of the rings; `nil` when edges cross or run along each other in the same direction.
    init?(_ polygon: PolygonWithHoles) {
        points = polygon.vertices
        let first = Self.firstInSamePlace(points)
        var start = 0
        for (number, ring) in polygon.rings.enumerated() {
            let corners = (start..<start + ring.vertices.count).map { first[$0] }
            start += corners.count
            let isLeft = (ring.signedArea > 0) == (number == 0)
            for (a, b) in zip(corners, corners.dropFirst() + corners.prefix(1)) where a != b {
                edges.append(isLeft ? Edge(from: a, to: b) : Edge(from: b, to: a))
            }
        }
        guard splitAtTouchingCorners() else { return nil }
        guard cancelOppositeEdges() else { return nil }
    }

    /// For each point the smallest index of a point in the same place.
    private static func firstInSamePlace(_ points: [Point2]) -> [Int] {
        var first = [Int](points.indices)
        let sorted = points.indices.sorted { (points[$0].x, points[$0].y, $0) < (points[$1].x, points[$1].y, $1) }
        for (earlier, later) in zip(sorted, sorted.dropFirst()) where points[earlier] == points[later] {
            first[later] = first[earlier]
        }
        return first
    }

    /// Divides edges where a corner lies on them; false when two edges cross.
    private mutating func splitAtTouchingCorners() -> Bool {
        let segments = segments
        var touching: [(edge: Int, corner: Int)] = []
        let noneCross = SegmentGrid(segments).allPairsSatisfy { a, b in
            var touches = false
            for (edge, other) in [(a, b), (b, a)] {
                for corner in [edges[other].from, edges[other].to] {
                    if corner == edges[edge].from || corner == edges[edge].to {
                        touches = true
                    } else if segments[edge].contains(points[corner]) {
                        touches = true
                        touching.append((edge, corner))
                    }
                }
            }
            return touches || !segments[a].intersects(segments[b])
        }
        guard noneCross else { return false }
        // Along an edge both coordinates run one way, so that they order corners exactly.
        touching.sort { a, b in
            let direction = segments[a.edge].end - segments[a.edge].start
            let signs = Vector2(direction.x < 0 ? -1 : 1, direction.y < 0 ? -1 : 1)
            let (p, q) = (signs * points[a.corner], signs * points[b.corner])
            return (a.edge, p.x, p.y) < (b.edge, q.x, q.y)
        }
        var remainders = edges
        for (place, item) in touching.enumerated() {
            if place > 0, touching[place - 1] == item { continue }
            edges.append(Edge(from: remainders[item.edge].from, to: item.corner))
            remainders[item.edge].from = item.corner
        }
        for item in touching { edges[item.edge] = remainders[item.edge] }
        return true
    }

    /// Removes pairs of edges that run along each other in opposite directions: nothing lies between them; false when
    /// an edge remains more than once.
    private mutating func cancelOppositeEdges() -> Bool {
        edges.sort {
            (min($0.from, $0.to), max($0.from, $0.to), $0.from) < (min($1.from, $1.to), max($1.from, $1.to), $1.from)
        }
        var kept: [Edge] = []
        kept.reserveCapacity(edges.count)
        for edge in edges {
            if kept.last == Edge(from: edge.to, to: edge.from) {
                kept.removeLast()
            } else if kept.last == edge {
                return false
            } else {
                kept.append(edge)
            }
        }
        edges = kept.sorted { ($0.from, $0.to) < ($1.from, $1.to) }
        return true
    }
}
