// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The connected pieces of a set of cells: cells that share an edge belong together.
struct CellPieces {
    /// Neighbouring cells of one row.
    private struct Run {
        var row: Int
        var columns: Range<Int>
        /// The first run of the same piece, as far as is known.
        var first: Int
    }

    private let grid: CellSet
    private var runs: [Run] = []
    /// Which of the runs lie in each row.
    private var runsOfRow: [Range<Int>] = []

    init(of cells: CellSet) {
        grid = CellSet(columns: cells.columns, rows: cells.rows)
        var above = 0..<0
        for row in 0..<cells.rows {
            let start = runs.count
            for columns in cells.runs(inRow: row) {
                runs.append(Run(row: row, columns: columns, first: runs.count))
                for neighbor in above where runs[neighbor].columns.overlaps(columns) { join(neighbor, runs.count - 1) }
            }
            above = start..<runs.count
            runsOfRow.append(above)
        }
    }

    /// How many pieces there are.
    var count: Int { runs.indices.count { runs[$0].first == $0 } }

    /// The piece with the greatest sum of weights, of equal ones that which begins in the first row, and there in the first column;
    /// `nil` when none has any weight.
    ///
    /// - Parameter weights: what single cells weigh; what is not listed weighs nothing.
    func heaviest(_ weights: [(column: Int, row: Int, weight: Int)]) -> CellSet? {
        var sums = [Int](repeating: 0, count: runs.count)
        for (column, row, weight) in weights {
            if let run = run(ofColumn: column, row: row) { sums[first(of: run)] += weight }
        }
        guard let piece = sums.indices.max(by: { (sums[$0], -$0) < (sums[$1], -$1) }), sums[piece] > 0 else {
            return nil
        }
        var cells = grid
        for run in runs.indices where first(of: run) == piece {
            cells.insert(runs[run].columns, inRow: runs[run].row)
        }
        return cells
    }

    /// The cells of those pieces for which a condition holds, on how many cells a piece has and how many of them belong to another set.
    /// Law: `CellSetTests.piecesAreChosenByWhatTheyShare`.
    func cells(sharedWith other: CellSet, ofPiecesWhere holds: (_ count: Int, _ shared: Int) -> Bool) -> CellSet {
        var (counts, shared) = ([Int](repeating: 0, count: runs.count), [Int](repeating: 0, count: runs.count))
        for index in runs.indices {
            let (run, piece) = (runs[index], first(of: index))
            counts[piece] += run.columns.count
            shared[piece] += run.columns.count { other[$0, run.row] }
        }
        var cells = grid
        for index in runs.indices where holds(counts[first(of: index)], shared[first(of: index)]) {
            cells.insert(runs[index].columns, inRow: runs[index].row)
        }
        return cells
    }

    private func run(ofColumn column: Int, row: Int) -> Int? {
        runsOfRow[row].first { runs[$0].columns.contains(column) }
    }

    private func first(of run: Int) -> Int {
        var run = run
        while runs[run].first != run { run = runs[run].first }
        return run
    }

    private mutating func join(_ a: Int, _ b: Int) {
        let (a, b) = (first(of: a), first(of: b))
        runs[max(a, b)].first = min(a, b)
    }
}

/// The outer outline of one connected piece of cells, along the cells' edges.
struct CellContour {
    /// The cells' corners, in columns and rows, counter-clockwise where columns point right and rows towards the viewer:
    /// seen against +Y for a surface's x and z.
    let corners: [SIMD2<Int>]

    /// Follows the outline with the piece to the left.
    ///
    /// - Parameter piece: none of its cells lies in the first or last row or column.
    init(of piece: CellSet) {
        guard let start = Self.firstCell(of: piece) else {
            corners = []
            return
        }
        func leftHand(of direction: SIMD2<Int>) -> SIMD2<Int> { SIMD2(direction.y, -direction.x) }
        /// Whether the cells ahead of a corner, on the left and on the right hand, belong to the piece.
        func ahead(_ place: SIMD2<Int>, _ direction: SIMD2<Int>) -> (left: Bool, right: Bool) {
            func holds(_ side: SIMD2<Int>) -> Bool {
                // The cell whose middle lies half a step ahead and half a step aside.
                let twice = place &* 2 &+ direction &+ side &- SIMD2(1, 1)
                return piece[twice.x / 2, twice.y / 2]
            }
            return (holds(leftHand(of: direction)), holds(.zero &- leftHand(of: direction)))
        }
        // No cell lies before the first one, in its row or above: its upper left corner is a corner of the outline.
        let downwards = SIMD2(0, 1)
        var (place, direction) = (start, downwards)
        var found: [SIMD2<Int>] = []
        repeat {
            found.append(place)
            repeat { place = place &+ direction } while ahead(place, direction) == (true, false)
            // Where two cells touch in a corner only, the outline stays with its own cell.
            direction = ahead(place, direction).left ? .zero &- leftHand(of: direction) : leftHand(of: direction)
        } while place != start || direction != downwards
        corners = found
    }

    /// The corners, in columns and rows, moved inwards from both of their edges by a part of a cell.
    ///
    /// - Parameter inset: less than half a cell, so that a row of single cells keeps a width.
    func corners(movedInwardsBy inset: Double) -> [Point2] {
        corners.indices.map { index in
            let (before, after) = (
                corners[index > 0 ? index - 1 : corners.count - 1], corners[(index + 1) % corners.count]
            )
            let corner = corners[index]
            let inwards = inwards(along: corner &- before) &+ inwards(along: after &- corner)
            return Point2(Double(corner.x), Double(corner.y)) + inset * Point2(Double(inwards.x), Double(inwards.y))
        }
    }

    /// The direction to the left of an edge.
    private func inwards(along edge: SIMD2<Int>) -> SIMD2<Int> { SIMD2(edge.y.signum(), -edge.x.signum()) }

    private static func firstCell(of piece: CellSet) -> SIMD2<Int>? {
        for row in 0..<piece.rows {
            if let run = piece.runs(inRow: row).first { return SIMD2(run.lowerBound, row) }
        }
        return nil
    }
}
