// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension Polygon2 {
    /// Whether the outline neither crosses nor touches itself: at least three corners, no two in the same place, no
    /// corner on an edge of others. Flat corners are allowed. Exact.
    ///
    /// - Complexity: O(n log n) as a rule; see ``PolygonWithHoles/isSimple``.
    public var isSimple: Bool { Self.areSimpleAndDisjoint([self]) }

    /// Whether all rings have three corners or more and none crosses or touches itself or another one. Exact.
    public static func areSimpleAndDisjoint(_ rings: [Polygon2]) -> Bool {
        guard rings.allSatisfy({ $0.vertices.count >= 3 }) else { return false }
        let edges = rings.flatMap(\.edges)
        var following: [Int] = []
        for ring in rings {
            let first = following.count
            following += first + 1..<first + ring.vertices.count
            following.append(first)
        }
        return EdgePairs(edges).allSatisfy { a, b in
            if following[a] == b { return edges[a].continuesWithoutTurningBack(into: edges[b]) }
            if following[b] == a { return edges[b].continuesWithoutTurningBack(into: edges[a]) }
            return !edges[a].intersects(edges[b])
        }
    }
}

extension Segment2 {
    /// Whether the segment that starts at this one's end has nothing else in common with it.
    fileprivate func continuesWithoutTurningBack(into next: Segment2) -> Bool {
        guard start != end, next.start != next.end else { return false }
        return orientation(start, end, next.end) != 0 || (start - end).dot(next.end - end) < 0
    }
}
