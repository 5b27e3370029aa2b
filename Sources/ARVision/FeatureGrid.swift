// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

/// The cells of a picture, each of which should hold a point: points all over the picture tell more about the motion
/// than as many in one corner.
struct FeatureGrid: Sendable {
    private let cells: [CVisionCell]
    private let columns: Int
    private let rows: Int
    private let margin: Int
    private let inner: ImageSize

    /// A grid of about that many square cells over a picture but for a margin.
    init(size: ImageSize, cellCount: Int, margin: Int) {
        self.margin = margin
        inner = ImageSize(width: max(size.width - 2 * margin, 0), height: max(size.height - 2 * margin, 0))
        let side = (Double(inner.width * inner.height) / Double(max(cellCount, 1))).squareRoot()
        columns = side > 0 ? max(Int((Double(inner.width) / side).rounded()), 1) : 0
        rows = side > 0 ? max(Int((Double(inner.height) / side).rounded()), 1) : 0
        cells = (0..<columns * rows).map { [inner, columns, rows] index in
            func edge(_ number: Int, of count: Int, along length: Int) -> Int { length * number / count }
            let (column, row) = (index % columns, index / columns)
            let left = edge(column, of: columns, along: inner.width)
            let top = edge(row, of: rows, along: inner.height)
            return CVisionCell(
                left_px: Int32(margin + left), top_px: Int32(margin + top),
                width_px: Int32(edge(column + 1, of: columns, along: inner.width) - left),
                height_px: Int32(edge(row + 1, of: rows, along: inner.height) - top))
        }
    }

    /// How far points keep from each other: half a cell.
    var spacing: Double { cells.first.map { Double(min($0.width_px, $0.height_px)) / 2 } ?? 0 }

    /// The cells that hold so many of the points.
    func cells(holding count: Int, of points: [PixelPoint]) -> [CVisionCell] {
        guard !cells.isEmpty else { return [] }
        var counts = [Int](repeating: 0, count: cells.count)
        for point in points {
            let column = (Int(point.x) - margin) * columns / inner.width
            let row = (Int(point.y) - margin) * rows / inner.height
            counts[min(max(row, 0), rows - 1) * columns + min(max(column, 0), columns - 1)] += 1
        }
        return zip(cells, counts).filter { $0.1 == count }.map(\.0)
    }
}
