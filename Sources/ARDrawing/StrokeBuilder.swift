// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Turns the pen's samples into strokes with evenly spaced points.
///
/// Samples come at the camera's rate, dense where the pen rests and far apart where it is fast. The points of a stroke
/// lie on the line through its samples, and neighbours are `spacing` apart, exactly up to rounding; only the last point,
/// which is where the pen was lifted, may be nearer to its predecessor. So there is no gap at any speed and no crowd at
/// rest. Laws: `StrokeBuilderTests.neighborsAreOneSpacingApart`, `pointsLieOnThePensWay`.
///
/// A stroke ends when the pen is lifted or points past the plane; the next sample with the pen down begins another one.
/// What lies between is never bridged.
public struct StrokeBuilder: Sendable {
    /// The plane that is drawn on.
    public let worldFromPlane: RigidTransform
    /// The pen's width, in metres.
    public let width: Double
    /// The distance between neighbouring points, in metres.
    public let spacing: Double
    /// The strokes that have ended.
    public private(set) var finishedStrokes: [Stroke] = []

    private var points: [Stroke.Point] = []
    private var pen: Stroke.Point?
    private var lastTimestamp: Timestamp?

    /// The default distance between neighbouring points: 3 mm.
    public static let defaultSpacing = 0.003

    /// The farthest from the plane's origin that a pen can draw: 1 km. A guard against hits near the horizon, which would
    /// fill the memory with points.
    public static let farthestPosition = 1000.0

    /// A builder of strokes on that plane.
    public init(
        worldFromPlane: RigidTransform, width: Double = Stroke.defaultWidth, spacing: Double = defaultSpacing
    ) {
        precondition(spacing >= 1e-6, "points cannot be \(spacing) m apart: the least spacing is 1e-6 m")
        precondition(width > 0 && width.isFinite, "a pen's width must be above zero, not \(width)")
        self.worldFromPlane = worldFromPlane
        self.width = width
        self.spacing = spacing
    }

    /// Takes the next sample. One that is refused changes nothing.
    public mutating func add(_ sample: PenSample) throws(PenSampleError) {
        if let lastTimestamp, sample.timestamp <= lastTimestamp {
            throw .timestampNotIncreasing(found: sample.timestamp, previous: lastTimestamp)
        }
        guard sample.isDown, let position = sample.position else {
            lastTimestamp = sample.timestamp
            return endStroke()
        }
        guard abs(position.x) <= Self.farthestPosition, abs(position.y) <= Self.farthestPosition else {
            throw .positionOutOfRange(timestamp: sample.timestamp, found: position)
        }
        lastTimestamp = sample.timestamp
        advance(to: Stroke.Point(timestamp: sample.timestamp, position: position))
    }

    /// All strokes, the one being drawn included as if the pen were lifted now.
    public var drawing: Drawing {
        var ended = self
        ended.endStroke()
        return Drawing(strokes: ended.finishedStrokes)
    }

    /// Goes straight to the new position and leaves a point wherever the last one is `spacing` away.
    private mutating func advance(to target: Stroke.Point) {
        guard var start = pen, var last = points.last else {
            points = [target]
            pen = target
            return
        }
        while let point = firstPoint(from: start, to: target, awayFrom: last.position) {
            points.append(point)
            (start, last) = (point, point)
        }
        pen = target
    }

    /// The first point on the way that is `spacing` away from `center`, where the way starts nearer than that.
    ///
    /// The larger root of |start + t (target − start) − center|² = spacing².
    private func firstPoint(from start: Stroke.Point, to target: Stroke.Point, awayFrom center: Point2) -> Stroke.Point?
    {
        guard (target.position - center).length >= spacing else { return nil }
        let way = target.position - start.position
        let offset = start.position - center
        let a = way.squaredLength
        let b = offset.dot(way)
        let c = offset.squaredLength - spacing * spacing
        let root = max(0, b * b - a * c).squareRoot()
        let fraction = min(1, max(0, b > 0 ? -c / (b + root) : (root - b) / a))
        let elapsed = Double(target.timestamp.nanoseconds(since: start.timestamp)) * fraction
        return Stroke.Point(
            timestamp: start.timestamp.advanced(byNanoseconds: Int64(elapsed.rounded())),
            position: start.position + fraction * way)
    }

    /// Ends the stroke at the last sample, as when the pen was lifted and put down again between two samples.
    public mutating func endStroke() {
        guard let pen, let last = points.last else { return }
        if pen.position != last.position { points.append(pen) }
        finishedStrokes.append(Stroke(points: points, worldFromPlane: worldFromPlane, width: width))
        points = []
        self.pen = nil
    }
}

/// Why a pen sample was refused.
public enum PenSampleError: Error, Hashable, Sendable {
    /// Samples must be given in the order of time, each later than the one before.
    case timestampNotIncreasing(found: Timestamp, previous: Timestamp)
    /// Both coordinates must be numbers within ``StrokeBuilder/farthestPosition``.
    case positionOutOfRange(timestamp: Timestamp, found: Point2)
}

extension PenSampleError: CustomStringConvertible {
    /// What was found, what was expected, and what to do.
    public var description: String {
        switch self {
        case .timestampNotIncreasing(let found, let previous):
            "pen sample at \(found) ns follows one at \(previous) ns: give samples in the order of time, each once"
        case .positionOutOfRange(let timestamp, let found):
            "pen sample at \(timestamp) ns lies at x \(found.x) m, z \(found.y) m: pass no position where the pen's hit is "
                + "not a number or farther than \(StrokeBuilder.farthestPosition) m from the plane's origin"
        }
    }
}
