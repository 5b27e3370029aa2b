// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Segments sorted into the square cells of a grid, about as many cells as segments: what algorithms on outlines look
/// into to find what is near.
struct SegmentGrid {
    let segments: [Segment2]
    private let origin: Point2
    private let cellSize: Double
    private let columns: Int
    private let rows: Int
    private let firstInCell: [Int32]
    private let members: [Int32]

    /// The coordinates must be finite.
    /// - Complexity: O(n) for n segments of about the same length.
    init(_ segments: [Segment2]) {
        self.segments = segments
        let corner = segments.first?.start ?? .zero
        let lower = segments.reduce(corner) { pointwiseMin($0, pointwiseMin($1.start, $1.end)) }
        let upper = segments.reduce(corner) { pointwiseMax($0, pointwiseMax($1.start, $1.end)) }
        let (size, count) = (upper - lower, Double(max(1, segments.count)))
        let side = max((size.x * size.y / count).squareRoot(), max(size.x, size.y) / count)
        origin = lower
        cellSize = side > 0 ? side : 1
        columns = Int(size.x / cellSize) + 1
        rows = Int(size.y / cellSize) + 1
        var starts = [Int32](repeating: 0, count: columns * rows + 1)
        let cover = Cover(origin: origin, cellSize: cellSize, columns: columns, rows: rows)
        for segment in segments { cover.forEachCell(of: segment) { starts[$0 + 1] += 1 } }
        for cell in 0..<columns * rows { starts[cell + 1] += starts[cell] }
        firstInCell = starts
        var members = [Int32](repeating: 0, count: Int(starts[columns * rows]))
        for (index, segment) in segments.enumerated() {
            cover.forEachCell(of: segment) {
                members[Int(starts[$0])] = Int32(index)
                starts[$0] += 1
            }
        }
        self.members = members
    }

    /// Whether `body` holds for all pairs of segments whose bounding boxes touch near each other: at least once for each
    /// pair that has a point in common, a few times for some.
    func allPairsSatisfy(_ body: (Int, Int) -> Bool) -> Bool {
        for cell in 0..<columns * rows {
            let range = Int(firstInCell[cell])..<Int(firstInCell[cell + 1])
            for place in range {
                let index = Int(members[place])
                let segment = segments[index]
                for other in range.lowerBound..<place {
                    let earlier = Int(members[other])
                    guard !segments[earlier].boundsTouch(segment) || body(earlier, index) else { return false }
                }
            }
        }
        return true
    }

    /// Which cells a segment touches.
    private struct Cover {
        var origin: Point2
        var cellSize: Double
        var columns: Int
        var rows: Int

        /// More than rounding can amount to, in cells.
        private static let margin = 1e-6

        /// Calls `body` for each cell that the segment touches, row by row.
        @inline(__always)
        func forEachCell(of segment: Segment2, _ body: (Int) -> Void) {
            let (a, b) = ((segment.start - origin) / cellSize, (segment.end - origin) / cellSize)
            let (low, high) = a.y <= b.y ? (a, b) : (b, a)
            let (firstRow, lastRow) = (row(low.y - Self.margin), row(high.y + Self.margin))
            let slope = high.y > low.y ? (high.x - low.x) / (high.y - low.y) : 0
            for row in firstRow...lastRow {
                var (left, right) = (min(low.x, high.x), max(low.x, high.x))
                if firstRow < lastRow, high.y > low.y {
                    // The part between the row's lower and upper edge; a nearly level one is left whole.
                    let (below, above) = (Double(row) - Self.margin, Double(row + 1) + Self.margin)
                    let start = low.x + slope * (max(low.y, below) - low.y)
                    let end = low.x + slope * (min(high.y, above) - low.y)
                    left = max(left, min(start, end))
                    right = min(right, max(start, end))
                }
                let (first, last) = (column(left - Self.margin), column(right + Self.margin))
                for column in min(first, last)...max(first, last) { body(row * columns + column) }
            }
        }

        private func row(_ y: Double) -> Int { min(rows - 1, max(0, Int(max(0, y)))) }
        private func column(_ x: Double) -> Int { min(columns - 1, max(0, Int(max(0, x)))) }
    }
}

extension Segment2 {
    fileprivate func boundsTouch(_ other: Segment2) -> Bool {
        min(start.x, end.x) <= max(other.start.x, other.end.x) && min(other.start.x, other.end.x) <= max(start.x, end.x)
            && min(start.y, end.y) <= max(other.start.y, other.end.y)
            && min(other.start.y, other.end.y) <= max(start.y, end.y)
    }
}
