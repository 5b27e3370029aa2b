// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@Suite struct Polygon2Tests {
    /// A star-shaped polygon around its centre: simple, counter-clockwise, concave as a rule.
    static func star(_ random: inout TestRandom, corners: Int = 12, scale: Double = 1) -> Polygon2 {
        let center = 3 * scale * random.vector2()
        return Polygon2(
            (0..<corners).map { index in
                let angle = (Double(index) + random.uniform(0...0.9)) * 2 * .pi / Double(corners)
                return center + scale * random.uniform(0.2...1) * Vector2(cos(angle), sin(angle))
            })
    }

    static let square = Polygon2([Point2(0, 0), Point2(2, 0), Point2(2, 2), Point2(0, 2)])

    @Test func squareHasItsMeasures() {
        #expect(Self.square.signedArea == 4)
        #expect(Self.square.winding == .counterClockwise)
        #expect(Self.square.reversed.winding == .clockwise)
        #expect(Self.square.reversed.counterClockwise.signedArea == 4)
        #expect(Self.square.perimeter == 8)
        #expect(Self.square.centroid == Point2(1, 1))
        #expect(Self.square.isStrictlyConvex)
        #expect(!Polygon2(Self.square.vertices + [Point2(0, 1)]).isStrictlyConvex)
    }

    @Test func degeneratePolygonsHaveNoMeasures() {
        for vertices in [
            [], [Point2(1, 1)], [Point2(1, 1), Point2(2, 3)], [Point2(0, 0), Point2(1, 1), Point2(3, 3)],
        ] {
            let polygon = Polygon2(vertices)
            #expect(polygon.signedArea == 0)
            #expect(polygon.winding == nil)
            #expect(polygon.centroid == nil)
            #expect(polygon.convexHull.vertices.count < 3)
            #expect(polygon.minimumAreaBoundingRectangle == nil)
            #expect(vertices.allSatisfy(polygon.contains))
        }
    }

    @Test(arguments: 0..<100) func containmentAgreesWithTriangles(number: Int) {
        var random = TestRandom(case: number)
        let star = Self.star(&random, scale: [1e-6, 1, 1e6][number % 3])
        let center = star.centroid!
        for _ in 0..<100 {
            let point = center + 1.5 * [1e-6, 1, 1e6][number % 3] * random.vector2()
            // The signed triangles from any apex cover each inner point once more forwards than backwards.
            let covering = star.edges.reduce(0) { sum, edge in
                let triangle = Polygon2([center, edge.start, edge.end])
                let isInside = triangle.contains(point)
                return sum + (isInside ? (triangle.signedArea > 0 ? 1 : -1) : 0)
            }
            #expect(star.contains(point) == (covering != 0))
        }
    }

    @Test(arguments: 0..<50) func outlineBelongsToThePolygon(number: Int) {
        var random = TestRandom(case: number)
        // Corners on a grid, so that points of the edges are exact.
        let vertices = (0..<8).map { _ in
            Point2(Double(Int.random(in: -8...8, using: &random)), Double(Int.random(in: -8...8, using: &random)))
        }
        let polygon = Polygon2(vertices)
        for edge in polygon.edges {
            #expect(polygon.contains(edge.start))
            #expect(polygon.contains(0.5 * (edge.start + edge.end)))
            #expect(polygon.contains(0.25 * edge.start + 0.75 * edge.end))
        }
    }

    @Test(arguments: 0..<100) func hullHoldsAllPoints(number: Int) {
        var random = TestRandom(case: number)
        let isGrid = number % 2 == 0
        let points = (0..<40).map { _ in
            isGrid
                ? Point2(Double(Int.random(in: 0...4, using: &random)), Double(Int.random(in: 0...4, using: &random)))
                : random.vector2()
        }
        let hull = Polygon2(convexHullOf: points)
        #expect(hull.isStrictlyConvex)
        #expect(hull.signedArea > 0)
        #expect(points.allSatisfy(hull.contains))
        #expect(hull.vertices.allSatisfy(points.contains))
    }

    @Test(arguments: 0..<60) func boundingRectangle(number: Int) throws {
        var random = TestRandom(case: number)
        let scale = [1e-6, 1, 1e6][number % 3]
        let points = (0..<15).map { _ in scale * random.vector2() }
        let rectangle = try #require(Polygon2(points).minimumAreaBoundingRectangle)
        #expect(abs(rectangle.polygon.signedArea - rectangle.area) < 1e-12 * scale * scale)
        for point in points {
            let offset = point - rectangle.center
            #expect(abs(offset.dot(rectangle.axis)) <= rectangle.halfExtents.x + 1e-14 * scale)
            #expect(abs(offset.dot(rectangle.axis.perpendicular)) <= rectangle.halfExtents.y + 1e-14 * scale)
        }
        for step in 0..<360 {
            let axis = Vector2(cos(Double(step) * .pi / 720), sin(Double(step) * .pi / 720))
            let along = points.map(axis.dot)
            let across = points.map(axis.perpendicular.dot)
            let area = (along.max()! - along.min()!) * (across.max()! - across.min()!)
            #expect(rectangle.area <= area + 1e-12 * scale * scale)
        }
    }

    @Test(arguments: 0..<100) func clipArea(number: Int) {
        var random = TestRandom(case: number)
        let scale = [1e-6, 1, 1e6][number % 3]
        let star = Self.star(&random, scale: scale)
        let middle = star.centroid!
        let normal = random.direction()
        let side = HalfPlane2(
            normal: Vector2(normal.x, normal.y), offset: Vector2(normal.x, normal.y).dot(middle))
        let other = HalfPlane2(normal: -side.normal, offset: -side.offset)
        let parts = star.clipped(to: side).signedArea + star.clipped(to: other).signedArea
        #expect(abs(parts - star.signedArea) < 1e-12 * scale * scale)
        // Clipping by a convex polygon both ways: the common area is the same from either side.
        let first = Polygon2(convexHullOf: star.vertices)
        let second = Polygon2(convexHullOf: (0..<9).map { _ in middle + scale * random.vector2() })
        let common = first.clipped(to: second)
        #expect(abs(common.signedArea - second.clipped(to: first).signedArea) < 1e-12 * scale * scale)
        #expect(abs(first.clipped(to: first).signedArea - first.signedArea) < 1e-12 * scale * scale)
    }

    @Test func clippingAwayLeavesNothing() {
        #expect(Self.square.clipped(to: HalfPlane2(normal: Vector2(1, 0), offset: -1)).vertices.isEmpty)
        #expect(Self.square.clipped(to: HalfPlane2(normal: Vector2(1, 0), offset: 2)) == Self.square)
    }
}
