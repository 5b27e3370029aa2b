// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Distances between the cells of a rectangular grid.
///
/// - Reference: Borgefors 1986, "Distance transformations in digital images": two passes with the steps 5, 7 and 11,
///   within 2 % of the Euclidean distance.
struct DistanceField {
    let columns: Int
    let rows: Int

    /// Whether each cell lies at most that many cells from one that is marked.
    func cells(within radius: Int, of isMarked: [Bool]) -> [Bool] {
        // Two cells of rim on each side, so that no step leaves the field.
        let stride = columns + 4
        let far = Int32.max / 2
        var field = [Int32](repeating: far, count: stride * (rows + 4))
        for row in 0..<rows {
            for column in 0..<columns where isMarked[row * columns + column] {
                field[(row + 2) * stride + column + 2] = 0
            }
        }
        field.withUnsafeMutableBufferPointer { field in
            guard let cells = field.baseAddress else { return }
            func relax(_ cell: UnsafeMutablePointer<Int32>, _ down: Int, _ right: Int) {
                let straight = min(cell[-right], cell[-down]) + 5
                let diagonal = min(cell[-down - right], cell[-down + right]) + 7
                let knights = min(
                    min(cell[-2 * down - right], cell[-2 * down + right]),
                    min(cell[-down - 2 * right], cell[-down + 2 * right]))
                cell.pointee = min(min(cell.pointee, straight), min(diagonal, knights + 11))
            }
            for row in 2..<rows + 2 {
                for column in 2..<columns + 2 { relax(cells + (row * stride + column), stride, 1) }
            }
            for row in (2..<rows + 2).reversed() {
                for column in (2..<columns + 2).reversed() { relax(cells + (row * stride + column), -stride, -1) }
            }
        }
        var isNear = [Bool](repeating: false, count: columns * rows)
        for row in 0..<rows {
            for column in 0..<columns {
                isNear[row * columns + column] = field[(row + 2) * stride + column + 2] <= Int32(5 * radius)
            }
        }
        return isNear
    }
}

/// The connected pieces of a set of cells: cells that share an edge belong together.
struct CellPieces {
    /// The piece of each cell, counted from one; zero outside.
    private(set) var labels: [Int]
    private(set) var count = 0

    init(columns: Int, rows: Int, isInside: [Bool]) {
        labels = [Int](repeating: 0, count: columns * rows)
        var open: [Int] = []
        for seed in labels.indices where labels[seed] == 0 && isInside[seed] {
            count += 1
            labels[seed] = count
            open.append(seed)
            while let cell = open.popLast() {
                let column = cell % columns
                if column > 0 { visit(cell - 1) }
                if column < columns - 1 { visit(cell + 1) }
                if cell >= columns { visit(cell - columns) }
                if cell + columns < labels.count { visit(cell + columns) }
            }
        }

        func visit(_ cell: Int) {
            guard labels[cell] == 0, isInside[cell] else { return }
            labels[cell] = count
            open.append(cell)
        }
    }

    /// The piece with the greatest sum of weights, of equal ones the first; `nil` when there is no piece.
    mutating func heaviest(_ weights: [Int]) -> Int? {
        guard count > 0 else { return nil }
        var sums = [Int](repeating: 0, count: count + 1)
        for (cell, label) in labels.enumerated() { sums[label] += weights[cell] }
        return (1...count).max { (sums[$0], -$0) < (sums[$1], -$1) }
    }
}

/// The outer outline of one connected piece of cells, along the cells' edges.
struct CellContour {
    /// The cells' corners, in columns and rows, counter-clockwise where columns point right and rows towards the viewer:
    /// seen against +Y for a surface's x and z.
    let corners: [SIMD2<Int>]

    /// Follows the outline with the piece to the left.
    ///
    /// - Parameter isInside: at least one cell, none of them in the first or last row or column.
    init(isInside: [Bool], columns: Int) {
        guard let first = isInside.firstIndex(of: true) else {
            corners = []
            return
        }
        func leftHand(of direction: SIMD2<Int>) -> SIMD2<Int> { SIMD2(direction.y, -direction.x) }
        /// Whether the cells ahead of a corner, on the left and on the right hand, belong to the piece.
        func ahead(_ place: SIMD2<Int>, _ direction: SIMD2<Int>) -> (left: Bool, right: Bool) {
            func holds(_ side: SIMD2<Int>) -> Bool {
                // The cell whose middle lies half a step ahead and half a step aside.
                let twice = place &* 2 &+ direction &+ side &- SIMD2(1, 1)
                return isInside[(twice.y / 2) * columns + twice.x / 2]
            }
            return (holds(leftHand(of: direction)), holds(.zero &- leftHand(of: direction)))
        }
        // No cell lies before the first one, in its row or above: its upper left corner is a corner of the outline.
        let start = SIMD2(first % columns, first / columns)
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
}
