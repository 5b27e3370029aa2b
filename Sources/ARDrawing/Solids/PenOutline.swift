// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// How the outline goes around the outer side of a stroke's corners.
public enum StrokeJoin: String, CaseIterable, Hashable, Sendable {
    /// On an arc, as a round pen does.
    case round
    /// On to the point where both sides meet, as far as ``SolidOptions/mitreLimit`` allows; else as `bevel`.
    case mitre
    /// Straight from one side to the other.
    case bevel
}

/// How a stroke ends. A dot is a disc whatever the cap, but a square with `square`.
public enum StrokeCap: String, CaseIterable, Hashable, Sendable {
    /// With a half disc.
    case round
    /// At its last point, square to its way.
    case butt
    /// Half a width beyond its last point, square to its way.
    case square
}

/// Walks along a pen's path and collects its outline: a ring that winds once or more around everything that the pen
/// covers, and not at all around anything else.
///
/// Each segment of the path contributes the quadrilateral between its ends' discs, each outer side of a corner a wedge,
/// each end a cap. Their rings, added up, cancel along what they share; what remains runs along the right side and back
/// along the left. On the inner side of a corner it goes by way of the corner itself, where both neighbours' sides cross
/// it; where they are long enough, it takes their crossing instead, which leaves out a piece that is wound twice. So the
/// sum winds around no point in the negative, whatever the path does, and uniting by positive windings gives the outline.
/// - Reference: Chen, McMains 2005, "Polygon offsetting by computing winding numbers".
struct PenOutline {
    var join: StrokeJoin
    var cap: StrokeCap
    /// At most this many half widths lie between a corner and its mitre's point.
    var mitreLimit: Double
    /// How far chords may lie inside their arcs.
    var arcTolerance: Double

    /// A ring and the chords that cut across the band, as indices of its points.
    struct Ring {
        var points: [Point2] = []
        var chords: [(right: Int, left: Int)] = []
    }

    /// The ring around a path of one point or more.
    func ring(around path: PenPath) -> Ring {
        guard path.points.count > 1 else { return Ring(points: dot(path.points[0])) }
        let segments = zip(path.points, path.points.dropFirst()).map { Segment(from: $0, to: $1) }
        var (right, left) = (Side(.right, self), Side(.left, self))
        right.reserve(path.points.count)
        left.reserve(path.points.count)
        if path.isClosed, let first = segments.first, let last = segments.last {
            right.addJoin(at: path.points[0], from: last, to: first)
            left.addJoin(at: path.points[0], from: last, to: first)
        } else {
            right.addEnd(at: path.points[0], of: segments[0])
            left.addEnd(at: path.points[0], of: segments[0])
        }
        for corner in 1..<segments.count {
            right.addJoin(at: path.points[corner], from: segments[corner - 1], to: segments[corner])
            left.addJoin(at: path.points[corner], from: segments[corner - 1], to: segments[corner])
        }
        return path.isClosed ? closed(right, left) : capped(right, left, segments, path.points)
    }

    private func closed(_ right: Side, _ left: Side) -> Ring {
        // There and back across the seam: both chords cancel.
        let (there, back) = (right.points + [right.points[0]], left.points + [left.points[0]])
        return Ring(points: there + back.reversed(), chords: chords(right, left, count: there.count + back.count))
    }

    private func capped(_ right: Side, _ left: Side, _ segments: [Segment], _ points: [PenPath.Point]) -> Ring {
        var (right, left) = (right, left)
        let (first, last) = (segments[0], segments[segments.count - 1])
        right.addEnd(at: points[points.count - 1], of: last)
        left.addEnd(at: points[points.count - 1], of: last)
        let end = capPoints(at: points[points.count - 1], direction: last.direction, lean: -last.lean)
        let start = capPoints(at: points[0], direction: -first.direction, lean: first.lean)
        let ring = right.points + end + left.points.reversed() + start
        return Ring(points: ring, chords: chords(right, left, count: ring.count - start.count))
    }

    /// The chords between the sides' points of the same corner, the ends left out.
    private func chords(_ right: Side, _ left: Side, count: Int) -> [(right: Int, left: Int)] {
        zip(right.starts, left.starts).dropFirst().dropLast().map { ($0, count - 1 - $1) }
    }

    /// The points of a cap between the ends of the right and of the left side.
    ///
    /// - Parameter lean: by how much the sides' normals lean forward, seen in the cap's direction, negated.
    private func capPoints(at point: PenPath.Point, direction: Vector2, lean: Double) -> [Point2] {
        switch cap {
        case .butt: return []
        case .square:
            let ahead = point.position + point.radius * direction
            return [ahead - point.radius * direction.perpendicular, ahead + point.radius * direction.perpendicular]
        case .round:
            let sweep = Double.pi + 2 * lean
            let normal = (-direction.perpendicular).rotated(by: -lean)
            return arc(around: point, from: normal, by: sweep).dropFirst().dropLast()
        }
    }

