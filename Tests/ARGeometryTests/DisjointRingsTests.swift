// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@Suite struct DisjointRingsTests {
    /// A star-shaped ring: corners at random distances around a centre.
    private static func ring(
        around center: Point2, _ radii: ClosedRange<Double>, corners: Int, _ random: inout TestRandom
    ) -> Polygon2 {
        Polygon2(
            (0..<corners).map { index in
                let angle = 2 * .pi * Double(index) / Double(corners)
                return center + random.uniform(radii) * Vector2(cos(angle), sin(angle))
            })
    }

    /// Islands on a lattice with up to four holes each, in which there may be islands again; the rings shuffled.
    private static func rings(_ random: inout TestRandom) -> [Polygon2] {
        var rings: [Polygon2] = []
        for column in 0..<3 {
            for row in 0..<3 where random.uniform(0...1) < 0.8 {
                let center = 10 * Point2(Double(column), Double(row))
                let corners = Int(random.uniform(8...200))
                rings.append(ring(around: center, 4.1...4.9, corners: max(corners, 24), &random))
                for hole in 0..<Int(random.uniform(0...4.99)) {
                    let place = center + 2.4 * [Vector2(1, 1), Vector2(-1, 1), Vector2(1, -1), Vector2(-1, -1)][hole]
                    let center = center + (place - center) * 0.7
                    rings.append(
                        ring(around: center, 0.6...1.1, corners: Int(random.uniform(3...40)), &random).reversed)
                    if random.uniform(0...1) < 0.4 {
                        rings.append(ring(around: center, 0.02...0.2, corners: Int(random.uniform(3...30)), &random))
                    }
                }
            }
        }
        return rings.shuffled(using: &random)
    }

    @Test(arguments: 0..<200) func trianglesFillTheArea(number: Int) throws {
        var random = TestRandom(case: number)
        // Coordinates on a coarse lattice give corners above each other, and flat ones.
        let step = [1e-9, 0.05].randomElement(using: &random)!
        let rings = Self.rings(&random).map {
            Polygon2($0.vertices.map { step * ($0 / step).rounded(.toNearestOrEven) })
        }
        guard let disjoint = DisjointRings(rings) else { return #expect(step > 0.01) }
        let triangles = try #require(disjoint.triangulation())
        let points = disjoint.vertices
        let area = rings.reduce(0) { $0 + $1.signedArea }
        var sum = 0.0
        for triangle in triangles {
            let (a, b, c) = (points[Int(triangle.x)], points[Int(triangle.y)], points[Int(triangle.z)])
            #expect(orientation(a, b, c) > 0)
            sum += (b - a).cross(c - a) / 2
        }
        #expect(abs(sum - area) < 1e-9 * max(1, area))
        #expect(Set(triangles.flatMap { [$0.x, $0.y, $0.z] }).count == points.count)
        // Inner edges occur in both directions, the rings' edges in their own.
        var edges: [SIMD2<Int32>: Int] = [:]
        for triangle in triangles {
            for side in 0..<3 { edges[SIMD2(triangle[side], triangle[(side + 1) % 3]), default: 0] += 1 }
        }
        #expect(edges.values.allSatisfy { $0 == 1 })
        let rims = edges.keys.filter { edges[SIMD2($0.y, $0.x)] == nil }
        #expect(Set(rims) == Set(disjoint.following.enumerated().map { SIMD2(Int32($0.offset), $0.element) }))
    }

    @Test func theSmallestAngleIsTheLargestPossible() throws {
        // A long thin band, curled up: every triangle's circle holds no corner that it sees across an edge.
        let turns = (0...400).map { index -> (Point2, Point2) in
            let angle = 0.1 * Double(index)
            let direction = Vector2(cos(angle), sin(angle))
            return ((1 + 0.02 * angle) * direction, (1.05 + 0.02 * angle) * direction)
        }
        let band = Polygon2(turns.map(\.0).reversed() + turns.map(\.1)).counterClockwise
        let rings = try #require(DisjointRings([band]))
        let triangles = try #require(rings.triangulation())
        #expect(triangles.count == band.vertices.count - 2)
        let smallest = triangles.map { triangle in
            let corners = (0..<3).map { rings.vertices[Int(triangle[$0])] }
            return (0..<3).map { corner in
                let (a, b, c) = (corners[corner], corners[(corner + 1) % 3], corners[(corner + 2) % 3])
                return atan2((b - a).cross(c - a), (b - a).dot(c - a))
            }.min()!
        }.min()!
        #expect(smallest > 0.2)
    }

    @Test func ringsThatTouchAreRefused() {
        let square = Polygon2([Point2(0, 0), Point2(4, 0), Point2(4, 4), Point2(0, 4)])
        func moved(_ offset: Vector2) -> Polygon2 { Polygon2(square.vertices.map { $0 + offset }) }
        #expect(DisjointRings([square, moved(Vector2(5, 0))]) != nil)
        for offset in [Vector2(4, 0), Vector2(4, 4), Vector2(4, 2), Vector2(2, 2), Vector2(0, 0)] {
            #expect(DisjointRings([square, moved(offset)]) == nil)
        }
        #expect(DisjointRings([Polygon2([Point2(0, 0), Point2(1, 0)])]) == nil)
        #expect(DisjointRings([Polygon2([Point2(0, 0), Point2(1, 0), Point2(.nan, 1)])]) == nil)
        #expect(DisjointRings([Polygon2([Point2(0, 0), Point2(1, 0), Point2(1, 0), Point2(0, 1)])]) == nil)
        #expect(DisjointRings([Polygon2([Point2(0, 0), Point2(2, 0), Point2(1, 0), Point2(0, 1)])]) == nil)
    }

    @Test func aHoleWithoutAreaAroundItHasNoTriangles() throws {
        let hole = Polygon2([Point2(0, 0), Point2(0, 1), Point2(1, 0)])
        #expect(try #require(DisjointRings([hole])).triangulation() == nil)
    }
}
