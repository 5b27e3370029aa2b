// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Makes triangles of a plane rounder by exchanging diagonals: as long as the two angles that face a common edge add up
/// to more than 180°, the edge is replaced by the other diagonal of the quadrilateral, when that lies strictly inside.
///
/// The result is the constrained Delaunay triangulation, up to rounding: of all triangulations it has the largest
/// smallest angle. Edges of one triangle only, the outline, stay.
/// - Reference: Lawson 1977, "Software for C¹ surface interpolation"; Lee, Lin 1986 (with constraints).
///   Law: `TriangulationTests.anglesFacingAnEdgeAddUpToAHalfTurnAtMost`.
struct EdgeFlips {
    private let points: [Point2]
    /// Half-edge 3 t + k leads from corner k of triangle t to the next one; here is where it starts.
    private var start: [Int32]
    /// The half-edge of the neighbouring triangle along the same edge, or −1 on the outline.
    private var twin: [Int32]

    /// Exchanges diagonals of triangles that run counter-clockwise.
    static func improve(_ triangles: inout [TriangleIndices], _ points: [Point2]) {
        var flips = EdgeFlips(triangles, points)
        flips.run()
        for index in triangles.indices {
            triangles[index] = TriangleIndices(flips.start[3 * index..<3 * index + 3])
        }
    }

    private init(_ triangles: [TriangleIndices], _ points: [Point2]) {
        self.points = points
        start = triangles.flatMap { [$0.x, $0.y, $0.z] }
        twin = [Int32](repeating: -1, count: start.count)
        // Half-edges that leave from the same point; its neighbours are few.
        var first = [Int32](repeating: 0, count: points.count + 1)
        for point in start { first[Int(point) + 1] += 1 }
        for point in points.indices { first[point + 1] += first[point] }
        var leaving = [Int32](repeating: 0, count: start.count)
        var free = first
        for edge in start.indices {
            leaving[Int(free[Int(start[edge])])] = Int32(edge)
            free[Int(start[edge])] += 1
        }
        for edge in start.indices where twin[edge] < 0 {
            let (from, to) = (Int(start[edge]), Int(start[Self.next(edge)]))
            // The twin leaves `to`, and the edge after it leaves `from`: the end with fewer edges is looked at.
            if first[to + 1] - first[to] <= first[from + 1] - first[from] {
                for other in leaving[Int(first[to])..<Int(first[to + 1])]
                where start[Self.next(Int(other))] == Int32(from) { pair(edge, Int(other)) }
            } else {
                for after in leaving[Int(first[from])..<Int(first[from + 1])]
                where start[Self.previous(Int(after))] == Int32(to) { pair(edge, Self.previous(Int(after))) }
            }
        }
    }

    private static func next(_ edge: Int) -> Int { edge % 3 == 2 ? edge - 2 : edge + 1 }
    private static func previous(_ edge: Int) -> Int { edge % 3 == 0 ? edge + 2 : edge - 1 }

    private mutating func pair(_ a: Int, _ b: Int) {
        if a >= 0 { twin[a] = Int32(b) }
        if b >= 0 { twin[b] = Int32(a) }
    }

    private mutating func run() {
        var pending = twin.indices.filter { Int(twin[$0]) > $0 }
        while let edge = pending.popLast() {
            let other = Int(twin[edge])
            guard other >= 0, shouldFlip(edge, other) else { continue }
            flip(edge, other)
            for triangle in [edge / 3, other / 3] {
                for side in 3 * triangle..<3 * triangle + 3 where twin[side] >= 0 { pending.append(side) }
            }
        }
    }

    /// Whether the other diagonal c d of the quadrilateral a d b c lies inside and is better than a b.
    ///
    /// γ + δ > π means sin(γ + δ) < 0; the margin keeps rounding from flipping to and fro.
    private func shouldFlip(_ edge: Int, _ other: Int) -> Bool {
        let (a, b) = (points[Int(start[edge])], points[Int(start[other])])
        let c = points[Int(start[Self.previous(edge)])]
        let d = points[Int(start[Self.previous(other)])]
        let first = (a - c).dot(b - c) * (b - d).cross(a - d)
        let second = (a - c).cross(b - c) * (a - d).dot(b - d)
        guard first + second < -1e-9 * (abs(first) + abs(second)) else { return false }
        return orientation(a, d, c) > 0 && orientation(d, b, c) > 0
    }

    /// Triangles a b c and b a d become c a d and d b c.
    private mutating func flip(_ edge: Int, _ other: Int) {
        let (bc, ca) = (Self.next(edge), Self.previous(edge))
        let (ad, db) = (Self.next(other), Self.previous(other))
        let (a, b, c, d) = (start[edge], start[other], start[ca], start[db])
        let (twinBC, twinCA, twinAD, twinDB) = (Int(twin[bc]), Int(twin[ca]), Int(twin[ad]), Int(twin[db]))
        let (first, second) = (3 * (edge / 3), 3 * (other / 3))
        (start[first], start[first + 1], start[first + 2]) = (c, a, d)
        (start[second], start[second + 1], start[second + 2]) = (d, b, c)
        pair(first, twinCA)
        pair(first + 1, twinAD)
        pair(second, twinDB)
        pair(second + 1, twinBC)
        pair(first + 2, second + 2)
    }
}
