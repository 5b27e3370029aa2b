// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension EarClipper {
    /// Cuts the loop into triangles; `nil` when it has no ear left, which happens only where outlines cross.
    mutating func triangles(from start: Int) -> [TriangleIndices]? {
        var node = start
        let loop = nodes(from: node)
        let spoilers = CornerGrid(loop.filter { turn($0) <= 0 }.map { (node: $0, point: point($0)) })
        var isSpoiler = [Bool](repeating: false, count: vertex.count)
        for node in loop { isSpoiler[node] = turn(node) <= 0 }
        var triangles: [TriangleIndices] = []
        triangles.reserveCapacity(loop.count)
        var remaining = loop.count
        var rejected = 0
        while remaining > 2 {
            guard rejected <= remaining else { return nil }
            guard !isSpoiler[node], isEar(node, spoilers, isSpoiler) else {
                rejected += 1
                node = next[node]
                continue
            }
            let (before, after) = (previous[node], next[node])
            triangles.append(
                TriangleIndices(Int32(vertex[before]), Int32(vertex[node]), Int32(vertex[after])))
            link(before, after)
            remaining -= 1
            rejected = 0
            for neighbor in [before, after] where isSpoiler[neighbor] { isSpoiler[neighbor] = turn(neighbor) <= 0 }
            // Skipping a corner gives rounder triangles than cutting a fan.
            node = next[after]
        }
        return triangles
    }

    /// Whether no corner of the loop lies in the triangle that cutting `node` off would take away.
    ///
    /// Only corners that do not turn left need a look: where there is any, there is one of those. Corners in the same
    /// place as one of the triangle's own do no harm.
    func isEar(_ node: Int, _ spoilers: CornerGrid, _ isSpoiler: [Bool]) -> Bool {
        let (a, b, c) = (point(previous[node]), point(node), point(next[node]))
        return spoilers.allSatisfy(from: pointwiseMin(pointwiseMin(a, b), c), to: pointwiseMax(pointwiseMax(a, b), c)) {
            other in
            guard isSpoiler[other] else { return true }
            let p = point(other)
            return p == a || p == b || p == c
                || orientation(a, b, p) < 0 || orientation(b, c, p) < 0 || orientation(c, a, p) < 0
        }
    }
}
