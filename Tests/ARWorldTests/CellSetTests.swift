// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARWorld

/// Sets of cells, their pieces and contours.
@Suite struct CellSetTests {
    /// What a set grows by is within 2 % of the Euclidean distance, and within half a cell.
    @Test(arguments: [41, 64, 65, 150]) func cellsWithinARadius(columns: Int) {
        var random = TestRandom(case: columns)
        let rows = 33
        let marks = (0..<6).map { _ in
            (Int(random.uniform(0...Double(columns - 1))), Int(random.uniform(0...Double(rows - 1))))
        }
        var marked = CellSet(columns: columns, rows: rows)
        for (column, row) in marks { marked[column, row] = true }
        for radius in [0, 1, 5, 8, 9, 10, 12, 70] {
            let near = marked.grown(by: radius)
            for row in 0..<rows {
                for column in 0..<columns {
                    let distance = marks.map { hypot(Double($0.0 - column), Double($0.1 - row)) }.min()!
                    if distance < 0.98 * Double(radius) - 0.5 { #expect(near[column, row]) }
                    if distance > 1.02 * Double(radius) + 0.5 { #expect(!near[column, row]) }
                }
            }
            #expect(near.complement.complement == near)
            for column in [0, 1, columns / 2, columns - 1] {
                var one = CellSet(columns: columns, rows: rows)
                one[column, rows / 2] = true
                let disk = one.grown(by: radius)
                #expect((0..<rows).allSatisfy { disk.runs(inRow: $0).count <= 1 })
            }
        }
    }

    /// A set holds what was put in, in runs as single cells, whatever the number of columns.
    @Test(arguments: 0..<40) func setsHoldTheirCells(number: Int) {
        var random = TestRandom(case: number)
        let (columns, rows) = (Int(random.uniform(1...200)), 5)
        var (set, cells) = (CellSet(columns: columns, rows: rows), Set<SIMD2<Int>>())
        for _ in 0..<300 {
            let cell = SIMD2(
                Int(random.uniform(0...Double(columns) - 0.01)), Int(random.uniform(0...Double(rows) - 0.01)))
            let belongs = random.uniform(0...1) < 0.7
            set[cell.x, cell.y] = belongs
            if belongs { cells.insert(cell) } else { cells.remove(cell) }
        }
        let inRuns = (0..<rows).flatMap { row in set.runs(inRow: row).flatMap { $0.map { SIMD2($0, row) } } }
        #expect(inRuns.count == cells.count && Set(inRuns) == cells && set.count == cells.count)
        for row in 0..<rows {
            for (run, next) in zip(set.runs(inRow: row), set.runs(inRow: row).dropFirst()) {
                #expect(run.upperBound < next.lowerBound)
            }
        }
        let other = set.grown(by: 2).subtracting(set)
        #expect(set.intersection(other).count == 0 && set.complement.count + set.count == columns * rows)
    }

    /// Opening takes away and closing adds, what they leave they leave once more, and one is the other of what is not there. A bar as wide as
    /// the disk stays, a narrower one goes, and a gap as narrow is closed.
    @Test(arguments: 0..<20) func openingAndClosing(number: Int) {
        var random = TestRandom(case: number)
        let cells = Self.cells(side: 60, filled: 0.6, &random)
        let radius = number % 4
        let (opened, closed) = (cells.opened(by: radius), cells.closed(by: radius))
        #expect(opened.subtracting(cells).count == 0 && cells.subtracting(closed).count == 0)
        #expect(opened.opened(by: radius) == opened && closed.closed(by: radius) == closed)
        #expect(cells.complement.opened(by: radius) == closed.complement)
        for width in 1...9 {
            var bar = CellSet(columns: 60, rows: 60)
            for row in 10..<50 { bar.insert(20..<20 + width, inRow: row) }
            #expect((bar.opened(by: radius).count > 0) == (width > 2 * radius))
        }
    }

    /// A square of cells of which that share is filled, none at its rim.
    static func cells(side: Int, filled share: Double, _ random: inout TestRandom) -> CellSet {
        var cells = CellSet(columns: side, rows: side)
        for row in 1..<side - 1 {
            for column in 1..<side - 1 where random.uniform(0...1) < share { cells[column, row] = true }
        }
        return cells
    }

    /// The piece with most cells.
    static func largestPiece(of cells: CellSet) -> CellSet? {
        CellPieces(of: cells).heaviest(
            (0..<cells.rows).flatMap { row in
                cells.runs(inRow: row).flatMap { $0.map { (column: $0, row: row, weight: 1) } }
            })
    }

    /// The pieces of a set: what is reached from a cell by steps to its four neighbours.
    private static func pieces(of cells: CellSet) -> [[SIMD2<Int>]] {
        var (rest, pieces) = (cells, [[SIMD2<Int>]]())
        while let row = (0..<cells.rows).first(where: { !rest.runs(inRow: $0).isEmpty }) {
            var (open, piece) = ([SIMD2(rest.runs(inRow: row)[0].lowerBound, row)], [SIMD2<Int>]())
            while let cell = open.popLast() {
                guard rest[cell.x, cell.y] else { continue }
                rest[cell.x, cell.y] = false
                piece.append(cell)
                open += [SIMD2(1, 0), SIMD2(-1, 0), SIMD2(0, 1), SIMD2(0, -1)].map { cell &+ $0 }
            }
            pieces.append(piece)
        }
        return pieces
    }

    /// The pieces of a set are what is reached cell by cell; the heaviest one holds most weight.
    @Test(arguments: 0..<60) func piecesAreWhatIsReached(number: Int) {
        var random = TestRandom(case: number)
        let cells = Self.cells(side: 16, filled: random.uniform(0.4...0.8), &random)
        let sizes = Self.pieces(of: cells).map(\.count)
        #expect(CellPieces(of: cells).count == sizes.count)
        let piece = Self.largestPiece(of: cells)
        #expect(piece?.count == sizes.max())
        #expect(piece.map { CellPieces(of: $0).count } == 1)
        #expect(CellPieces(of: cells).heaviest([]) == nil)
    }

    /// Pieces are chosen as wholes, by how many of all their cells belong to another set.
    @Test(arguments: 0..<60) func piecesAreChosenByWhatTheyShare(number: Int) {
        var random = TestRandom(case: number)
        let cells = Self.cells(side: 16, filled: random.uniform(0.2...0.6), &random)
        let others = Self.cells(side: 16, filled: 0.5, &random)
        func isChosen(_ count: Int, _ shared: Int) -> Bool { 5 * shared < 2 * count }
        var expected = CellSet(columns: 16, rows: 16)
        for piece in Self.pieces(of: cells) where isChosen(piece.count, piece.count { others[$0.x, $0.y] }) {
            for cell in piece { expected[cell.x, cell.y] = true }
        }
        #expect(CellPieces(of: cells).cells(sharedWith: others, ofPiecesWhere: isChosen) == expected)
    }

    /// The contour of cells encloses as much as they do, with them to its left, also where they touch in corners.
    @Test(arguments: 0..<40) func theContourEnclosesTheCells(number: Int) {
        var random = TestRandom(case: number)
        let side = 12
        guard let piece = Self.largestPiece(of: Self.cells(side: side, filled: 0.6, &random)) else { return }
        let polygon = Polygon2(CellContour(of: piece).corners.map { Point2(Double($0.x), Double($0.y)) })
        // Holes belong to what an outer contour encloses.
        let outside = CellPieces(of: piece.complement).heaviest([(column: 0, row: 0, weight: 1)])
        #expect(polygon.area >= Double(piece.count) - 1e-9)
        #expect(polygon.area <= Double(side * side - (outside?.count ?? 0)) + 1e-9)
        #expect(polygon.winding == .clockwise)
    }
}
