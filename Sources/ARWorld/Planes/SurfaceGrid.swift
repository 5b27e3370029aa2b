// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Where on a surface there is evidence for it and where against: counts in square cells of the surface's x and z.
///
/// The memory is bounded: a grid that would need more than ``maximumSide`` cells a side doubles the cells' size.
struct SurfaceGrid: Sendable {
    struct Cell: Sendable {
        /// Points that lie on the surface here.
        var support = 0
        /// Rays that went through the surface here to a point behind it.
        var passages = 0
        /// The point at the end of the latest of these rays.
        var latestPassage: UInt64 = 0

        /// Whether what was seen through the cell outweighs what was seen on it. A few rays may err.
        var isOpen: Bool { passages >= 3 + 3 * support }
    }

    static let maximumSide = 128

    /// The side of a cell, in metres.
    private(set) var cellSize: Double
    /// The first column and row.
    private(set) var origin = SIMD2<Int>.zero
    private(set) var columns = 0
    private(set) var rows = 0
    private(set) var cells: [Cell] = []

    init(cellSize: Double) { self.cellSize = cellSize }

    /// The column and the row, counted from the surface's own origin, that hold a place on the surface.
    func position(of place: Point2) -> SIMD2<Int> {
        SIMD2(Int((place.x / cellSize).rounded(.down)), Int((place.y / cellSize).rounded(.down)))
    }

    /// Where the cell of a place is kept; `nil` where the grid does not reach.
    func index(of place: Point2) -> Int? {
        let cell = position(of: place) &- origin
        guard cell.x >= 0, cell.y >= 0, cell.x < columns, cell.y < rows else { return nil }
        return cell.y * columns + cell.x
    }

    subscript(place: Point2) -> Cell? { index(of: place).map { cells[$0] } }

    /// Counts a point on the surface.
    mutating func support(_ place: Point2) {
        include(place)
        guard let index = index(of: place) else { return }
        cells[index].support += 1
    }

    /// Takes back what was counted of a point.
    mutating func withdraw(_ place: Point2) {
        guard let index = index(of: place), cells[index].support > 0 else { return }
        cells[index].support -= 1
    }

    /// Counts a ray through the surface, unless the ray before it in this cell went to the same point: one point seen in
    /// many frames is one witness.
    mutating func pass(_ place: Point2, to id: UInt64) {
        guard let index = index(of: place), cells[index].latestPassage != id else { return }
        cells[index].passages = min(cells[index].passages + 1, 1000)
        cells[index].latestPassage = id
    }

    /// Adds all counts of another grid, whose places `transform` takes here.
    mutating func add(_ other: SurfaceGrid, movedBy transform: (Point2) -> Point2) {
        for row in 0..<other.rows {
            for column in 0..<other.columns {
                let cell = other.cells[row * other.columns + column]
                guard cell.support > 0 else { continue }
                let place = transform(other.center(column: column, row: row))
                include(place)
                if let index = index(of: place) { cells[index].support += cell.support }
            }
        }
    }

    /// The mean distance of neighbouring points, n^−½ for n of them a square metre, in metres.
    ///
    /// It follows from the median distance to the nearest neighbour, which evenly spread points have at √(ln 2 / (π n)):
    /// holes and a ragged rim do not change it (Clark, Evans 1954, "Distance to nearest neighbor").
    var spacing: Double {
        var nearest: [Int] = []
        for row in 0..<rows {
            for column in 0..<columns where cells[row * columns + column].support > 0 {
                nearest.append(squaredDistanceToNeighbor(column: column, row: row))
            }
        }
        guard !nearest.isEmpty else { return cellSize }
        nearest.sort()
        return Double(nearest[nearest.count / 2]).squareRoot() * cellSize / (log(2) / .pi).squareRoot()
    }

    /// The squared distance to the nearest other cell with evidence, in cells; a large one when it is far.
    private func squaredDistanceToNeighbor(column: Int, row: Int) -> Int {
        let farthest = 12
        var nearest = farthest * farthest
        for ring in 1...farthest where ring * ring < nearest {
            for step in -ring...ring {
                for (x, y) in [(step, -ring), (step, ring), (-ring, step), (ring, step)] {
                    let (x2, y2) = (column + x, row + y)
                    guard x2 >= 0, y2 >= 0, x2 < columns, y2 < rows, cells[y2 * columns + x2].support > 0 else {
                        continue
                    }
                    nearest = min(nearest, x * x + y * y)
                }
            }
        }
        return nearest
    }

    /// The middle of a cell.
    func center(column: Int, row: Int) -> Point2 {
        Point2(Double(origin.x + column) + 0.5, Double(origin.y + row) + 0.5) * cellSize
    }

    /// The corner of a cell towards smaller x and z.
    func corner(column: Int, row: Int) -> Point2 {
        Point2(Double(origin.x + column), Double(origin.y + row)) * cellSize
    }

    /// Makes room for a place.
    private mutating func include(_ place: Point2) {
        while index(of: place) == nil {
            let cell = position(of: place)
            // New rows and columns come in eights, so that few points make the grid grow.
            let low = columns == 0 ? cell &- 4 : pointwiseMin(origin, cell &- 8)
            let high = columns == 0 ? cell &+ 4 : pointwiseMax(origin &+ SIMD2(columns, rows), cell &+ 8)
            let needed = high &- low
            if needed.x <= Self.maximumSide, needed.y <= Self.maximumSide {
                resize(from: low, columns: needed.x, rows: needed.y) { $0 }
            } else {
                coarsen()
            }
        }
    }

    private mutating func coarsen() {
        cellSize *= 2
        let end = origin &+ SIMD2(columns, rows)
        let low = SIMD2(origin.x >> 1, origin.y >> 1)
        let high = SIMD2((end.x + 1) >> 1, (end.y + 1) >> 1)
        resize(from: low, columns: high.x - low.x, rows: high.y - low.y) { SIMD2($0.x >> 1, $0.y >> 1) }
    }

    private mutating func resize(
        from low: SIMD2<Int>, columns newColumns: Int, rows newRows: Int, moving: (SIMD2<Int>) -> SIMD2<Int>
    ) {
        var resized = [Cell](repeating: Cell(), count: newColumns * newRows)
        for row in 0..<rows {
            for column in 0..<columns {
                let cell = cells[row * columns + column]
                let target = moving(origin &+ SIMD2(column, row)) &- low
                let index = target.y * newColumns + target.x
                resized[index].support += cell.support
                resized[index].passages = max(resized[index].passages, cell.passages)
                resized[index].latestPassage = cell.latestPassage
            }
        }
        (origin, columns, rows, cells) = (low, newColumns, newRows, resized)
    }
}
