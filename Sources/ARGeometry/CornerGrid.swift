// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Corners sorted into the cells of a grid, about one a cell.
struct CornerGrid {
    private let origin: Point2
    private let cellsPerUnit: Vector2
    private let side: Int
    private let firstInCell: [Int]
    private let nodes: [Int]

    init(_ corners: [(node: Int, point: Point2)]) {
        let lower = corners.reduce(corners.first?.point ?? .zero) { pointwiseMin($0, $1.point) }
        let upper = corners.reduce(corners.first?.point ?? .zero) { pointwiseMax($0, $1.point) }
        let side = max(1, Int(Double(corners.count).squareRoot()))
        let size = upper - lower
        let perUnit = Vector2(Double(side) / size.x, Double(side) / size.y)
        origin = lower
        cellsPerUnit = Vector2(perUnit.x.isFinite ? perUnit.x : 0, perUnit.y.isFinite ? perUnit.y : 0)
        self.side = side
        let cellOfPoint = Self.cell(origin: origin, perUnit: cellsPerUnit, side: side)
        let cells = corners.map { cellOfPoint($0.point).row * side + cellOfPoint($0.point).column }
        var starts = [Int](repeating: 0, count: side * side + 1)
        for cell in cells { starts[cell + 1] += 1 }
        for cell in 0..<side * side { starts[cell + 1] += starts[cell] }
        firstInCell = starts
        var sorted = [Int](repeating: 0, count: corners.count)
        for (corner, cell) in zip(corners, cells) {
            sorted[starts[cell]] = corner.node
            starts[cell] += 1
        }
        nodes = sorted
    }

    static func cell(
        origin: Point2, perUnit: Vector2, side: Int
    ) -> (Point2) -> (column: Int, row: Int) {
        { point in
            let position = (point - origin) * perUnit
            let bounded = pointwiseMin(pointwiseMax(position, .zero), Vector2(Double(side - 1), Double(side - 1)))
            return (Int(bounded.x), Int(bounded.y))
        }
    }

    /// Whether `body` holds for every corner in the cells that the rectangle touches.
    func allSatisfy(from lower: Point2, to upper: Point2, _ body: (Int) -> Bool) -> Bool {
        let cell = Self.cell(origin: origin, perUnit: cellsPerUnit, side: side)
        let (first, last) = (cell(lower), cell(upper))
        for row in first.row...last.row {
            let cells = row * side + first.column...row * side + last.column
            for index in firstInCell[cells.lowerBound]..<firstInCell[cells.upperBound + 1] {
                guard body(nodes[index]) else { return false }
            }
        }
        return true
    }
}
