// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Turns the pen's samples into strokes with evenly spaced points.
///
/// Samples come at the camera's rate, dense where the pen rests and far apart where it is fast. The points of a stroke
/// lie on a curve through its samples, and neighbours are `spacing` apart, exactly up to rounding; only the last point,
/// which is where the pen was lifted, may be nearer to its predecessor. So there is no gap at any speed and no crowd at
/// rest. Laws: `StrokeBuilderTests.neighborsAreOneSpacingApart`, `pointsLieOnThePensWay`, `curvesAreSmooth`.
///
/// A stroke ends when the pen is lifted or points past the plane; the next sample with the pen down begins another one.
/// What lies between is never bridged.
public struct StrokeBuilder: Sendable {
    /// How the pen went from sample to sample.
    public enum Path: Hashable, Sendable {
        /// Straight.
        case straight
        /// On a smooth curve, with a corner at samples where the way turns by more than an angle in radians: the
        /// centripetal Catmull–Rom curve, which has neither loops nor cusps between samples.
        case curve(cornerAngle: Double)

        /// A smooth curve with corners above 60°.
        public static let smooth = Path.curve(cornerAngle: .pi / 3)
    }

    /// The plane that is drawn on.
    public let worldFromPlane: RigidTransform
    /// The distance between neighbouring points, in metres.
    public let spacing: Double
    /// How the pen goes from sample to sample.
    public let path: Path
    /// The width of the strokes that end from now on, in metres.
    public var width: Double { didSet { Self.check(width, "a pen's width") } }
    /// The height of the strokes that end from now on, in metres.
    public var height: Double { didSet { Self.check(height, "a stroke's height") } }
    /// The colour of the strokes that end from now on.
    public var color: StrokeColor
    /// The strokes that have ended.
    public private(set) var finishedStrokes: [Stroke] = []

    private var points: [Stroke.Point] = []
    private var curve = CurveThroughSamples()
    private var lastTimestamp: Timestamp?

    /// The default distance between neighbouring points: 3 mm.
    public static let defaultSpacing = 0.003

    /// The farthest from the plane's origin that a pen can draw: 1 km. A guard against hits near the horizon, which would
    /// fill the memory with points.
    public static let farthestPosition = 1000.0

    /// A builder of strokes on that plane.
    public init(
        worldFromPlane: RigidTransform, width: Double = Stroke.defaultWidth, height: Double = Stroke.defaultHeight,
        color: StrokeColor = .black, spacing: Double = defaultSpacing, path: Path = .smooth
    ) {
        precondition(spacing >= 1e-6, "points cannot be \(spacing) m apart: the least spacing is 1e-6 m")
        Self.check(width, "a pen's width")
        Self.check(height, "a stroke's height")
        self.worldFromPlane = worldFromPlane
        self.width = width
        self.height = height
        self.color = color
        self.spacing = spacing
        self.path = path
    }

    private static func check(_ length: Double, _ what: String) {
        precondition(length > 0 && length.isFinite, "\(what) must be above zero, not \(length)")
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
        guard Stroke.pressures.contains(sample.pressure) else {
            throw .pressureOutOfRange(timestamp: sample.timestamp, found: sample.pressure)
        }
        lastTimestamp = sample.timestamp
        let point = Stroke.Point(timestamp: sample.timestamp, position: position, pressure: sample.pressure)
        if points.isEmpty { points = [point] }
        if let piece = curve.add(point, path) { follow(piece) }
    }

    /// All strokes, the one being drawn included as if the pen were lifted now.
    public var drawing: Drawing {
        var ended = self
        ended.endStroke()
        return Drawing(strokes: ended.finishedStrokes)
    }

    /// Ends the stroke at the last sample, as when the pen was lifted and put down again between two samples.
    public mutating func endStroke() {
        guard let last = curve.last else { return }
        if let piece = curve.end(path) { follow(piece) }
        if let point = points.last, point.position != last.position { points.append(last) }
        finishedStrokes.append(
            Stroke(points: points, worldFromPlane: worldFromPlane, width: width, height: height, color: color))
        points = []
        curve = CurveThroughSamples()
    }

    /// The points of the stroke through those of another one, whose stamps need not increase.
    static func points(
        through points: [Stroke.Point], spacing: Double, path: Path
    ) -> [Stroke.Point] {
        var builder = StrokeBuilder(worldFromPlane: .identity, spacing: spacing, path: path)
        builder.points = Array(points.prefix(1))
        for point in points {
            if let piece = builder.curve.add(point, path) { builder.follow(piece) }
        }
        builder.endStroke()
        return builder.finishedStrokes.first?.points ?? []
    }

    /// Goes along a piece of the curve and leaves a point wherever the last one is `spacing` away.
    private mutating func follow(_ piece: CurveThroughSamples.Piece) {
        var start = piece.start
        // Four chords for each spacing: they leave the curve by less than a tenth of the spacing, however it bends.
        let count = piece.isStraight ? 1 : max(4, min(4096, Int(4 * piece.chord / spacing)))
        for step in 1...count {
            let target = step == count ? piece.end : piece.point(at: Double(step) / Double(count))
            while let last = points.last, let point = firstPoint(from: start, to: target, awayFrom: last.position) {
                points.append(point)
                start = point
            }
            start = target
        }
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
        return start.mixed(with: target, fraction)
    }
}

/// Why a pen sample was refused.
public enum PenSampleError: Error, Hashable, Sendable {
    /// Samples must be given in the order of time, each later than the one before.
    case timestampNotIncreasing(found: Timestamp, previous: Timestamp)
    /// Both coordinates must be numbers within ``StrokeBuilder/farthestPosition``.
    case positionOutOfRange(timestamp: Timestamp, found: Point2)
    /// The pressure must be a number within ``Stroke/pressures``.
    case pressureOutOfRange(timestamp: Timestamp, found: Double)
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
        case .pressureOutOfRange(let timestamp, let found):
            "pen sample at \(timestamp) ns has the pressure \(found): give a number from "
                + "\(Stroke.pressures.lowerBound) to \(Stroke.pressures.upperBound)"
        }
    }
}