    private func dot(_ point: PenPath.Point) -> [Point2] {
        let corners = [Vector2(-1, -1), Vector2(1, -1), Vector2(1, 1), Vector2(-1, 1)]
        guard cap != .square else { return corners.map { point.position + point.radius * $0 } }
        return arc(around: point, from: Vector2(1, 0), by: 2 * .pi).dropLast()
    }

    /// Points on an arc, its ends included: chords within the tolerance.
    fileprivate func arc(around center: PenPath.Point, from normal: Vector2, by angle: Double) -> [Point2] {
        let halfStep = acos(max(0, 1 - arcTolerance / center.radius))
        let count = max(abs(angle) > 3 ? 8 : 1, Int(min(4096, (abs(angle) / (2 * halfStep)).rounded(.up))))
        return (0...count).map {
            center.position + center.radius * normal.rotated(by: angle * Double($0) / Double(count))
        }
    }
}

extension PenOutline {
    /// A straight piece of the path between the discs of its ends.
    fileprivate struct Segment {
        var direction: Vector2
        var length: Double
        /// The angle by which the normals of both sides lean forward, where the pen becomes thinner.
        var lean: Double
        var normals: (right: Vector2, left: Vector2)

        init(from start: PenPath.Point, to end: PenPath.Point) {
            let way = end.position - start.position
            length = way.length
            direction = way / length
            // Common tangents of both discs; beyond the limit one disc nearly holds the other.
            let sine = max(-0.9, min(0.9, (start.radius - end.radius) / length))
            let cosine = (1 - sine * sine).squareRoot()
            lean = sine == 0 ? 0 : asin(sine)
            normals = (
                sine * direction - cosine * direction.perpendicular, sine * direction + cosine * direction.perpendicular
            )
        }
    }

    /// The outline along one side of the path.
    fileprivate struct Side {
        enum Hand { case right, left }

        private let hand: Hand
        private let pen: PenOutline
        private(set) var points: [Point2] = []
        /// For each corner the first of its points.
        private(set) var starts: [Int] = []

        init(_ hand: Hand, _ pen: PenOutline) {
            self.hand = hand
            self.pen = pen
        }

        mutating func reserve(_ count: Int) {
            points.reserveCapacity(count)
            starts.reserveCapacity(count)
        }

        private func normal(_ segment: Segment) -> Vector2 {
            hand == .right ? segment.normals.right : segment.normals.left
        }

        mutating func addEnd(at point: PenPath.Point, of segment: Segment) {
            starts.append(points.count)
            points.append(point.position + point.radius * normal(segment))
        }

        mutating func addJoin(at corner: PenPath.Point, from before: Segment, to after: Segment) {
            starts.append(points.count)
            let turn = atan2(before.direction.cross(after.direction), before.direction.dot(after.direction))
            // Normals turn with the path, and by the change of their lean: forward is to the left on the right side.
            let angle = hand == .right ? turn + after.lean - before.lean : turn - after.lean + before.lean
            let isOuter = hand == .right ? angle > 0 : angle < 0
            let middle = normal(before).rotated(by: angle / 2)
            if isOuter {
                addOuter(corner, normal(before), normal(after), middle, angle)
            } else {
                addInner(corner, before, after, middle, angle)
            }
        }

        private mutating func addOuter(
            _ corner: PenPath.Point, _ before: Vector2, _ after: Vector2, _ middle: Vector2, _ angle: Double
        ) {
            let cosine = cos(angle / 2)
            if pen.join == .mitre, cosine > 0, 1 / cosine <= pen.mitreLimit {
                points.append(corner.position + corner.radius / cosine * middle)
            } else if corner.radius * (1 - cosine) <= pen.arcTolerance {
                points.append(corner.position + corner.radius * middle)
            } else if pen.join == .round {
                points += pen.arc(around: corner, from: before, by: angle)
            } else {
                points += [corner.position + corner.radius * before, corner.position + corner.radius * after]
            }
        }

        private mutating func addInner(
            _ corner: PenPath.Point, _ before: Segment, _ after: Segment, _ middle: Vector2, _ angle: Double
        ) {
            let cosine = cos(angle / 2)
            // Each corner may take half of the segments beside it.
            let room = min(before.length, after.length) / 2
            if cosine > 0, corner.radius * abs(sin(angle / 2)) <= room * cosine {
                points.append(corner.position + corner.radius / cosine * middle)
            } else {
                points += [
                    corner.position + corner.radius * normal(before), corner.position,
                    corner.position + corner.radius * normal(after),
                ]
            }
        }
    }
}

extension Vector2 {
    /// The vector turned counter-clockwise.
    fileprivate func rotated(by angle: Double) -> Vector2 { cos(angle) * self + sin(angle) * perpendicular }
}
