// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CPolygon

/// The outline of a round pen's way along paths, as polygons whose rings touch neither each other nor themselves.
///
/// Computed by Clipper on a grid of ``unit``. Where the way touches itself in a point (as two bends exactly one width
/// apart do), or rounding to the grid makes rings touch, the solid above would not be manifold. The pen is then made
/// wider by ``widening`` until the rings are simple, decided exactly: touching places flow together, and nothing else
/// changes by more than that. Holes smaller than the square of the arc tolerance are filled.
enum Footprint {
    /// The grid's step: 2⁻²⁴ m, about 60 nm. A power of two, so that coordinates are exact numbers and so are the
    /// decisions taken on them; coarse enough that neighbouring points stay apart when files are read with a tolerance
    /// of 10 nm.
    static let unit = 0x1p-24

    /// By how much the pen's radius grows with each attempt, in units: about half a micrometre.
    static let widening = 8.0

    /// Corners nearer than this to a neighbour, or to the line between their neighbours, are left out, in units: about a
    /// micrometre, so that no triangle is thinner than readers of files tolerate.
    static let smallestDetail = 16.0

    /// The number of attempts.
    static let attempts = 32

    /// The farthest that a coordinate may lie from the origin, in metres.
    static let farthest = 0x1p30

    /// The figure that covers everything within `radius` of the paths, which hold at least a point each.
    static func figure(
        around paths: [[Point2]], radius: Double, arcTolerance: Double
    ) throws(SolidError) -> FlatFigure {
        for attempt in 0..<attempts {
            let rings = try trace(
                paths, radius: radius / unit + Double(attempt) * widening, arcTolerance: arcTolerance / unit)
            let kept = rings.filter { !$0.isHole || $0.polygon.area >= arcTolerance * arcTolerance }
            if Polygon2.areSimpleAndDisjoint(kept.map(\.polygon)), let figure = FlatFigure(group(kept)) {
                return figure
            }
        }
        throw .outlineTouchesItself(attempts: attempts)
    }

    /// The paths' points on the grid, without points that repeat the one before.
    static func snap(_ path: [Point2]) -> [Point2] {
        var snapped: [Point2] = []
        for point in path {
            let onGrid = unit * Point2((point.x / unit).rounded(), (point.y / unit).rounded())
            if onGrid != snapped.last { snapped.append(onGrid) }
        }
        return snapped
    }

    private typealias Ring = (polygon: Polygon2, isHole: Bool)

    private static func trace(
        _ paths: [[Point2]], radius: Double, arcTolerance: Double
    ) throws(SolidError) -> [Ring] {
        let points = paths.joined().map { CPolygonPoint(x_units: Int64($0.x / unit), y_units: Int64($0.y / unit)) }
        let lengths = paths.map { Int64($0.count) }
        var outline: OpaquePointer?
        let status = cpolygon_trace(
            points, lengths, Int64(lengths.count), radius, arcTolerance, smallestDetail, &outline)
        defer { cpolygon_destroy(outline) }
        guard status == CPOLYGON_OK else { throw .outlineFailed(status: Int(status.rawValue)) }
        let corner = CPolygonPoint(x_units: 0, y_units: 0)
        var corners = [CPolygonPoint](repeating: corner, count: Int(cpolygon_point_count(outline)))
        var ringLengths = [Int64](repeating: 0, count: Int(cpolygon_ring_count(outline)))
        var ringIsHole = [Int8](repeating: 0, count: ringLengths.count)
        let copied = cpolygon_copy(outline, &corners, &ringLengths, &ringIsHole)
        guard copied == CPOLYGON_OK else { throw .outlineFailed(status: Int(copied.rawValue)) }
        var first = 0
        return zip(ringLengths, ringIsHole).map { length, isHole in
            defer { first += Int(length) }
            let vertices = corners[first..<first + Int(length)].map {
                unit * Point2(Double($0.x_units), Double($0.y_units))
            }
            return (Polygon2(vertices), isHole != 0)
        }
    }

    /// Outer rings with the holes that follow them.
    private static func group(_ rings: [Ring]) -> [PolygonWithHoles] {
        var polygons: [PolygonWithHoles] = []
        for ring in rings {
            if ring.isHole, !polygons.isEmpty {
                polygons[polygons.count - 1].holes.append(ring.polygon)
            } else {
                polygons.append(PolygonWithHoles(outer: ring.polygon))
            }
        }
        return polygons
    }
}
