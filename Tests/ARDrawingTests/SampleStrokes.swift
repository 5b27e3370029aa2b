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

/// The area within half a width of the stroke's segments, from its lengths along lines so far apart: independent of polygons.
///
/// What lies within half a width of a segment is convex: a line along x enters and leaves it once, on the circles about the
/// segment's ends or on the sides between these. Across the lines the area is a sum by the midpoint rule.
func areaByLines(_ stroke: Stroke, spacing: Double) -> Double {
    let radius = stroke.width / 2
    let positions = stroke.points.map(\.position)
    let lowest = positions.reduce(positions[0].y) { min($0, $1.y) } - radius
    let highest = positions.reduce(positions[0].y) { max($0, $1.y) } + radius
    var covered = [[ClosedRange<Double>]](repeating: [], count: Int((highest - lowest) / spacing) + 1)
    for (start, end) in zip(positions, positions.dropFirst() + positions.suffix(1)) {
        let first = (min(start.y, end.y) - radius - lowest) / spacing
        let last = (max(start.y, end.y) + radius - lowest) / spacing
        for line in max(0, Int(first))...min(covered.count - 1, Int(last)) {
            let y = lowest + spacing * (Double(line) + 0.5)
            let places = crossings(ofLineAt: y, start, end, radius: radius)
            guard let left = places.min(), let right = places.max() else { continue }
            covered[line].append(left...right)
        }
    }
    return spacing * covered.reduce(0) { $0 + lengthOfUnion($1) }
}

/// Where the line along x at that y crosses the circles about a segment's ends, and the sides between them.
private func crossings(ofLineAt y: Double, _ start: Point2, _ end: Point2, radius: Double) -> [Double] {
    var crossings: [Double] = []
    for center in [start, end] where abs(y - center.y) <= radius {
        let half = (radius * radius - (y - center.y) * (y - center.y)).squareRoot()
        crossings += [center.x - half, center.x + half]
    }
    let along = end - start
    guard along.y != 0 else { return crossings }
    let aside = radius / along.length * Vector2(-along.y, along.x)
    for corner in [start + aside, start - aside] {
        let part = (y - corner.y) / along.y
        if (0...1).contains(part) { crossings.append(corner.x + part * along.x) }
    }
    return crossings
}

private func lengthOfUnion(_ intervals: [ClosedRange<Double>]) -> Double {
    var (length, end) = (0.0, -Double.infinity)
    for interval in intervals.sorted(by: { $0.lowerBound < $1.lowerBound }) where interval.upperBound > end {
        length += interval.upperBound - max(interval.lowerBound, end)
        end = interval.upperBound
    }
    return length
}
