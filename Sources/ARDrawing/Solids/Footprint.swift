// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CPolygon

/// What pens cover on their way, as an area whose rings touch neither each other nor themselves.
///
/// United by Clipper on a grid of ``unit``. Where the area touches itself in a point (as two bends exactly one width
/// apart do), or rounding to the grid makes rings touch, the solid above would not be manifold. The pens are then made
/// wider by ``widening`` until the rings are simple, decided exactly: touching places flow together, and nothing else
/// changes by more than that. Holes smaller than the square of the arc tolerance are filled.
struct Footprint {
    /// The grid's step: 2⁻²⁴ m, about 60 nm. A power of two, so that coordinates are exact numbers and so are the
    /// decisions taken on them; coarse enough that neighbouring points stay apart when files are read with a tolerance
    /// of 10 nm.
    static let unit = 0x1p-24

    /// By how much a pen's radius grows with each attempt, in metres: about half a micrometre.
    static let widening = 8 * unit

    /// Corners nearer than this to a neighbour, or to the line between their neighbours, are left out, in units: about a
    /// micrometre, so that no triangle is thinner than readers of files tolerate.
    static let smallestDetail = 16.0

    /// The number of attempts.
    static let attempts = 32

    /// The farthest that a coordinate may lie from the origin, in metres.
    static let farthest = 0x1p30

    private let paths: [PenPath]
    private let fillings: [Polygon2]
    private let pen: PenOutline

    /// The area that the pen covers along the paths, which hold at least a point each, and that `filled` enclose.
    init(around paths: [PenPath], filled: [Polygon2], pen: PenOutline) throws(SolidError) {
        var pen = pen
        // One half of the tolerance for points that are left out, one for arcs.
        let tolerance = pen.arcTolerance / 2
        pen.arcTolerance = tolerance
        self.pen = pen
        self.paths = paths.map { $0.simplified(tolerance: tolerance).withoutRepetitions.path }
        var fillings: [Polygon2] = []
        for outline in filled {
            // What a ring encloses either way around; its own crossings included.
            for ring in [outline, outline.reversed] {
                fillings += try Self.unite([PenOutline.Ring(points: ring.vertices)])
            }
        }
        self.fillings = fillings
    }

    /// The rings around the area, which lies to their left, and the triangles that fill it.
    func figure() throws(SolidError) -> FlatFigure {
        try firstAttempt { rings in DisjointRings(rings).flatMap(FlatFigure.init) }
    }

    /// The rings around the area, which lies to their left.
    func rings() throws(SolidError) -> [Polygon2] {
        try firstAttempt { rings in Polygon2.areSimpleAndDisjoint(rings) ? rings : nil }
    }

    /// The first result for the rings of pens that are a little wider each time.
    private func firstAttempt<Result>(_ body: ([Polygon2]) -> Result?) throws(SolidError) -> Result {
        for attempt in 0..<Self.attempts {
            if let result = body(try rings(widenedBy: Double(attempt) * Self.widening)) { return result }
        }
        throw .outlineTouchesItself(attempts: Self.attempts)
    }

    private func rings(widenedBy extra: Double) throws(SolidError) -> [Polygon2] {
        var outlines = paths.map { path in
            var path = path
            for index in path.points.indices { path.points[index].radius += extra }
            return pen.ring(around: path)
        }
        outlines += fillings.map { PenOutline.Ring(points: $0.vertices) }
        let smallest = pen.arcTolerance * pen.arcTolerance
        return try Self.unite(outlines).filter { $0.area >= smallest }
    }

    /// The rings around everything that the outlines wind around counter-clockwise.
    private static func unite(_ outlines: [PenOutline.Ring]) throws(SolidError) -> [Polygon2] {
        let points = outlines.flatMap(\.points).map {
            CPolygonPoint(x_units: Int64(($0.x / unit).rounded()), y_units: Int64(($0.y / unit).rounded()))
        }
        let lengths = outlines.map { Int64($0.points.count) }
        let chords = outlines.flatMap(\.chords).map { CPolygonChord(first: Int64($0.right), second: Int64($0.left)) }
        let chordCounts = outlines.map { Int64($0.chords.count) }
        var outline: OpaquePointer?
        let status = cpolygon_unite(
            points, lengths, Int64(lengths.count), chords, chordCounts, smallestDetail, &outline)
        defer { cpolygon_destroy(outline) }
        guard status == CPOLYGON_OK else { throw .outlineFailed(status: Int(status.rawValue)) }
        var corners = [CPolygonPoint](repeating: CPolygonPoint(), count: Int(cpolygon_point_count(outline)))
        var ringLengths = [Int64](repeating: 0, count: Int(cpolygon_ring_count(outline)))
        let copied = cpolygon_copy(outline, &corners, &ringLengths)
        guard copied == CPOLYGON_OK else { throw .outlineFailed(status: Int(copied.rawValue)) }
        var first = 0
        return ringLengths.map { length in
            defer { first += Int(length) }
            return Polygon2(
                corners[first..<first + Int(length)].map { unit * Point2(Double($0.x_units), Double($0.y_units)) })
        }
    }
}
