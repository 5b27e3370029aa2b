// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CPolygon
import Foundation
import TestSupport
import Testing

@Suite struct UnionTests {
    /// The rings around polygons, or the status of the call that failed.
    private static func unite(
        _ polygons: [[CPolygonPoint]], chords: [[CPolygonChord]]? = nil, detail: Double = 1
    ) -> (status: CPolygonStatus, rings: [Polygon2]) {
        var outline: OpaquePointer?
        let status = cpolygon_unite(
            polygons.flatMap { $0 }, polygons.map { Int64($0.count) }, Int64(polygons.count),
            chords?.flatMap { $0 }, chords?.map { Int64($0.count) }, detail, &outline)
        defer { cpolygon_destroy(outline) }
        var points = [CPolygonPoint](repeating: CPolygonPoint(), count: Int(cpolygon_point_count(outline)))
        var lengths = [Int64](repeating: 0, count: Int(cpolygon_ring_count(outline)))
        guard status == CPOLYGON_OK, cpolygon_copy(outline, &points, &lengths) == CPOLYGON_OK else {
            return (status, [])
        }
        var rest = points[...]
        return (
            status,
            lengths.map { length in
                defer { rest = rest.dropFirst(Int(length)) }
                return Polygon2(rest.prefix(Int(length)).map { Point2(Double($0.x_units), Double($0.y_units)) })
            }
        )
    }

    private static func rectangle(_ x: Int64, _ y: Int64, _ width: Int64, _ height: Int64) -> [CPolygonPoint] {
        [(x, y), (x + width, y), (x + width, y + height), (x, y + height)].map {
            CPolygonPoint(x_units: $0.0, y_units: $0.1)
        }
    }

    @Test func ringsRunCounterClockwiseAroundAreasAndClockwiseAroundHoles() {
        let frame = [
            Self.rectangle(0, 0, 9000, 1000), Self.rectangle(0, 8000, 9000, 1000), Self.rectangle(0, 0, 1000, 9000),
            Self.rectangle(8000, 0, 1000, 9000),
        ]
        let areas = Self.unite(frame).rings.map(\.signedArea).sorted()
        let (hole, outline): (Double, Double) = (-7000 * 7000, 9000 * 9000)
        #expect(areas == [hole, outline])
    }

    @Test func whatWindsClockwiseIsTakenAway() {
        let hole = Array(Self.rectangle(2000, 2000, 1000, 1000).reversed())
        let areas = Self.unite([Self.rectangle(0, 0, 9000, 9000), hole]).rings.map(\.signedArea).sorted()
        let (holeArea, outlineArea): (Double, Double) = (-1000 * 1000, 9000 * 9000)
        #expect(areas == [holeArea, outlineArea])
        #expect(Self.unite([hole]).rings.isEmpty)
    }

    /// A band that winds to and fro, so that it is worth cutting the plane into strips, with another one across it.
    @Test(arguments: 0..<10) func stripsChangeNothing(number: Int) {
        var random = TestRandom(case: number)
        let bands = (0..<2).map { band in
            let (length, count) = (random.uniform(40...60), 3000)
            let path = (0...count).map { index in
                let part = Double(index) / Double(count)
                let sway = 400_000 * sin(length * 2 * .pi * part) + 20_000 * random.uniform(-1...1)
                return band == 0 ? Point2(sway, 1_000_000 * part) : Point2(1_000_000 * part - 500_000, sway + 500_000)
            }
            return Self.band(around: path, halfWidth: 1500)
        }
        let whole = Self.unite(bands.map(\.points)).rings
        let divided = Self.unite(bands.map(\.points), chords: bands.map(\.chords)).rings
        let areas = [whole, divided].map { $0.reduce(0) { $0 + $1.signedArea } }
        #expect(abs(areas[0] - areas[1]) < 1e-6 * areas[0])
        #expect(whole.count == divided.count)
        #expect(whole.count > 100)
    }

    /// The quadrilaterals along a path as one band: up its right side, back along its left.
    private static func band(
        around path: [Point2], halfWidth: Double
    ) -> (points: [CPolygonPoint], chords: [CPolygonChord]) {
        var (right, left): ([Point2], [Point2]) = ([], [])
        for (start, end) in zip(path, path.dropFirst()) {
            let across = halfWidth * ((end - start).normalized() ?? Vector2(1, 0)).perpendicular
            right += [start - across, end - across, end]
            left += [start + across, end + across, end]
        }
        let points = (right + left.reversed()).map {
            CPolygonPoint(x_units: Int64($0.x.rounded()), y_units: Int64($0.y.rounded()))
        }
        let chords = stride(from: 3, to: right.count, by: 3).map {
            CPolygonChord(first: Int64($0), second: Int64(points.count - 1 - $0))
        }
        return (points, chords)
    }

    @Test func placeChangesNothing() {
        let polygons = [Self.rectangle(0, 0, 9000, 1000), Self.rectangle(3, -500, 1700, 9000)]
        let far = polygons.map { polygon in
            polygon.map { CPolygonPoint(x_units: $0.x_units + (1 << 50), y_units: $0.y_units - (1 << 49)) }
        }
        #expect(Self.unite(polygons).rings.map(\.signedArea) == Self.unite(far).rings.map(\.signedArea))
    }

    @Test func nothingHasNoRings() {
        #expect(Self.unite([]).status == CPOLYGON_OK)
        let flat = [(0, 0), (5000, 0), (3000, 0)].map { CPolygonPoint(x_units: $0.0, y_units: $0.1) }
        #expect(Self.unite([flat]).status == CPOLYGON_OK)
        #expect(Self.unite([[], Array(Self.rectangle(0, 0, 9, 9).prefix(2))]).rings.isEmpty)
    }

    @Test func invalidArgumentsAreRefused() {
        let square = Self.rectangle(0, 0, 9000, 9000)
        for bad in [0, -1, Double.nan, .infinity] {
            #expect(Self.unite([square], detail: bad).status == CPOLYGON_INVALID_ARGUMENT)
        }
        for bad in [Int64.min, .max, 1 << 61] {
            #expect(Self.unite([[CPolygonPoint(x_units: bad, y_units: 0)]]).status == CPOLYGON_INVALID_ARGUMENT)
        }
        for (first, second) in [(-1, 2), (2, 1), (1, 1), (0, 4)] as [(Int64, Int64)] {
            let chord = CPolygonChord(first: first, second: second)
            #expect(Self.unite([square], chords: [[chord]]).status == CPOLYGON_INVALID_ARGUMENT)
        }
        let chords = [CPolygonChord(first: 0, second: 3), CPolygonChord(first: 0, second: 2)]
        #expect(Self.unite([square], chords: [chords]).status == CPOLYGON_INVALID_ARGUMENT)
        #expect(cpolygon_unite(nil, nil, 0, nil, nil, 1, nil) == CPOLYGON_INVALID_ARGUMENT)
        #expect(cpolygon_copy(nil, nil, nil) == CPOLYGON_INVALID_ARGUMENT)
        #expect(cpolygon_ring_count(nil) == 0 && cpolygon_point_count(nil) == 0)
        cpolygon_destroy(nil)
    }
}
