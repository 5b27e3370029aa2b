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
        let candidates = others.filter { (point($0).x, point($0).y) < (target.x, target.y) }
            .map { (node: $0, distance: (point($0) - target).squaredLength) }
            .sorted { ($0.distance, $0.node) < ($1.distance, $1.node) }
        guard let node = candidates.first(where: { isVisible(hole, from: $0.node, in: others) })?.node else {
            return false
        }
        others += nodes(from: hole)
        others += splice(hole: hole, into: node)
        return true
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
