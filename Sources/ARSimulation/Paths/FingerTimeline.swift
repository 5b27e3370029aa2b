// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A stroke as it is truly drawn.
public struct GroundTruthStroke: Hashable, Sendable {
    /// When the pen touches down, in seconds from the start of the session.
    public let startSeconds: Double
    /// When the pen lifts.
    public let endSeconds: Double
    /// The curve in the plane's x and z: points at most half a millimetre apart, the true ends first and last.
    public let pointsInPlane: [Point2]

    /// The curve's length, in metres.
    public var length: Double { zip(pointsInPlane, pointsInPlane.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length } }
}

/// Where a writing finger is at any time, in the axes of the plane on which it writes (+Y is the height above it).
///
/// It waits above its first point, comes down, rests, draws, rests, hops to the next stroke, and lifts at the end. Every
/// move starts and ends at rest, with the profile of a reaching hand.
/// - Reference: Flash, Hogan 1985, "The coordination of arm movements": minimum jerk, 10τ³ − 15τ⁴ + 6τ⁵.
struct FingerTimeline: Sendable {
    /// The strokes with their times.
    let strokes: [GroundTruthStroke]
    private let arcLengths: [[Double]]
    private let finger: Scene.Finger

    init(_ finger: Scene.Finger) {
        self.finger = finger
        var strokes: [GroundTruthStroke] = []
        var start = finger.startSeconds + finger.liftSeconds
        for points in finger.strokes {
            let curve = Self.curve(through: points)
            let length = zip(curve, curve.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).length }
            let end = start + length / finger.speed + 2 * finger.restSeconds
            strokes.append(GroundTruthStroke(startSeconds: start, endSeconds: end, pointsInPlane: curve))
            start = end + finger.liftSeconds
        }
        self.strokes = strokes
        arcLengths = strokes.map { Self.arcLengths(of: $0.pointsInPlane) }
    }

    /// When the finger has lifted after the last stroke.
    var endSeconds: Double { (strokes.last?.endSeconds ?? finger.startSeconds) + finger.liftSeconds }

    /// Whether the finger draws at a time.
    func isPenDown(at seconds: Double) -> Bool {
        strokes.contains { $0.startSeconds <= seconds && seconds <= $0.endSeconds }
    }

    /// Where the fingertip is at a time.
    func tipInPlane(at seconds: Double) -> Point3 {
        guard let next = strokes.firstIndex(where: { seconds <= $0.endSeconds }) else {
            let raised = progress(of: seconds, from: strokes[strokes.count - 1].endSeconds)
            return tip(at: strokes[strokes.count - 1].pointsInPlane.last, height: finger.liftMeters * raised)
        }
        if seconds >= strokes[next].startSeconds { return tip(at: point(of: next, at: seconds), height: 0) }
        let arriving = progress(of: seconds, from: strokes[next].startSeconds - finger.liftSeconds)
        let target = strokes[next].pointsInPlane[0]
        guard next > 0, let origin = strokes[next - 1].pointsInPlane.last else {
            return tip(at: target, height: finger.liftMeters * (1 - arriving))
        }
        // Up and down again on the way, with zero speed at both ends.
        let hop = 64 * pow(arriving * (1 - arriving), 3)
        return tip(at: origin + arriving * (target - origin), height: finger.liftMeters * hop)
    }

    private func tip(at point: Point2?, height: Double) -> Point3 { Point3(point?.x ?? 0, height, point?.y ?? 0) }

    /// How much of a move of ``Scene/Finger/liftSeconds`` is done, 0…1.
    private func progress(of seconds: Double, from start: Double) -> Double {
        Self.minimumJerk(min(max((seconds - start) / finger.liftSeconds, 0), 1))
    }

    private func point(of stroke: Int, at seconds: Double) -> Point2 {
        let (points, lengths) = (strokes[stroke].pointsInPlane, arcLengths[stroke])
        let drawing = strokes[stroke].endSeconds - strokes[stroke].startSeconds - 2 * finger.restSeconds
        let elapsed = seconds - strokes[stroke].startSeconds - finger.restSeconds
        let length = lengths[lengths.count - 1] * Self.minimumJerk(min(max(elapsed / drawing, 0), 1))
        guard let end = lengths.firstIndex(where: { $0 >= length }), end > 0 else { return points[0] }
        let fraction = (length - lengths[end - 1]) / (lengths[end] - lengths[end - 1])
        return points[end - 1] + fraction * (points[end] - points[end - 1])
    }

    private static func minimumJerk(_ t: Double) -> Double { t * t * t * (10 + t * (6 * t - 15)) }

    /// A smooth curve as points at most half a millimetre apart; two points make a straight line.
    private static func curve(through points: [Point2]) -> [Point2] {
        let spline = UniformCubicSpline(through: points)
        var curve = [points[0]]
        for segment in 0..<(points.count - 1) {
            // The speed along a segment stays below a few times the distance of its ends; 0.1 mm steps leave room.
            let count = max(1, Int(((points[segment + 1] - points[segment]).length / 1e-4).rounded(.up)))
            for step in 1...count { curve.append(spline.value(at: Double(segment) + Double(step) / Double(count))) }
        }
        var distinct = [curve[0]]
        for point in curve.dropFirst() where (point - distinct[distinct.count - 1]).length > 0 {
            distinct.append(point)
        }
        return distinct
    }

    private static func arcLengths(of points: [Point2]) -> [Double] {
        var lengths = [0.0]
        for (a, b) in zip(points, points.dropFirst()) { lengths.append(lengths[lengths.count - 1] + (b - a).length) }
        return lengths
    }
}
