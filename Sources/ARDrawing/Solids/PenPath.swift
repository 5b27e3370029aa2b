// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A line as a pen of changing width drew it, seen from above: see ``PlanView``.
struct PenPath {
    /// A place on the line.
    struct Point: Equatable {
        var position: Point2
        /// Half the pen's width there.
        var radius: Double
    }

    /// The places. Neighbours are apart from each other; where the first and the last are the same, the line is closed.
    var points: [Point]

    /// Whether the line ends where it began.
    var isClosed: Bool { points.count > 3 && points.first?.position == points.last?.position }

    /// The line through fewer of its points: those left out lie within `tolerance` of the line that is left, their radii
    /// included, and the line that is left within `tolerance` of them.
    ///
    /// From a point that is kept, the next one is the farthest that can be reached while the cone of directions that pass
    /// all points between near enough stays open, and while the pen moves forward. So sharp corners and places where the
    /// pen turns back are kept up to the tolerance.
    /// - Complexity: O(n).
    /// - Reference: Sklansky, Gonzalez 1980, "Fast polygonal approximation of digitized curves".
    ///   Law: `StrokeSimplificationTests.whatIsLeftOutLiesNear`.
    func simplified(tolerance: Double) -> PenPath {
        PenPath(points: keptIndices(tolerance: tolerance).map { points[$0] })
    }

    /// The indices of the points that ``simplified(tolerance:)`` keeps.
    func keptIndices(tolerance: Double) -> [Int] {
        guard points.count > 2 else { return Array(points.indices) }
        var kept = [0]
        var cone = Cone(from: points[0], tolerance: tolerance)
        for index in 1..<points.count {
            if !cone.admits(points[index]) {
                kept.append(index - 1)
                cone = Cone(from: points[index - 1], tolerance: tolerance)
                _ = cone.admits(points[index])
            }
        }
        kept.append(points.count - 1)
        return kept
    }

    /// The directions from a point that pass the following points at a distance.
    ///
    /// Sideways and backwards 1/√2 of the tolerance is allowed each, so that both together stay within it.
    private struct Cone {
        private let apex: Point
        private let sideways: Double
        private let radiusTolerance: Double
        /// The cone's sides; `nil` while every direction is allowed.
        private var sides: (right: Vector2, left: Vector2)?
        private var slopes = (least: -Double.infinity, greatest: Double.infinity)
        private var farthest = 0.0

        init(from apex: Point, tolerance: Double) {
            self.apex = apex
            sideways = tolerance / 2.0.squareRoot()
            radiusTolerance = tolerance
        }

        /// Whether the line from the apex to this point passes the points before near enough; if so, it is passed, too.
        mutating func admits(_ point: Point) -> Bool {
            let offset = point.position - apex.position
            let distance = offset.length
            let change = point.radius - apex.radius
            guard farthest - distance <= sideways else { return false }
            guard distance > 0 else { return abs(change) <= radiusTolerance }
            if let sides {
                guard sides.right.cross(offset) >= 0, sides.left.cross(offset) <= 0 else { return false }
            }
            guard change >= slopes.least * distance, change <= slopes.greatest * distance else { return false }
            farthest = max(farthest, distance)
            slopes.least = max(slopes.least, (change - radiusTolerance) / distance)
            slopes.greatest = min(slopes.greatest, (change + radiusTolerance) / distance)
            guard distance > sideways else { return true }
            narrow(offset, distance)
            return true
        }

        private mutating func narrow(_ offset: Vector2, _ distance: Double) {
            // The directions at the angle asin(sideways / distance) to both sides.
            let sine = sideways / distance
            let cosine = (1 - sine * sine).squareRoot()
            let direction = offset / distance
            let left = cosine * direction + sine * direction.perpendicular
            let right = cosine * direction - sine * direction.perpendicular
            guard let sides else {
                self.sides = (right, left)
                return
            }
            self.sides = (
                sides.right.cross(right) > 0 ? right : sides.right, sides.left.cross(left) < 0 ? left : sides.left
            )
        }
    }
}

extension PenPath {
    /// The path on the grid of ``Footprint/unit``, without points that repeat the one before, of which the widest stays;
    /// and for each point its index before.
    var withoutRepetitions: (path: PenPath, sources: [Int]) {
        var kept: [Point] = []
        var sources: [Int] = []
        kept.reserveCapacity(points.count)
        sources.reserveCapacity(points.count)
        for (index, point) in points.enumerated() {
            let inUnits = point.position / Footprint.unit
            let onGrid = Footprint.unit * inUnits.rounded(.toNearestOrAwayFromZero)
            if let last = kept.last, last.position == onGrid {
                kept[kept.count - 1].radius = max(last.radius, point.radius)
            } else {
                kept.append(Point(position: onGrid, radius: point.radius))
                sources.append(index)
            }
        }
        return (PenPath(points: kept), sources)
    }
}
