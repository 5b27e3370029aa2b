// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Polygon2 {
    /// The outline with fewer corners: none of those that are left out lies farther aside than the tolerance.
    /// - Reference: Ramer 1972; Douglas, Peucker 1973.
    func simplified(tolerance: Double) -> Polygon2 {
        guard vertices.count > 4 else { return self }
        // The two ends of the outline's widest extent stay: the farthest corner from the first one, and the farthest
        // from that.
        func farthest(from corner: Int) -> Int {
            let distances = vertices.map { ($0 - vertices[corner]).squaredLength }
            return distances.indices.max { (distances[$0], -$0) < (distances[$1], -$1) } ?? 0
        }
        let (a, b) = (farthest(from: 0), farthest(from: farthest(from: 0)))
        let (first, second) = (min(a, b), max(a, b))
        let ring = Array(vertices[first...] + vertices[...first])
        var isKept = [Bool](repeating: false, count: ring.count)
        var open = [(0, second - first), (second - first, ring.count - 1)]
        while let (start, end) = open.popLast() {
            isKept[start] = true
            guard end > start + 1 else { continue }
            let chord = Segment2(ring[start], ring[end])
            let distances = (start + 1..<end).map { chord.distance(to: ring[$0]) }
            guard let farthest = distances.indices.max(by: { distances[$0] < distances[$1] }),
                distances[farthest] > tolerance
            else { continue }
            open += [(start, start + 1 + farthest), (start + 1 + farthest, end)]
        }
        return Polygon2(zip(ring, isKept).filter(\.1).map(\.0))
    }

    /// The outline without the corners that point inwards by less than a depth, taken away one by one, the shallowest
    /// first. What it encloses grows.
    func withoutDents(shallowerThan limit: Double) -> Polygon2 {
        var corners = vertices
        let turn: Double = winding == .clockwise ? -1 : 1
        func depth(_ index: Int) -> Double? {
            let count = corners.count
            let chord = Segment2(corners[(index + count - 1) % count], corners[(index + 1) % count])
            let side = turn * (chord.end - chord.start).cross(corners[index] - chord.start)
            return side > 0 ? chord.distance(to: corners[index]) : nil
        }
        while corners.count > 3 {
            let depths = corners.indices.compactMap { index in depth(index).map { (depth: $0, index: index) } }
            guard let shallowest = depths.min(by: { ($0.depth, $0.index) < ($1.depth, $1.index) }),
                shallowest.depth < limit
            else { break }
            corners.remove(at: shallowest.index)
        }
        return Polygon2(corners)
    }
}
