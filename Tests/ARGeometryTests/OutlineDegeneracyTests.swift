// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

/// Outlines at random on a coarse grid: doubled corners, spikes, edges on edges, loops in loops, crossings.
///
/// Coordinates are small integers, so that every area is exact and every comparison may be `==`.
@Suite struct OutlineDegeneracyTests {
    static func outline(_ random: inout TestRandom, corners: Int, side: Int) -> Polygon2 {
        Polygon2(
            (0..<corners).map { _ in
                Point2(
                    Double(Int.random(in: 0...side, using: &random)), Double(Int.random(in: 0...side, using: &random)))
            })
    }

    /// Whatever the outline, the answer is none, or triangles that turn left, lie inside and fill it.
    @Test(arguments: 0..<40) func trianglesFillWhatTheyAccept(number: Int) {
        var random = TestRandom(case: number)
        var filled = 0
        for _ in 0..<500 {
            let corners = 3 + Int.random(in: 0...6, using: &random)
            let side = Int.random(in: 1...4, using: &random)
            let holeCount = number % 3
            let polygon = PolygonWithHoles(
                outer: Self.outline(&random, corners: corners, side: side),
                holes: (0..<holeCount).map { _ in Self.outline(&random, corners: 3, side: side) })
            guard let triangles = polygon.triangulation() else {
                #expect(!polygon.isSimple, "\(polygon)")
                continue
            }
            let vertices = polygon.vertices
            var total = 0.0
            for triangle in triangles {
                let points = [vertices[Int(triangle.x)], vertices[Int(triangle.y)], vertices[Int(triangle.z)]]
                #expect(orientation(points[0], points[1], points[2]) > 0, "\(polygon)")
                total += Polygon2(points).signedArea
            }
            #expect(total == polygon.area, "\(polygon) gives \(triangles)")
            filled += total > 0 ? 1 : 0
        }
        #expect(filled > 0)
    }

    @Test(arguments: 0..<40) func hullsOfAnythingAreConvex(number: Int) throws {
        var random = TestRandom(case: number)
        for _ in 0..<200 {
            let points = Self.outline(&random, corners: 1 + number % 12, side: 3).vertices
            let hull = Polygon2(convexHullOf: points)
            #expect(Set(hull.vertices).count == hull.vertices.count)
            if hull.vertices.count >= 3 {
                #expect(hull.isStrictlyConvex && hull.isSimple)
                let triangles = try #require(hull.triangulation())
                #expect(triangles.count == hull.vertices.count - 2)
                let rectangle = try #require(hull.minimumAreaBoundingRectangle)
                let slack = 1e-12
                #expect(rectangle.area >= hull.area - slack)
                // One side lies on an edge: trying them all finds nothing smaller.
                for edge in hull.edges {
                    let axis = try #require((edge.end - edge.start).normalized())
                    let along = points.map(axis.dot)
                    let across = points.map(axis.perpendicular.dot)
                    let area = (along.max()! - along.min()!) * (across.max()! - across.min()!)
                    #expect(rectangle.area <= area + slack)
                }
            } else {
                #expect(
                    points.allSatisfy { p in
                        hull.vertices.count == 1
                            ? p == hull.vertices[0] : Segment2(hull.vertices[0], hull.vertices[1]).contains(p)
                    })
            }
        }
    }

    /// Both sides of a cut add up to the whole, also for outlines that touch the line along an edge.
    @Test(arguments: 0..<40) func bothSidesOfACut(number: Int) {
        var random = TestRandom(case: number)
        for _ in 0..<200 {
            let polygon = Self.outline(&random, corners: 3 + number % 6, side: 4)
            let column = Double(Int.random(in: 0...4, using: &random))
            let left = polygon.clipped(to: HalfPlane2(normal: Vector2(1, 0), offset: column))
            let right = polygon.clipped(to: HalfPlane2(normal: Vector2(-2, 0), offset: -2 * column))
            expectClose(left.signedArea + right.signedArea, polygon.signedArea, tolerance: 1e-13)
            #expect(left.vertices.allSatisfy { $0.x <= column } && right.vertices.allSatisfy { $0.x >= column })
        }
        #expect(Polygon2([]).clipped(to: HalfPlane2(normal: Vector2(1, 0), offset: 0)).vertices.isEmpty)
    }

    @Test(arguments: [Point2(.nan, 0), Point2(0, .nan), Point2(.infinity, 0), Point2(0, -.infinity)])
    func nothingIsNowhere(point: Point2) {
        #expect(!Polygon2Tests.square.contains(point))
        #expect(!PolygonWithHoles(outer: Polygon2Tests.square).contains(point))
        #expect(!Segment2(.zero, Point2(1, 0)).contains(point))
        #expect(Polygon2(Polygon2Tests.square.vertices + [point]).triangulation() == nil)
    }
}
