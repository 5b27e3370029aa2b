// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// The curve through a pen's samples, piece by piece as they come: a piece is known one sample late.
///
/// The centripetal Catmull–Rom curve: it passes the samples smoothly, without loops or cusps between them, however
/// unevenly they are spaced. At a corner the curve ends, and another begins.
/// - Reference: Barry, Goldman 1988, "A recursive evaluation algorithm for a class of Catmull–Rom splines"; Yuksel,
///   Schaefer, Keyser 2011, "Parameterization and applications of Catmull–Rom curves".
struct CurveThroughSamples {
    /// The curve from one sample to the next, with their neighbours.
    struct Piece {
        var before: Point2
        /// The sample where it starts, with the time when the pen left it.
        var start: Stroke.Point
        var end: Stroke.Point
        var after: Point2
        var isStraight: Bool

        /// The distance from start to end, in metres.
        var chord: Double { (end.position - start.position).length }

        /// The point where a part of the time between both samples has gone by.
        func point(at part: Double) -> Stroke.Point {
            var point = start.mixed(with: end, part)
            point.position = position(at: part)
            return point
        }

        /// Neville's scheme over knots whose distances are the roots of the samples' distances.
        private func position(at part: Double) -> Point2 {
            let (p0, p1, p2, p3) = (before, start.position, end.position, after)
            let knot1 = (p1 - p0).length.squareRoot()
            let knot2 = knot1 + (p2 - p1).length.squareRoot()
            let knot3 = knot2 + (p3 - p2).length.squareRoot()
            let t = knot1 + part * (knot2 - knot1)
            let a1 = mix(p0, p1, t / knot1)
            let a2 = mix(p1, p2, part)
            let a3 = mix(p2, p3, (t - knot2) / (knot3 - knot2))
            let b1 = mix(a1, a2, t / knot2)
            let b2 = mix(a2, a3, (t - knot1) / (knot3 - knot1))
            return mix(b1, b2, part)
        }

        private func mix(_ a: Point2, _ b: Point2, _ part: Double) -> Point2 { (1 - part) * a + part * b }
    }

    /// The last samples in different places, at most three; the last one's time is when the pen was there last.
    private var samples: [Stroke.Point] = []
    /// When the pen came to the last of them.
    private var arrival: Stroke.Point?

    /// The last sample, or `nil` before the first.
    var last: Stroke.Point? { samples.last }

    /// Takes the next sample; the piece that it makes known.
    mutating func add(_ sample: Stroke.Point, _ path: StrokeBuilder.Path) -> Piece? {
        guard let last = samples.last else {
            samples = [sample]
            arrival = sample
            return nil
        }
        if last.position == sample.position {
            samples[samples.count - 1] = sample
            return nil
        }
        defer {
            samples.append(sample)
            if samples.count > 3 { samples.removeFirst() }
            arrival = sample
        }
        return samples.count < 2 ? nil : piece(to: sample.position, path)
    }

    /// The last piece.
    mutating func end(_ path: StrokeBuilder.Path) -> Piece? { samples.count < 2 ? nil : piece(to: nil, path) }

    /// The piece that ends at the last sample, after which the pen goes on to `next`.
    private func piece(to next: Point2?, _ path: StrokeBuilder.Path) -> Piece? {
        guard let arrival else { return nil }
        let start = samples[samples.count - 2]
        let before = samples.count == 3 ? samples[0].position : nil
        let (p1, p2) = (start.position, arrival.position)
        guard case .curve(let cornerAngle) = path else {
            return Piece(before: p1, start: start, end: arrival, after: p2, isStraight: true)
        }
        // At an end or a corner the neighbour is the mirror image of the other one.
        let smoothBefore = before.flatMap { Self.turn($0, p1, p2) <= cornerAngle ? $0 : nil }
        let smoothAfter = next.flatMap { Self.turn(p1, p2, $0) <= cornerAngle ? $0 : nil }
        return Piece(
            before: smoothBefore ?? 2 * p1 - p2, start: start, end: arrival, after: smoothAfter ?? 2 * p2 - p1,
            isStraight: smoothBefore == nil && smoothAfter == nil)
    }

    /// By how much the way turns at the middle one of three places.
    private static func turn(_ a: Point2, _ b: Point2, _ c: Point2) -> Double {
        atan2(abs((b - a).cross(c - b)), (b - a).dot(c - b))
    }
}

extension Stroke.Point {
    /// The point a part of the way to another one, in space, time and pressure.
    func mixed(with other: Stroke.Point, _ part: Double) -> Stroke.Point {
        let elapsed = Double(other.timestamp.nanoseconds(since: timestamp)) * part
        return Stroke.Point(
            timestamp: timestamp.advanced(byNanoseconds: Int64(elapsed.rounded())),
            position: position + part * (other.position - position),
            pressure: pressure + part * (other.pressure - pressure))
    }
}
