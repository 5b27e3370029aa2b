// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension EarClipper {
    /// Joins a hole, given by its leftmost node, to one of the other loops by a pair of opposite edges; false when none
    /// of their corners is seen from it, which happens only when the hole does not lie inside.
    ///
    /// Holes are joined from left to right: the segment to a corner further left cannot meet holes still to come.
    /// - Parameter others: the nodes of all loops that are joined already; the new nodes are appended.
    mutating func bridge(hole: Int, to others: inout [Int]) -> Bool {
        let target = point(hole)
        var candidates = others.filter { (point($0).x, point($0).y) < (target.x, target.y) }
        // Mostly the nearest corner is seen: looking for it again is faster than sorting.
        while let nearest = candidates.indices.min(by: { isNearer(candidates[$0], candidates[$1], to: target) }) {
            let node = candidates[nearest]
            if isVisible(hole, from: node, in: others) {
                others += nodes(from: hole)
                others += splice(hole: hole, into: node)
                return true
            }
            candidates.swapAt(nearest, candidates.count - 1)
            candidates.removeLast()
        }
        return false
    }

    private func isNearer(_ a: Int, _ b: Int, to target: Point2) -> Bool {
        ((point(a) - target).squaredLength, a) < ((point(b) - target).squaredLength, b)
    }

    private func isVisible(_ hole: Int, from node: Int, in others: [Int]) -> Bool {
        let (from, to) = (point(node), point(hole))
        let (before, after) = (point(previous[node]), point(next[node]))
        guard Self.isDirection(to: to, from: after, to: before, at: from) else { return false }
        let sight = Segment2(from, to)
        return others.allSatisfy { edge in
            let (start, end) = (point(edge), point(next[edge]))
            if start == from { return !sight.contains(end) }
            if end == from { return !sight.contains(start) }
            return !sight.intersects(Segment2(start, end))
        }
    }

    /// Leads the loop from `node` over the bridge, around the hole and back; the two nodes that this adds.
    private mutating func splice(hole: Int, into node: Int) -> [Int] {
        let (after, holeEnd) = (next[node], previous[hole])
        let (holeAgain, nodeAgain) = (addNode(like: hole), addNode(like: node))
        link(node, hole)
        link(holeEnd, holeAgain)
        link(holeAgain, nodeAgain)
        link(nodeAgain, after)
        return [holeAgain, nodeAgain]
    }
}
