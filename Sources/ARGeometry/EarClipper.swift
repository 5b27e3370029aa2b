// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The state of a triangulation: linked loops of corners, joined to one for each connected piece, from which ears are cut.
///
/// The area lies to the left of every loop. A corner can occur in several nodes: both ends of a bridge do, and corners
/// where outlines touch.
struct EarClipper {
    let points: [Point2]
    var vertex: [Int]
    var next: [Int]
    var previous: [Int]

    /// The loops along the edges. Where several pass through a corner, each goes on along the edge that bounds the same
    /// inner angle, so that loops never cross, and outlines that touch become one loop. `nil` when that leaves edges
    /// over, which happens only where outlines cross in a corner.
    init?(_ outline: OutlineEdges) {
        points = outline.points
        vertex = outline.edges.map(\.from)
        next = [Int](repeating: 0, count: vertex.count)
        previous = next
        // Node i stands at the start of edge i; the edges are sorted by their starts.
        var leaving = [Range<Int>](repeating: 0..<0, count: points.count)
        for (node, corner) in vertex.enumerated() {
            leaving[corner] = leaving[corner].isEmpty ? node..<node + 1 : leaving[corner].lowerBound..<node + 1
        }
        for (node, edge) in outline.edges.enumerated() {
            var following = leaving[edge.to].lowerBound
            let (here, back) = (points[edge.to], points[edge.from])
            for candidate in leaving[edge.to].dropFirst() {
                let (current, other) = (points[outline.edges[following].to], points[outline.edges[candidate].to])
                if Self.isDirection(to: other, from: current, to: back, at: here) { following = candidate }
            }
            next[node] = following
            previous[following] = node
        }
        guard vertex.indices.allSatisfy({ previous[next[$0]] == $0 }) else { return nil }
    }

    func point(_ node: Int) -> Point2 { points[vertex[node]] }

    /// Positive where the loop turns left: the corner's inner angle is below 180°.
    func turn(_ node: Int) -> Double { orientation(point(previous[node]), point(node), point(next[node])) }

    /// Whether the direction from `here` to `target` lies in the angle from the direction to `first`, included,
    /// counter-clockwise to the direction to `last`, not included.
    static func isDirection(to target: Point2, from first: Point2, to last: Point2, at here: Point2) -> Bool {
        let opening = orientation(here, first, last)
        if opening > 0 { return orientation(here, first, target) >= 0 && orientation(here, target, last) > 0 }
        if opening < 0 { return !(orientation(here, last, target) >= 0 && orientation(here, target, first) > 0) }
        let side = orientation(here, first, target)
        return side > 0 || (side == 0 && (first - here).dot(target - here) > 0)
    }

    mutating func link(_ a: Int, _ b: Int) {
        next[a] = b
        previous[b] = a
    }

    /// A second node for the corner of `original`.
    mutating func addNode(like original: Int) -> Int {
        vertex.append(vertex[original])
        next.append(next.count)
        previous.append(previous.count)
        return vertex.count - 1
    }

    /// The nodes of the loop through `start`.
    func nodes(from start: Int) -> [Int] {
        var nodes = [start]
        while let last = nodes.last, next[last] != start { nodes.append(next[last]) }
        return nodes
    }

    /// One node of each loop: the leftmost, the lowest of those above each other, and of those in the same place one
    /// that does not turn left, so that the turn tells whether the loop surrounds a hole.
    func loops() -> [Int] {
        var isVisited = [Bool](repeating: false, count: vertex.count)
        var loops: [Int] = []
        for start in vertex.indices where !isVisited[start] {
            let loop = nodes(from: start)
            for node in loop { isVisited[node] = true }
            let corner = loop.map(point).min { ($0.x, $0.y) < ($1.x, $1.y) }
            let leftmost = loop.filter { point($0) == corner }
            loops.append(leftmost.first { turn($0) < 0 } ?? leftmost[0])
        }
        return loops.sorted { (point($0).x, point($0).y, $0) < (point($1).x, point($1).y, $1) }
    }
}
