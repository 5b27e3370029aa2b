// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The curve of a stroke, and how a finger goes along it.
///
/// It goes in moves, each of which starts and ends at rest: at both ends of the stroke, and where it has corners. A move
/// lasts as long as its length takes at the mean speed, and no less than ``shortestMoveSeconds``.
struct StrokeCurve: Sendable {
    /// Points a tenth of a millimetre or so apart; the corners are among them.
    private(set) var points: [Point2]
    /// The length of the curve up to each point.
    private var arcLengths: [Double]
    private var moves: [Move] = []
    private let speed: Double

    /// A hand needs this long to start and to stop, however short the way: for a dot on an i.
    static let shortestMoveSeconds = 0.1
    /// The distance of points.
    private static let step = 1e-4

    private struct Move {
        let lengths: ClosedRange<Double>
        let seconds: ClosedRange<Double>
    }

    /// The curve's length.
    var length: Double { arcLengths[arcLengths.count - 1] }

    /// How long it takes to draw.
    var seconds: Double { moves.last?.seconds.upperBound ?? 0 }

    private init(start: Point2, speed: Double) {
        (points, arcLengths, self.speed) = ([start], [0], speed)
    }

    /// A smooth curve through the points; two points make a straight line. Where it turns back by more than a right
    /// angle the finger comes to rest, as a hand must.
    init(through waypoints: [Point2], speed: Double) {
        self.init(start: waypoints[0], speed: speed)
        let spline = UniformCubicSpline(through: waypoints)
        for segment in 0..<(waypoints.count - 1) {
            let way = waypoints[segment + 1] - waypoints[segment]
            // The speed along a segment stays below a few times the distance of its ends; 0.1 mm steps leave room.
            let count = max(1, Int((way.length / Self.step).rounded(.up)))
            for step in 1...count { append(spline.value(at: Double(segment) + Double(step) / Double(count))) }
            let isLast = segment + 2 == waypoints.count
            if isLast || way.dot(waypoints[segment + 2] - waypoints[segment + 1]) < 0 { rest() }
        }
    }

    /// Pieces of which each starts where the one before ends. Where they meet at more than 30° the finger comes to rest.
    init(_ pieces: [CubicBezier], speed: Double) {
        self.init(start: pieces[0].start, speed: speed)
        for (index, piece) in pieces.enumerated() {
            let bound = (piece.first - piece.start).length + (piece.second - piece.first).length
            let count = max(1, Int(((bound + (piece.end - piece.second).length) / Self.step).rounded(.up)))
            for step in 1..<count { append(piece.point(at: Double(step) / Double(count))) }
            append(piece.end)
            guard index + 1 < pieces.count, let before = piece.endDirection,
                let after = pieces[index + 1].startDirection, before.dot(after) > 0.75.squareRoot()
            else {
                rest()
                continue
            }
        }
    }

    /// Straight lines from place to place, with their corners.
    init(corners: [Point2], speed: Double) {
        self.init(zip(corners, corners.dropFirst()).map(CubicBezier.init(from:to:)), speed: speed)
    }

    private mutating func append(_ point: Point2) {
        let distance = (point - points[points.count - 1]).length
        guard distance > 0 else { return }
        points.append(point)
        arcLengths.append(length + distance)
    }

    private mutating func rest() {
        let (lengths, start) = ((moves.last?.lengths.upperBound ?? 0)...length, seconds)
        guard lengths.lowerBound < lengths.upperBound else { return }
        let needed = (lengths.upperBound - lengths.lowerBound) / speed
        moves.append(Move(lengths: lengths, seconds: start...(start + max(needed, Self.shortestMoveSeconds))))
    }

    /// Where the finger is so long after it started to move.
    func point(after elapsed: Double) -> Point2 {
        guard let move = moves.first(where: { elapsed < $0.seconds.upperBound }) else {
            return points[points.count - 1]
        }
        let duration = move.seconds.upperBound - move.seconds.lowerBound
        let progress = FingerTimeline.minimumJerk(max(0, elapsed - move.seconds.lowerBound) / duration)
        return point(atLength: mix(move.lengths.lowerBound, move.lengths.upperBound, progress))
    }

    private func point(atLength length: Double) -> Point2 {
        var (low, high) = (0, arcLengths.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if arcLengths[middle] < length { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return points[0] }
        let fraction = (length - arcLengths[low - 1]) / (arcLengths[low] - arcLengths[low - 1])
        return points[low - 1] + fraction * (points[low] - points[low - 1])
    }
}

extension CubicBezier {
    /// The direction in which the curve leaves, or `nil` for a curve that is a point.
    var startDirection: Vector2? { [first, second, end].lazy.compactMap { ($0 - start).normalized() }.first }

    /// The direction in which the curve arrives, or `nil` for a curve that is a point.
    var endDirection: Vector2? { [second, first, start].lazy.compactMap { (end - $0).normalized() }.first }
}
