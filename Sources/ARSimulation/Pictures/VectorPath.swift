// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Lines and cubic Béziers, in any number of pieces; y points down.
///
/// Filled, each piece is closed by a line; what lies inside is told by the non-zero rule: pieces of the same direction
/// are united, one of the opposite direction is a hole.
struct VectorPath: Hashable, Sendable {
    /// A piece of the pen's way.
    enum Element: Hashable, Sendable {
        /// A new piece starts here.
        case move(Point2)
        /// A straight line.
        case line(Point2)
        /// A cubic Bézier with its two inner control points and its end.
        case cubic(Point2, Point2, Point2)
    }

    /// The pieces, the first of which is a move.
    private(set) var elements: [Element] = []

    /// The control distance that makes a cubic of a quarter circle: the error is below 0.0003 of the radius.
    static let quarterCircle = 4.0 / 3 * (2.0.squareRoot() - 1)
}

// MARK: - Drawing

extension VectorPath {
    mutating func move(to point: Point2) { elements.append(.move(point)) }

    mutating func line(to point: Point2) { elements.append(.line(point)) }

    mutating func cubic(_ first: Point2, _ second: Point2, to end: Point2) {
        elements.append(.cubic(first, second, end))
    }

    mutating func append(_ other: VectorPath) { elements += other.elements }

    /// Both, united where their directions are the same.
    static func + (first: VectorPath, second: VectorPath) -> VectorPath {
        var sum = first
        sum.append(second)
        return sum
    }

    /// The path in other coordinates.
    func transformed(by transform: AffineTransform2D) -> VectorPath {
        var result = VectorPath()
        result.elements = elements.map { element in
            switch element {
            case .move(let point): .move(transform * point)
            case .line(let point): .line(transform * point)
            case .cubic(let first, let second, let end): .cubic(transform * first, transform * second, transform * end)
            }
        }
        return result
    }

    /// The path in the opposite direction, each piece for itself: what makes a hole of it.
    var reversed: VectorPath {
        var result = VectorPath()
        for piece in pieces {
            var backwards: [Element] = []
            var start = piece.start
            for element in piece.rest {
                switch element {
                case .move(let end): start = end
                case .line(let end):
                    backwards.insert(.line(start), at: 0)
                    start = end
                case .cubic(let first, let second, let end):
                    backwards.insert(.cubic(second, first, start), at: 0)
                    start = end
                }
            }
            result.elements += [.move(start)] + backwards
        }
        return result
    }

    private var pieces: [(start: Point2, rest: [Element])] {
        var pieces: [(start: Point2, rest: [Element])] = []
        for element in elements {
            if case .move(let point) = element {
                pieces.append((point, []))
            } else if !pieces.isEmpty {
                pieces[pieces.count - 1].rest.append(element)
            }
        }
        return pieces
    }
}

// MARK: - Polylines

extension VectorPath {
    /// The pieces as Béziers of which each starts where the one before ends.
    var curves: [[CubicBezier]] {
        pieces.map { piece in
            var pen = piece.start
            return piece.rest.map { element in
                let start = pen
                switch element {
                case .move(let end), .line(let end):
                    pen = end
                    return CubicBezier(from: start, to: end)
                case .cubic(let first, let second, let end):
                    pen = end
                    return CubicBezier(start, first, second, end)
                }
            }
        }
    }

    /// The pieces as polylines whose chords stay within the tolerance of the curves.
    ///
    /// - Reference: Wang 1984: n chords of a cubic are off by at most 6/8 · max |second difference| / n².
    func polylines(tolerance: Double) -> [[Point2]] {
        pieces.map { piece in
            var points = [piece.start]
            for element in piece.rest {
                switch element {
                case .move(let end), .line(let end): points.append(end)
                case .cubic(let first, let second, let end):
                    let start = points[points.count - 1]
                    let bend = max((start - 2 * first + second).length, (first - 2 * second + end).length)
                    let count = max(1, Int((0.75 * bend / tolerance).squareRoot().rounded(.up)))
                    for step in 1..<count {
                        points.append(
                            CubicBezier(start, first, second, end).point(at: Double(step) / Double(count)))
                    }
                    points.append(end)
                }
            }
            return points
        }
    }

    /// The outline of a round pen of that width that goes along the path.
    func stroked(width: Double, tolerance: Double) -> VectorPath {
        var outline = VectorPath()
        for line in polylines(tolerance: tolerance) {
            for point in line { outline.append(.circle(point, radius: width / 2)) }
            for (start, end) in zip(line, line.dropFirst()) {
                guard let along = (end - start).normalized() else { continue }
                let side = width / 2 * along.perpendicular
                outline.append(.polygon([start - side, end - side, end + side, start + side]))
            }
        }
        return outline
    }
}

/// A cubic Bézier curve.
struct CubicBezier: Hashable, Sendable {
    let start: Point2
    let first: Point2
    let second: Point2
    let end: Point2

    init(_ start: Point2, _ first: Point2, _ second: Point2, _ end: Point2) {
        (self.start, self.first, self.second, self.end) = (start, first, second, end)
    }

    /// A straight line.
    init(from start: Point2, to end: Point2) {
        self.init(start, start + (end - start) / 3, end - (end - start) / 3, end)
    }

    /// The point at a parameter 0…1.
    func point(at t: Double) -> Point2 {
        let s = 1 - t
        return s * s * s * start + 3 * s * s * t * first + 3 * s * t * t * second + t * t * t * end
    }
}
