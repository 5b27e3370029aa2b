// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// When pens were where: finds the stamp of the place on some strokes that is nearest to a point.
///
/// The strokes are covered with points less than a radius apart, sorted into cells as large as the widest pen, so that a
/// point under the pen finds the nearest of them among nine cells.
struct StampField {
    private struct Place {
        var cell: SIMD2<Int64>
        var position: Point2
        var timestamp: Timestamp
    }

    private let cellSize: Double
    private var places: [Place] = []
    private var firstOfCell: [SIMD2<Int64>: Int] = [:]

    /// The stamps of strokes on one plane, one of which has a point, at positions as seen from above.
    init(_ strokes: [Stroke]) {
        let radii = strokes.map { stroke in stroke.width / 2 * (stroke.points.map(\.pressure).max() ?? 1) }
        cellSize = 2 * (radii.max() ?? 1)
        for stroke in strokes { add(stroke) }
        places.sort { ($0.cell.x, $0.cell.y, $0.timestamp) < ($1.cell.x, $1.cell.y, $1.timestamp) }
        for index in places.indices.reversed() { firstOfCell[places[index].cell] = index }
    }

    private mutating func add(_ stroke: Stroke) {
        for (start, end) in zip(stroke.points, stroke.points.dropFirst() + stroke.points.suffix(1)) {
            let (from, way) = (PlanView.point(start.position), PlanView.point(end.position - start.position))
            let steps = max(1, (way.length / (0.4 * cellSize)).rounded(.up))
            let duration = Double(end.timestamp.nanoseconds(since: start.timestamp))
            for step in 0..<Int(steps) {
                let part = Double(step) / steps
                let position = from + part * way
                let timestamp = start.timestamp.advanced(byNanoseconds: Int64((part * duration).rounded()))
                places.append(Place(cell: cell(of: position), position: position, timestamp: timestamp))
            }
        }
    }

    private func cell(of position: Point2) -> SIMD2<Int64> {
        SIMD2<Int64>((position / cellSize).rounded(.down))
    }

    /// The stamp of the nearest place; where nothing is near, as in the middle of a filled shape, the first of all.
    func timestamp(near position: Point2) -> Timestamp {
        let center = cell(of: position)
        var best = (squaredDistance: Double.infinity, timestamp: Timestamp(nanoseconds: .max))
        for column in -1...1 as ClosedRange<Int64> {
            for row in -1...1 as ClosedRange<Int64> {
                let cell = center &+ SIMD2(column, row)
                guard var index = firstOfCell[cell] else { continue }
                while index < places.count, places[index].cell == cell {
                    let distance = (places[index].position - position).squaredLength
                    if (distance, places[index].timestamp) < (best.squaredDistance, best.timestamp) {
                        best = (distance, places[index].timestamp)
                    }
                    index += 1
                }
            }
        }
        return best.squaredDistance.isFinite ? best.timestamp : places[0].timestamp
    }
}
