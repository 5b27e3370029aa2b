// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@Suite struct TriangulationTests {
    @Test(arguments: 0..<200) func trianglesFillThePolygon(number: Int) throws {
        var random = TestRandom(case: number)
        let scale = [1e-6, 1, 1e6][number % 3]
        let outer = Polygon2Tests.star(&random, corners: 3 + number, scale: scale)
        let holes = holes(in: outer, count: number % 7, scale: scale, &random)
        let polygon = PolygonWithHoles(outer: number % 2 == 0 ? outer : outer.reversed, holes: holes)
        #expect(polygon.isSimple)
        let triangles = try #require(polygon.triangulation())
        // Euler: n corners and h holes make n + 2h − 2 triangles.
        #expect(triangles.count == polygon.vertices.count + 2 * holes.count - 2)
        expectFilled(polygon, triangles, relativeTolerance: 1e-12)
        let topology = mesh(polygon.vertices, triangles).topology
        #expect(topology.isManifold && topology.isConsistentlyOriented)
        #expect(topology.boundaryEdgeCount == polygon.vertices.count)
        #expect(topology.eulerCharacteristic == 1 - holes.count)
    }

    /// Sets of grid cells: outlines with flat corners that touch themselves and each other in corners.
    @Test(arguments: 0..<400) func touchingAndCollinearOutlinesAreFilled(number: Int) throws {
        var random = TestRandom(case: number)
        let size = 2 + number % 11
        for polygon in cellSets(size: size, density: random.uniform(0.4...0.95), &random) {
            let triangles = try #require(polygon.triangulation())
            expectFilled(polygon, triangles, relativeTolerance: 0)
            let used = Set(triangles.flatMap { [$0.x, $0.y, $0.z] }.map { polygon.vertices[Int($0)] })
            #expect(used == Set(polygon.vertices))
        }
    }

    @Test(arguments: 0..<60) func anglesFacingAnEdgeAddUpToAHalfTurnAtMost(number: Int) throws {
        var random = TestRandom(case: number)
        let points = Polygon2Tests.star(&random, corners: 40).vertices
        let triangles = try #require(Polygon2(points).triangulation())
        var facing: [Set<Int32>: [Int32]] = [:]
        for t in triangles {
            for (a, b, c) in [(t.x, t.y, t.z), (t.y, t.z, t.x), (t.z, t.x, t.y)] {
                facing[[a, b], default: []].append(c)
            }
        }
        for (edge, corners) in facing where corners.count == 2 {
            let (a, b) = (points[Int(edge.min()!)], points[Int(edge.max()!)])
            let (c, d) = (points[Int(corners[0])], points[Int(corners[1])])
            let angle = { (apex: Point2) in atan2(abs((a - apex).cross(b - apex)), (a - apex).dot(b - apex)) }
            let canFlip = (orientation(c, d, a) > 0) != (orientation(c, d, b) > 0)
            #expect(!canFlip || angle(c) + angle(d) < .pi + 1e-6)
        }
    }

    @Test func holesMayTouchTheOutlineAlongEdges() throws {
        let square = Polygon2([Point2(0, 0), Point2(4, 0), Point2(4, 4), Point2(0, 4)])
        let holes = [
            // A corner on an edge; an edge along an edge; a corner at a corner of another hole.
            Polygon2([Point2(0, 2), Point2(1, 1), Point2(1, 3)]),
            Polygon2([Point2(2, 4), Point2(2, 3), Point2(3, 3), Point2(3, 4)]),
            Polygon2([Point2(1, 1), Point2(2, 1), Point2(2, 2)]),
        ]
        let polygon = PolygonWithHoles(outer: square, holes: holes)
        #expect(!polygon.isSimple)
        expectFilled(polygon, try #require(polygon.triangulation()), relativeTolerance: 0)
    }

    @Test func doubledCornersAndSpikesAreLeftOut() throws {
        let corners: [(Double, Double)] = [(0, 0), (0, 0), (4, 0), (6, 0), (4, 0), (4, 4), (4, 4), (0, 4), (0, 0)]
        let polygon = Polygon2(corners.map { Point2($0.0, $0.1) })
        let triangles = try #require(polygon.triangulation())
        #expect(triangles.count == 2)
        expectFilled(PolygonWithHoles(outer: polygon), triangles, relativeTolerance: 0)
    }

    @Test func whatEnclosesNothingHasNoTriangles() {
        #expect(Polygon2([]).triangulation() == [])
        #expect(Polygon2([Point2(0, 0), Point2(1, 1)]).triangulation() == [])
        #expect(Polygon2([Point2(0, 0), Point2(1, 1), Point2(2, 2)]).triangulation() == [])
        #expect(Polygon2([Point2(0, 0), Point2(1, 1), Point2(.nan, 2)]).triangulation() == nil)
    }

    @Test func crossingOutlinesAreRefused() {
        let bow = Polygon2([Point2(0, 0), Point2(3, 3), Point2(3, 0), Point2(0, 2)])
        #expect(!bow.isSimple)
        #expect(bow.triangulation() == nil)
    }

    @Test func simplicityIsExact() {
        let square = Polygon2Tests.square
        #expect(square.isSimple)
        #expect(Polygon2([Point2(0, 0), Point2(2, 0), Point2(2, 2), Point2(1, 0), Point2(0, 2)]).isSimple == false)
        let nearly = Point2(1, Double.leastNormalMagnitude)
        #expect(Polygon2([Point2(0, 0), Point2(2, 0), Point2(2, 2), nearly, Point2(0, 2)]).isSimple)
        #expect(!Polygon2([Point2(0, 0), Point2(2, 0), Point2(1, 0)]).isSimple)
        #expect(!Polygon2(square.vertices + [Point2(0, 0)]).isSimple)
        let inner = Polygon2(square.vertices.map { 0.5 * $0 + Vector2(0.5, 0.5) })
        #expect(PolygonWithHoles(outer: square, holes: [inner]).isSimple)
        #expect(!PolygonWithHoles(outer: inner, holes: [square]).isSimple)
        #expect(!PolygonWithHoles(outer: square, holes: [inner, inner]).isSimple)
        let innermost = Polygon2(inner.vertices.map { 0.5 * $0 + Vector2(0.5, 0.5) })
        #expect(!PolygonWithHoles(outer: square, holes: [inner, innermost]).isSimple)
    }

    @Test func holesDoNotBelongToThePolygonButTheirEdgesDo() {
        let hole = Polygon2([Point2(0.5, 0.5), Point2(1.5, 0.5), Point2(1.5, 1.5), Point2(0.5, 1.5)])
        let polygon = PolygonWithHoles(outer: Polygon2Tests.square, holes: [hole])
        #expect(polygon.area == 3)
        #expect(!polygon.contains(Point2(1, 1)))
        #expect(polygon.contains(Point2(0.5, 1)))
        #expect(polygon.contains(Point2(0.25, 1)))
        #expect(!polygon.contains(Point2(3, 1)))
    }
}

