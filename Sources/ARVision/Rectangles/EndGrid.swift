// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// The ends of runs, sorted by the runs' directions and into square cells.
struct EndGrid {
    private static let side = 32.0
    /// The sectors of 15° into which directions are sorted.
    private static let sectorCount = 12
    private let columns, rows: Int
    /// The ends of each cell, one cell's after the other's: cells by row, rows by sector.
    private var cellEnds: [Int]
    private var sorted: [(end: Int, place: Vector2)] = []

    init(runs: [EdgeRun], imageSize: ImageSize) {
        let columns = imageSize.width / Int(Self.side) + 1
        let rows = imageSize.height / Int(Self.side) + 1
        (self.columns, self.rows) = (columns, rows)
        let sectors = runs.map { Self.sector(of: Self.angle(of: $0.direction)) }
        let ends = runs.flatMap { [$0.start, $0.end] }
        let cells = zip(ends.indices, ends).map { number, end in
            let column = min(max(Int(end.x / Self.side), 0), columns - 1)
            let row = min(max(Int(end.y / Self.side), 0), rows - 1)
            return (sectors[number / 2] * rows + row) * columns + column
        }
        cellEnds = [Int](repeating: 0, count: Self.sectorCount * rows * columns + 1)
        for cell in cells { cellEnds[cell + 1] += 1 }
        for cell in 1..<cellEnds.count { cellEnds[cell] += cellEnds[cell - 1] }
        var next = cellEnds
        sorted = [(Int, Vector2)](repeating: (0, .zero), count: ends.count)
        for (number, cell) in cells.enumerated() {
            sorted[next[cell]] = (number, ends[number])
            next[cell] += 1
        }
    }

    /// A line's direction as an angle from 0 to π.
    private static func angle(of direction: Vector2) -> Double {
        let angle = atan2(direction.y, direction.x)
        return angle < 0 ? angle + .pi : angle
    }

    private static func sector(of angle: Double) -> Int { Int(angle / .pi * Double(sectorCount)) % sectorCount }

    /// Calls with twice the run's number, plus one for its end, of the runs that are within an angle of right ones to a
    /// direction.
    @inline(__always) func forEachEnd(
        within radius: Double, of place: Vector2, across direction: Vector2, tolerance: Double, _ body: (Int) -> Void
    ) {
        func range(_ middle: Double, _ count: Int) -> ClosedRange<Int> {
            let low = min(max(Int((middle - radius) / Self.side), 0), count - 1)
            return low...max(low, min(max(Int((middle + radius) / Self.side), 0), count - 1))
        }
        let limit = radius * radius
        let across = Self.angle(of: direction) + .pi / 2
        let perSector = Double(Self.sectorCount) / .pi
        let first = Int(((across - tolerance) * perSector).rounded(.down))
        let last = Int(((across + tolerance) * perSector).rounded(.down))
        let (columnRange, rowRange) = (range(place.x, columns), range(place.y, rows))
        for turned in first...min(last, first + Self.sectorCount - 1) {
            let sector = (turned + 2 * Self.sectorCount) % Self.sectorCount
            for row in rowRange {
                let start = (sector * rows + row) * columns
                // The cells of a row follow each other.
                for index in cellEnds[start + columnRange.lowerBound]..<cellEnds[start + columnRange.upperBound + 1]
                where (sorted[index].place - place).squaredLength <= limit {
                    body(sorted[index].end)
                }
            }
        }
    }
}
