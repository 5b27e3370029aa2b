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
/// It waits above its first point, comes down, rests, draws, rests, hops to the next stroke, and lifts at the end. Every
/// move starts and ends at rest, with the profile of a reaching hand. A recorded finger moves as it was recorded; it
/// comes down, hops and lifts while the recorded pen is up.
/// - Reference: Flash, Hogan 1985, "The coordination of arm movements": minimum jerk, 10τ³ − 15τ⁴ + 6τ⁵.
struct FingerTimeline: Sendable {
    /// The strokes with their times.
    let strokes: [GroundTruthStroke]
    private let motion: Motion
    private let finger: Scene.Finger

    private enum Motion {
        case planned([StrokeCurve])
        case recorded(RecordedPen, start: Double)
    }

    /// A finger that draws curves one after the other.
    init(_ finger: Scene.Finger, drawing curves: [StrokeCurve]) {
        precondition(!curves.isEmpty, "a finger that writes nothing; validate the scene first")
        self.finger = finger
        motion = .planned(curves)
        var strokes: [GroundTruthStroke] = []
        var start = finger.startSeconds + finger.liftSeconds
        for curve in curves {
            let end = start + curve.seconds + 2 * finger.restSeconds
            strokes.append(GroundTruthStroke(startSeconds: start, endSeconds: end, pointsInPlane: curve.points))
            start = end + finger.liftSeconds
        }
        self.strokes = strokes
    }

    /// A finger that moves as it was recorded; the first sample is taken when the finger has come down.
    init(_ finger: Scene.Finger, following pen: RecordedPen) {
        self.finger = finger
        let start = finger.startSeconds + finger.liftSeconds
        motion = .recorded(pen, start: start)
        strokes = pen.strokes.map { stroke in
            GroundTruthStroke(
                startSeconds: start + stroke.seconds.lowerBound, endSeconds: start + stroke.seconds.upperBound,
                pointsInPlane: stroke.points)
        }
    }

    /// When the finger has lifted after the last stroke.
    var endSeconds: Double { (strokes.last?.endSeconds ?? finger.startSeconds) + finger.liftSeconds }

    /// Whether the finger draws at a time.
    func isPenDown(at seconds: Double) -> Bool {
        strokes.contains { $0.startSeconds <= seconds && seconds <= $0.endSeconds }
    }

    /// Where the fingertip is at a time.
    func tipInPlane(at seconds: Double) -> Point3 {
        let place =
            switch motion {
            case .planned(let curves): place(at: seconds, drawing: curves)
            case .recorded(let pen, let start): pen.place(at: seconds - start)
            }
        return Point3(place.x, height(at: seconds), place.y)
    }

    private func place(at seconds: Double, drawing curves: [StrokeCurve]) -> Point2 {
        guard let next = strokes.firstIndex(where: { seconds <= $0.endSeconds }) else {
            return curves[curves.count - 1].points.last ?? .zero
        }
        let elapsed = seconds - strokes[next].startSeconds
        if elapsed >= 0 { return curves[next].point(after: elapsed - finger.restSeconds) }
        let target = curves[next].points[0]
        guard next > 0, let origin = curves[next - 1].points.last else { return target }
        return origin + Self.minimumJerk(1 + elapsed / finger.liftSeconds) * (target - origin)
    }

    private func height(at seconds: Double) -> Double {
        if isPenDown(at: seconds) { return 0 }
        let before = strokes.last { $0.endSeconds < seconds }
        let next = strokes.first { seconds < $0.startSeconds }
        switch (before, next) {
        case (let before?, let next?):
            // Up and down again on the way, with zero speed at both ends.
            let gap = next.startSeconds - before.endSeconds
            let progress = Self.minimumJerk((seconds - before.endSeconds) / gap)
            return finger.liftMeters * 64 * pow(progress * (1 - progress), 3)
        case (let before?, nil): return finger.liftMeters * lift(at: seconds - before.endSeconds)
        case (nil, let next?): return finger.liftMeters * lift(at: next.startSeconds - seconds)
        case (nil, nil): return finger.liftMeters
        }
    }

    /// How far the finger has lifted so long after it left the plane, 0…1.
    private func lift(at elapsed: Double) -> Double { Self.minimumJerk(min(elapsed / finger.liftSeconds, 1)) }

    /// The way done at a part 0…1 of the time of a move.
    static func minimumJerk(_ t: Double) -> Double { t * t * t * (10 + t * (6 * t - 15)) }
}
