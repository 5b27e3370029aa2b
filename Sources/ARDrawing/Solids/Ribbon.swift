// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A band along a path, as wide as the pen: square ends, mitred joins, bevelled where the path turns by more than a right
/// angle.
///
/// The band is a strip of pairs, one point to the left and one to the right of the path. It may overlap itself where
/// the path crosses itself, but none of its triangles is turned over or flat: both sides advance along every segment,
/// because a join's inner point takes at most 0.4 of the shorter segment beside it.
/// Law: `SolidTests.ribbonsAreClosedWhateverThePath`.
struct Ribbon {
    private var points: [Point2] = []
    /// For each point the point of the path from which it comes.
    private(set) var origins: [Int32] = []
    private var pairs: [Pair] = []

    private typealias Pair = (left: Int32, right: Int32)

    /// The band along a path; around a single point, a disc.
    init(along path: PenPath, arcTolerance: Double) {
        let points = path.points
        let segments = zip(points, points.dropFirst()).map { Segment(from: $0.position, to: $1.position) }
        guard let first = segments.first, let last = segments.last else {
            for center in points { addDisc(around: center, arcTolerance: arcTolerance) }
            return
        }
        addSquareEnd(at: points[0], 0, direction: first.direction)
        for corner in 1..<segments.count {
            addJoin(at: points[corner], corner, from: segments[corner - 1], to: segments[corner])
        }
        addSquareEnd(at: points[points.count - 1], points.count - 1, direction: last.direction)
    }

    private struct Segment {
        var direction: Vector2
        var length: Double

        init(from start: Point2, to end: Point2) {
            length = (end - start).length
            direction = (end - start) / length
        }
    }

    /// The band's triangles and outline.
    var figure: FlatFigure {
        var figure = FlatFigure(points: points)
        guard let first = pairs.first, let last = pairs.last else { return figure }
        for (a, b) in zip(pairs, pairs.dropFirst()) {
            figure.triangles += triangles(from: a, to: b)
            if a.right != b.right { figure.outline.append((a.right, b.right)) }
            if a.left != b.left { figure.outline.append((b.left, a.left)) }
        }
        figure.outline.append((first.left, first.right))
        figure.outline.append((last.right, last.left))
        return figure
    }

    /// The triangle or the two triangles between two pairs. Between pairs without a common point lies a quadrilateral,
    /// which can have a corner of more than 180°: then only one of its diagonals lies inside.
    private func triangles(from a: Pair, to b: Pair) -> [TriangleIndices] {
        if a.left == b.left { return [TriangleIndices(a.left, a.right, b.right)] }
        if a.right == b.right { return [TriangleIndices(a.left, b.right, b.left)] }
        let choices = [
            [TriangleIndices(a.left, a.right, b.right), TriangleIndices(a.left, b.right, b.left)],
            [TriangleIndices(a.left, a.right, b.left), TriangleIndices(a.right, b.right, b.left)],
        ]
        let turnsLeft = { (t: TriangleIndices) in
            orientation(points[Int(t.x)], points[Int(t.y)], points[Int(t.z)]) > 0
        }
        return choices[0].allSatisfy(turnsLeft) ? choices[0] : choices[1]
    }
}

// MARK: - Pairs

extension Ribbon {
    private mutating func add(_ point: Point2, _ origin: Int) -> Int32 {
        points.append(point)
        origins.append(Int32(origin))
        return Int32(points.count - 1)
    }

    private mutating func addSquareEnd(at point: PenPath.Point, _ origin: Int, direction: Vector2) {
        let toTheLeft = point.radius * direction.perpendicular
        pairs.append((add(point.position + toTheLeft, origin), add(point.position - toTheLeft, origin)))
    }

    /// One pair where the path turns by up to a right angle; two that share the inner point where it turns by more.
    private mutating func addJoin(at corner: PenPath.Point, _ origin: Int, from before: Segment, to after: Segment) {
        let (center, radius) = (corner.position, corner.radius)
        // Cosine and sine of half the turn, from the sum and the difference of unit directions.
        let cosine = (before.direction + after.direction).length / 2
        let sine = (after.direction - before.direction).length / 2
        guard sine > 1e-9, let inwards = (after.direction - before.direction).normalized() else {
            return addSquareEnd(at: corner, origin, direction: after.direction)
        }
        let isLeftTurn = before.direction.cross(after.direction) >= 0
        let room = 0.4 * min(before.length, after.length)
        let inner = add(center + min(radius / max(cosine, 0.5), room / sine) * inwards, origin)
        let outers =
            before.direction.dot(after.direction) >= 0
            ? [center - radius / cosine * inwards]
            : [before, after].map { center + (isLeftTurn ? -radius : radius) * $0.direction.perpendicular }
        for outer in outers.map({ add($0, origin) }) { pairs.append(isLeftTurn ? (inner, outer) : (outer, inner)) }
    }

    /// A regular polygon inscribed in the circle, as a strip across it.
    private mutating func addDisc(around center: PenPath.Point, arcTolerance: Double) {
        // The chord of the angle 2α is r (1 − cos α) away from its arc.
        let halfChordAngle = acos(max(0, 1 - arcTolerance / center.radius))
        let pairCount = max(2, Int(min(4096, (Double.pi / halfChordAngle / 2).rounded(.up))))
        for index in 0..<pairCount {
            let angle = Double.pi * (Double(index) + 0.5) / Double(pairCount)
            let (along, across) = (-center.radius * cos(angle), center.radius * sin(angle))
            pairs.append(
                (
                    add(center.position + Vector2(along, across), 0), add(center.position + Vector2(along, -across), 0)
                ))
        }
    }
}