// MARK: - Inputs

/// Small stars inside a star, apart from each other.
private func holes(in outer: Polygon2, count: Int, scale: Double, _ random: inout TestRandom) -> [Polygon2] {
    var holes: [Polygon2] = []
    let center = outer.centroid ?? .zero
    for _ in 0..<100 where holes.count < count {
        var hole = Polygon2Tests.star(&random, corners: 5, scale: 0.1 * scale)
        let shift = center + 0.8 * scale * random.vector2() - (hole.centroid ?? .zero)
        hole.vertices = hole.vertices.map { $0 + shift }
        if random.uniform() > 0 { hole = hole.reversed }
        if PolygonWithHoles(outer: outer, holes: holes + [hole]).isSimple { holes.append(hole) }
    }
    return holes
}

/// The outlines of a random set of unit cells, one polygon for each piece that is connected through edges.
private func cellSets(size: Int, density: Double, _ random: inout TestRandom) -> [PolygonWithHoles] {
    var piece = [[Int]](repeating: [Int](repeating: -1, count: size + 2), count: size + 2)
    let isFilled = (0..<size + 2).map { y in
        (0..<size + 2).map { x in x > 0 && y > 0 && x <= size && y <= size && random.uniform(0...1) < density }
    }
    var pieceCount = 0
    for y in 1...size {
        for x in 1...size where isFilled[y][x] && piece[y][x] < 0 {
            var front = [(x, y)]
            piece[y][x] = pieceCount
            while let (x, y) = front.popLast() {
                for (u, v) in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] where isFilled[v][u] && piece[v][u] < 0 {
                    piece[v][u] = pieceCount
                    front.append((u, v))
                }
            }
            pieceCount += 1
        }
    }
    return (0..<pieceCount).map { number in
        // Unit edges with the piece on the left, followed so that pieces touching in a corner stay apart there.
        var edges = Set<[Int]>()
        for y in 1...size {
            for x in 1...size where piece[y][x] == number {
                if piece[y - 1][x] != number { edges.insert([x, y, 1, 0]) }
                if piece[y][x + 1] != number { edges.insert([x + 1, y, 0, 1]) }
                if piece[y + 1][x] != number { edges.insert([x + 1, y + 1, -1, 0]) }
                if piece[y][x - 1] != number { edges.insert([x, y + 1, 0, -1]) }
            }
        }
        var loops: [Polygon2] = []
        while var edge = edges.min(by: { $0.lexicographicallyPrecedes($1) }) {
            var corners: [Point2] = []
            while edges.remove(edge) != nil {
                corners.append(Point2(Double(edge[0]), Double(edge[1])))
                let (x, y, dx, dy) = (edge[0] + edge[2], edge[1] + edge[3], edge[2], edge[3])
                let turns = [[x, y, -dy, dx], [x, y, dx, dy], [x, y, dy, -dx]]
                edge = turns.first(where: edges.contains) ?? edge
            }
            loops.append(Polygon2(corners))
        }
        let outer = loops.first { $0.signedArea > 0 } ?? Polygon2([])
        return PolygonWithHoles(outer: outer, holes: loops.filter { $0.signedArea < 0 })
    }
}

// MARK: - Checks

private func mesh(_ points: [Point2], _ triangles: [TriangleIndices]) -> TriangleMesh {
    TriangleMesh(positions: points.map { Point3($0.x, $0.y, 0) }, triangles: triangles)
}

/// Triangles that all lie inside and whose areas add up to the polygon's leave no gap and do not overlap.
private func expectFilled(_ polygon: PolygonWithHoles, _ triangles: [TriangleIndices], relativeTolerance: Double) {
    let points = polygon.vertices
    var total = 0.0
    for triangle in triangles {
        let (a, b, c) = (points[Int(triangle.x)], points[Int(triangle.y)], points[Int(triangle.z)])
        #expect(orientation(a, b, c) > 0)
        #expect(polygon.contains((a + b + c) / 3))
        total += Polygon2([a, b, c]).signedArea
    }
    #expect(abs(total - polygon.area) <= relativeTolerance * polygon.area)
}
