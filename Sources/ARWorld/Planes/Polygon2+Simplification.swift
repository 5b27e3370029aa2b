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
    /// first. What it encloses grows. A corner stays where the chord past it would meet the outline, so that a simple
    /// outline stays simple.
    func withoutDents(shallowerThan limit: Double) -> Polygon2 {
        var corners = vertices
        let turn: Double = winding == .clockwise ? -1 : 1
        func chord(past index: Int) -> Segment2 {
            Segment2(corners[(index + corners.count - 1) % corners.count], corners[(index + 1) % corners.count])
        }
        func depth(_ index: Int) -> Double? {
            let chord = chord(past: index)
            let side = turn * (chord.end - chord.start).cross(corners[index] - chord.start)
            return side > 0 ? chord.distance(to: corners[index]) : nil
        }
        /// Whether the chord meets no edge but those that end in its ends or in the corner, and of the former, none
        /// runs back along it.
        func isFree(_ index: Int) -> Bool {
            let (chord, count) = (chord(past: index), corners.count)
            return (2..<count - 2).allSatisfy { step in
                let edge = Segment2(corners[(index + step) % count], corners[(index + step + 1) % count])
                return !chord.intersects(edge)
            } && !chord.contains(corners[(index + 2) % count]) && !chord.contains(corners[(index + count - 2) % count])
        }
        while corners.count > 3 {
            let depths = corners.indices.compactMap { index in depth(index).map { (depth: $0, index: index) } }
            let shallow = depths.filter { $0.depth < limit }.sorted { ($0.depth, $0.index) < ($1.depth, $1.index) }
            guard let next = shallow.first(where: { isFree($0.index) }) else { break }
            corners.remove(at: next.index)
        }
        return Polygon2(corners)
    }
}
