// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARGeometry
import ARSensing

extension Stroke {
    /// A stroke on the world's own x–z plane.
    init(positions: [Point2], width: Double = Stroke.defaultWidth) {
        let points = positions.enumerated().map {
            Stroke.Point(timestamp: Timestamp(nanoseconds: Int64($0)), position: $1)
        }
        self.init(points: points, worldFromPlane: .identity, width: width)
    }
}

/// The area within half a width of the stroke's segments, counted in cells of that size: independent of polygons.
///
/// Cells in the outline's row of cells are counted by their centres: each errs by up to half a cell to either side, all
/// together by far less.
func areaByRaster(_ stroke: Stroke, cell: Double) -> Double {
    let radius = stroke.width / 2
    let positions = stroke.points.map(\.position)
    let lower = positions.reduce(positions[0]) { pointwiseMin($0, $1) } - Vector2(radius, radius)
    let upper = positions.reduce(positions[0]) { pointwiseMax($0, $1) } + Vector2(radius, radius)
    let columns = Int((upper.x - lower.x) / cell) + 1
    let rows = Int((upper.y - lower.y) / cell) + 1
    var isCovered = [Bool](repeating: false, count: columns * rows)
    for (start, end) in zip(positions, positions.dropFirst() + positions.suffix(1)) {
        let segment = Segment2(start, end)
        let first = (pointwiseMin(start, end) - lower - Vector2(radius, radius)) / cell
        let last = (pointwiseMax(start, end) - lower + Vector2(radius, radius)) / cell
        for row in max(0, Int(first.y))...min(rows - 1, Int(last.y)) {
            for column in max(0, Int(first.x))...min(columns - 1, Int(last.x)) where !isCovered[row * columns + column]
            {
                let center = lower + cell * Vector2(Double(column) + 0.5, Double(row) + 0.5)
                isCovered[row * columns + column] = segment.distance(to: center) <= radius
            }
        }
    }
    return cell * cell * Double(isCovered.count { $0 })
}
