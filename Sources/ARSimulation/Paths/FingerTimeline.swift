// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

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
/// It waits above its first point, comes down, rests, draws, rests, hops to the next stroke, and lifts at the end. Where a
/// stroke turns back sharply the finger comes to rest, as a hand must. Every move starts and ends at rest, with the
/// profile of a reaching hand.
/// - Reference: Flash, Hogan 1985, "The coordination of arm movements": minimum jerk, 10τ³ − 15τ⁴ + 6τ⁵.
struct FingerTimeline: Sendable {
    /// The strokes with their times.
    let strokes: [GroundTruthStroke]
    private let curves: [StrokeCurve]
    private let finger: Scene.Finger

    init(_ finger: Scene.Finger) {
        self.finger = finger
        curves = finger.strokes.map(StrokeCurve.init)
        var strokes: [GroundTruthStroke] = []
        var start = finger.startSeconds + finger.liftSeconds
        for curve in curves {
            let end = start + curve.length / finger.speed + 2 * finger.restSeconds
            strokes.append(GroundTruthStroke(startSeconds: start, endSeconds: end, pointsInPlane: curve.points))
            start = end + finger.liftSeconds
        }
        self.strokes = strokes
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
        let drawing = strokes[stroke].endSeconds - strokes[stroke].startSeconds - 2 * finger.restSeconds
        let elapsed = seconds - strokes[stroke].startSeconds - finger.restSeconds
        return curves[stroke].point(atFractionOfTime: min(max(elapsed / drawing, 0), 1))
    }

    static func minimumJerk(_ t: Double) -> Double { t * t * t * (10 + t * (6 * t - 15)) }
}

/// The curve of a stroke, and how a finger goes along it.
private struct StrokeCurve: Sendable {
    /// Points a tenth of a millimetre or so apart.
    let points: [Point2]
    /// The length of the curve up to each point.
    private let arcLengths: [Double]
    /// The lengths at which the finger is at rest: both ends, and where the stroke turns by more than a right angle.
    private let rests: [Double]

    var length: Double { arcLengths[arcLengths.count - 1] }

    /// A smooth curve through the points; two points make a straight line.
    init(through waypoints: [Point2]) {
        let spline = UniformCubicSpline(through: waypoints)
        var points = [waypoints[0]]
        var arcLengths = [0.0]
        var rests = [0.0]
        for segment in 0..<(waypoints.count - 1) {
            let way = waypoints[segment + 1] - waypoints[segment]
            // The speed along a segment stays below a few times the distance of its ends; 0.1 mm steps leave room.
            let count = max(1, Int((way.length / 1e-4).rounded(.up)))
            for step in 1...count {
                let point = spline.value(at: Double(segment) + Double(step) / Double(count))
                let distance = (point - points[points.count - 1]).length
                guard distance > 0 else { continue }
                points.append(point)
                arcLengths.append(arcLengths[arcLengths.count - 1] + distance)
            }
            let isLast = segment + 2 == waypoints.count
            if isLast || way.dot(waypoints[segment + 2] - waypoints[segment + 1]) < 0 {
                rests.append(arcLengths[arcLengths.count - 1])
            }
        }
        self.points = points
        self.arcLengths = arcLengths
        self.rests = rests
    }

    /// Where the finger is when that part of the drawing time has gone by; each move gets time by its length.
    func point(atFractionOfTime fraction: Double) -> Point2 {
        let even = fraction * length
        guard let next = rests.firstIndex(where: { $0 > even }) else { return points[points.count - 1] }
        let (from, to) = (rests[next - 1], rests[next])
        return point(atLength: from + (to - from) * FingerTimeline.minimumJerk((even - from) / (to - from)))
    }

    private func point(atLength length: Double) -> Point2 {
        guard let end = arcLengths.firstIndex(where: { $0 >= length }), end > 0 else { return points[0] }
        let fraction = (length - arcLengths[end - 1]) / (arcLengths[end] - arcLengths[end - 1])
        return points[end - 1] + fraction * (points[end] - points[end - 1])
    }
}
