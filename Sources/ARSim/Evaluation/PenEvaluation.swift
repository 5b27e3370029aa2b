// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARDrawing
import ARGeometry
import ARSensing
import ARTruth
import ARVision

/// How far a session's pen was from the true fingertip, and its drawing from what the finger truly drew.
///
/// ```swift
/// var pen = try PenEvaluation(of: scene)
/// while let frame = try session.next() { try pen.add(frame) }
/// let report = pen.report(of: session.drawing)
/// ```
public struct PenEvaluation {
    /// Middle and tail of a set of errors.
    public struct Spread: Hashable, Sendable {
        /// Half of the errors are smaller.
        public let median: Double
        /// Nine of ten are smaller.
        public let tail: Double

        init?(_ errors: [Double]) {
            guard !errors.isEmpty else { return nil }
            let sorted = errors.sorted()
            median = sorted[(sorted.count - 1) / 2]
            tail = sorted[Int((Double(sorted.count - 1) * 0.9).rounded(.up))]
        }
    }

    /// What was found.
    public struct Report: Hashable, Sendable {
        /// The frames in which the finger truly drew, and was visible.
        public let drawingFrameCount: Int
        /// The part of these in which the pen was not seen.
        public let lostShare: Double
        /// Metres in the plane between the pen and the true fingertip, while it drew.
        public let tip: Spread?
        /// Pixels between the finger's end's centre and the point with which it truly touches, while it drew.
        public let pixels: Spread?
        /// The greatest distance of a point of the true strokes from the drawn ones, or of these from the true ones, in
        /// metres. Solids of equal width and height are no farther apart.
        public let strokeDistance: Double?
    }

    private var truths: any TruthStream
    private let strokes: [StrokeTruth]
    private var samples: [(pen: Point3?, tip: Point3)] = []
    private var pixelErrors: [Double] = []

    /// An evaluation that has seen no frame yet.
    public init(of source: some TruthSource) throws {
        truths = try source.makeTruthStream()
        strokes = try source.sessionTruth().strokes
    }

    /// Takes the session's next frame.
    public mutating func add(_ frame: SessionFrame) throws {
        guard let tip = try truths.truth(at: frame.timestamp)?.fingertip, tip.isPenDown, tip.isVisible else { return }
        samples.append((frame.pen?.positionInWorld, tip.positionInWorld))
        if let pixel = tip.pixel, let seen = frame.fingertip { pixelErrors.append(seen.center.distance(to: pixel)) }
    }

    /// What the frames and the drawing amount to; `nil` where the truth has no finger that draws.
    ///
    /// - Parameter truthFromSession: the session's world laid over the truth's. In mode `pinned` they are the same.
    public func report(of drawing: Drawing, truthFromSession: Similarity = .identity) -> Report? {
        guard !samples.isEmpty else { return nil }
        let errors = samples.compactMap { sample in
            sample.pen.map { (truthFromSession * $0 - sample.tip).length }
        }
        return Report(
            drawingFrameCount: samples.count, lostShare: 1 - Double(errors.count) / Double(samples.count),
            tip: Spread(errors), pixels: Spread(pixelErrors),
            strokeDistance: Self.distance(
                strokes.map(\.pointsInWorld),
                drawing.strokes.map { $0.pointsInWorld.map { truthFromSession * $0 } }))
    }

    /// The Hausdorff distance of two sets of lines, from the points of each to the segments of the other.
    private static func distance(_ some: [[Point3]], _ others: [[Point3]]) -> Double? {
        guard !some.joined().isEmpty, !others.joined().isEmpty else { return nil }
        return max(reach(from: some, to: others), reach(from: others, to: some))
    }

    /// The greatest distance of a point of the lines from the other lines.
    private static func reach(from lines: [[Point3]], to others: [[Point3]]) -> Double {
        var greatest = 0.0
        for point in lines.joined() {
            var least = Double.infinity
            for line in others {
                for index in line.indices {
                    let (start, end) = (line[index], line[min(index + 1, line.count - 1)])
                    least = min(least, squaredDistance(of: point, fromSegment: start, end))
                }
            }
            greatest = max(greatest, least)
        }
        return greatest.squareRoot()
    }

    private static func squaredDistance(of point: Point3, fromSegment start: Point3, _ end: Point3) -> Double {
        let along = end - start
        let length = along.squaredLength
        let part = length > 0 ? min(max((point - start).dot(along) / length, 0), 1) : 0
        return (start + part * along - point).squaredLength
    }
}
