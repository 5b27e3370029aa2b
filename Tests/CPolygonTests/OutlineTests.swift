// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CPolygon
import Testing

@Suite struct OutlineTests {
    /// The rings of an outline, or the status of the call that failed.
    private static func trace(
        _ paths: [[CPolygonPoint]], radius: Double = 1000, tolerance: Double = 10, detail: Double = 1
    ) -> (status: CPolygonStatus, rings: [(polygon: Polygon2, isHole: Bool)]) {
        var outline: OpaquePointer?
        let status = cpolygon_trace(
            paths.flatMap { $0 }, paths.map { Int64($0.count) }, Int64(paths.count), radius, tolerance, detail, &outline
        )
        defer { cpolygon_destroy(outline) }
        var points = [CPolygonPoint](repeating: CPolygonPoint(), count: Int(cpolygon_point_count(outline)))
        var lengths = [Int64](repeating: 0, count: Int(cpolygon_ring_count(outline)))
        var isHole = [Int8](repeating: 0, count: lengths.count)
        guard status == CPOLYGON_OK, cpolygon_copy(outline, &points, &lengths, &isHole) == CPOLYGON_OK else {
            return (status, [])
        }
        var rest = points[...]
        return (
            status,
            zip(lengths, isHole).map { length, isHole in
                defer { rest = rest.dropFirst(Int(length)) }
                let corners = rest.prefix(Int(length)).map { Point2(Double($0.x_units), Double($0.y_units)) }
                return (Polygon2(corners), isHole == 1)
            }
        )
    }

    private static let square = [(0, 0), (9000, 0), (9000, 9000), (0, 9000), (0, 0)].map {
        CPolygonPoint(x_units: $0.0, y_units: $0.1)
    }

    @Test func outerRingsRunCounterClockwiseAndAreFollowedByTheirHoles() {
        let far = Self.square.map { CPolygonPoint(x_units: $0.x_units + 50_000, y_units: $0.y_units) }
        let rings = Self.trace([Self.square, far]).rings
        #expect(rings.map(\.isHole) == [false, true, false, true])
        #expect(rings.allSatisfy { ($0.polygon.signedArea < 0) == $0.isHole })
        for (outer, hole) in [(0, 1), (2, 3)] {
            #expect(rings[outer].polygon.contains(rings[hole].polygon.vertices[0]))
            #expect(rings[hole].polygon.area == 7000 * 7000)
        }
    }

    @Test(arguments: [1.0, 3, 10, 50]) func chordsKeepTheToleranceOnTheInnerSide(tolerance: Double) {
        // A quarter turn: arcs of a quarter and of half a circle.
        let rings = Self.trace([Array(Self.square.prefix(3))], tolerance: tolerance).rings
        let path = [Segment2(Point2(0, 0), Point2(9000, 0)), Segment2(Point2(9000, 0), Point2(9000, 9000))]
        for edge in rings[0].polygon.edges {
            for point in [edge.start, 0.5 * (edge.start + edge.end)] {
                let distance = path.map { $0.distance(to: point) }.min() ?? 0
                // Rounding to whole units moves a corner by up to 0.71.
                #expect(distance > 1000 - tolerance - 0.75 && distance < 1000.75)
            }
        }
    }

    @Test func aPathThatTurnsBackKeepsItsRoundEnd() {
        let there = (0...20).map { CPolygonPoint(x_units: 3011 * $0, y_units: 1789 * $0) }
        let once = Self.trace([there]).rings
        let thrice = Self.trace([there + there.reversed() + there]).rings
        #expect(abs(thrice[0].polygon.area - once[0].polygon.area) < 1e-4 * once[0].polygon.area)
    }

    @Test func invalidArgumentsAreRefused() {
        #expect(Self.trace([]).status == CPOLYGON_INVALID_ARGUMENT)
        #expect(Self.trace([Self.square, []]).status == CPOLYGON_INVALID_ARGUMENT)
        for bad in [0, -1, Double.nan, .infinity] {
            #expect(Self.trace([Self.square], radius: bad).status == CPOLYGON_INVALID_ARGUMENT)
            #expect(Self.trace([Self.square], tolerance: bad).status == CPOLYGON_INVALID_ARGUMENT)
            #expect(Self.trace([Self.square], detail: bad).status == CPOLYGON_INVALID_ARGUMENT)
        }
        for bad in [Int64.min, .max, 1 << 61] {
            #expect(Self.trace([[CPolygonPoint(x_units: bad, y_units: 0)]]).status == CPOLYGON_INVALID_ARGUMENT)
        }
        #expect(cpolygon_trace(nil, nil, 0, 1, 1, 1, nil) == CPOLYGON_INVALID_ARGUMENT)
        #expect(cpolygon_copy(nil, nil, nil, nil) == CPOLYGON_INVALID_ARGUMENT)
        #expect(cpolygon_ring_count(nil) == 0 && cpolygon_point_count(nil) == 0)
        cpolygon_destroy(nil)
    }
}
