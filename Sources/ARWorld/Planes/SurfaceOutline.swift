// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The outline of a surface's evidence: gaps narrower than twice the reach are bridged, wider ones are not, so that the
/// outline is concave where the evidence is.
///
/// The evidence is closed: what lies within the reach of it, less what lies within the reach of the outside of that
/// (morphological closing: Serra 1982). It equals what an alpha shape of that radius covers (Edelsbrunner, Kirkpatrick,
/// Seidel 1983), and leaves convex outlines as they are. Where things were seen through the surface it is opened
/// again, and so are bridges that pictures deny. Of several pieces the one with most evidence counts.
struct SurfaceOutline: Sendable {
    /// The corners in the surface's x and z, counter-clockwise seen against +Y; at least three.
    let corners: [Point2]
    /// The least and the greatest x and z of the corners.
    private let lowest: Point2
    private let highest: Point2
    /// The cells of the piece.
    private let piece: CellSet
    /// The column and the row of the first cell.
    private let origin: SIMD2<Int>
    private let cellSize: Double
    /// How far the surface may go on beyond the evidence: the radius of the gaps that were bridged, in metres.
    let reach: Double
    /// How many points lie on the piece.
    let support: Int
    /// The cells of the piece that hold points.
    let supportedCells: Int
    /// The cells of the piece that hold points or that pictures show.
    let evidentCells: Int

    /// The outline of nothing.
    init() {
        (corners, piece, origin, cellSize) = ([], CellSet(columns: 0, rows: 0), .zero, 1)
        (lowest, highest) = (.zero, .zero)
        (reach, support, supportedCells, evidentCells) = (0, 0, 0, 0)
    }

    /// `nil` when nothing supports the surface.
    init?(_ grid: SurfaceGrid, reach: Double, endingAt seams: [Seam] = []) {
        self.init(KnownCells(of: grid, reach: reach, endingAt: seams), reach: reach)
    }

    /// `nil` when nothing supports the surface.
    ///
    /// - Parameter reach: at most that for which the cells were told.
    init?(_ known: KnownCells, reach: Double) {
        self.reach = reach
        let radius = KnownCells.radius(ofReach: reach, cellSize: known.cellSize)
        (origin, cellSize) = (known.origin, known.cellSize)
        guard let piece = CellPieces(of: known.shown(bridging: radius)).heaviest(known.points) else { return nil }
        self.piece = piece
        let ownPoints = known.points.filter { piece[$0.column, $0.row] }
        support = ownPoints.reduce(0) { $0 + $1.weight }
        supportedCells = ownPoints.count
        evidentCells = known.evident.intersection(piece).count
        let outline = Polygon2(
            CellContour(of: piece).corners(movedInwardsBy: Self.inset).map { [origin, cellSize] in
                (Point2(Double(origin.x), Double(origin.y)) + $0) * cellSize
            })
        // What is bridged inside is bridged at the rim.
        corners =
            outline.simplified(tolerance: Self.tolerance * cellSize).withoutDents(shallowerThan: reach / 2)
            .simplified(tolerance: Self.tolerance * cellSize).vertices
        guard corners.count >= 3 else { return nil }
        lowest = corners.reduce(corners[0], pointwiseMin)
        highest = corners.reduce(corners[0], pointwiseMax)
    }

    /// How far the outline may pass beside the edges of its cells, in cells: the stairs of a slanting rim are no corners. With a whole cell
    /// what is as small as a stool and round becomes a hexagon. Law: `SurfaceOutlineTests.whatIsRoundStaysRound`.
    private static let tolerance = 0.75

    /// How far inside of the edges of its outermost cells the outline lies, in cells: their evidence lies about their middles. A thing that is
    /// half a metre wide is found larger by a seventh else. Law: `SurfaceOutlineTests.anOutlineIsAsLargeAsItsEvidence`.
    private static let inset = 1.0 / 3

    /// Whether a place on the surface lies in a cell of the piece.
    func contains(_ place: Point2) -> Bool {
        let cell = place / cellSize
        return piece[Int(cell.x.rounded(.down)) - origin.x, Int(cell.y.rounded(.down)) - origin.y]
    }

    /// Places on the piece in rows and columns, at most that many of each.
    func places(across count: Int) -> [Point2] {
        let (low, size) = (lowest, highest - lowest)
        return (0..<count * count).compactMap { number in
            let part = Point2(Double(number % count) + 0.5, Double(number / count) + 0.5) / Double(count)
            let place = low + part * size
            return contains(place) ? place : nil
        }
    }

    /// The middle of the corners' bounds.
    var middle: Point2 { (lowest + highest) / 2 }

    /// Places in rows and columns over the piece and a rim about its bounds, as many of each.
    ///
    /// - Parameters:
    ///   - phase: where each place lies in its share of the whole, from 0 to 1 along both axes.
    ///   - rim: its width, in metres.
    func placesAbout(across count: Int, phase: Point2, rim: Double) -> [Point2] {
        let low = lowest - Point2(repeating: rim)
        let share = (highest + Point2(repeating: rim) - low) / Double(count)
        return (0..<count * count).map { low + (Point2(Double($0 % count), Double($0 / count)) + phase) * share }
    }

    /// Whether a place belongs to the piece or lies within a distance of it, by default within the reach.
    func isNear(_ place: Point2, within distance: Double? = nil) -> Bool {
        if contains(place) { return true }
        let distance = distance ?? reach
        let outside = pointwiseMax(lowest - place, place - highest)
        return max(outside.x, outside.y) <= distance
            && Polygon2(corners).edges.contains { edge in
                let low = pointwiseMin(edge.start, edge.end) - place, high = place - pointwiseMax(edge.start, edge.end)
                return max(max(low.x, low.y), max(high.x, high.y)) <= distance && edge.distance(to: place) <= distance
            }
    }

    /// The shorter side of the smallest rectangle about the piece, in metres.
    var width: Double {
        guard let rectangle = Polygon2(corners).minimumAreaBoundingRectangle else { return 0 }
        return 2 * min(rectangle.halfExtents.x, rectangle.halfExtents.y)
    }

    /// The area of the piece, in m².
    var area: Double { Polygon2(corners).area }

    /// The mean distance of neighbouring places with evidence, in metres.
    var spacing: Double { (area / Double(max(1, evidentCells))).squareRoot() }
}
