// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision

/// One or more straight pieces of edges on a common line: what may be a side of a rectangle.
struct EdgeRun {
    /// Its ends, in pixels of the picture.
    var start, end: Vector2
    /// From the start to the end, of length one.
    let direction: Vector2
    let length: Double
    /// How much of its length is edge, in pixels; the rest are gaps.
    let covered: Double
    /// `covered`, negative for what is brighter on the left.
    let signed: Double

    /// A run between two places. `nil` when they coincide.
    init?(from start: Vector2, to end: Vector2, covered: Double, signed: Double) {
        let span = end - start
        guard let direction = span.normalized() else { return nil }
        self.start = start
        self.end = end
        self.direction = direction
        self.covered = min(covered, span.length)
        self.signed = signed
        length = span.length
    }

    /// A piece alone, led along the x axis or, if upright, down.
    init?(_ segment: CVisionEdgeSegment) {
        let (a, b) = (Vector2(segment.start_x, segment.start_y), Vector2(segment.end_x, segment.end_y))
        let length = (b - a).length
        let isForward = (a.x, a.y) < (b.x, b.y)
        self.init(
            from: isForward ? a : b, to: isForward ? b : a, covered: length, signed: isForward ? length : -length)
    }

    /// How far a place is from the line, to its right.
    func offset(of point: Vector2) -> Double { direction.cross(point - start) }

    /// How far along the line a place is, from the start.
    func distance(along point: Vector2) -> Double { direction.dot(point - start) }
}

extension EdgeRun {
    /// All runs that pieces form: each piece, and each joined with those that continue it, one after the other.
    ///
    /// Corners may hide between pieces: joining never replaces, it only adds.
    ///
    /// - Parameter pixel: the size of a pixel of the level on which the pieces were found.
    static func runs(of pieces: [EdgeRun], leastLength: Double, pixel: Double, limit: Int) -> [EdgeRun] {
        var runs: [EdgeRun] = []
        let sorted = PiecesByStart(pieces)
        for piece in pieces {
            var run = piece
            runs.append(run)
            for _ in 0..<6 {
                guard let next = run.continuation(among: sorted, pixel: pixel),
                    let joined = run.joined(with: next)
                else { break }
                run = joined
                runs.append(run)
            }
        }
        runs.removeAll { $0.length < leastLength }
        runs.sort { ($0.length, $0.start.x, $0.start.y) > ($1.length, $1.start.x, $1.start.y) }
        return Array(runs.prefix(limit))
    }

    /// The nearest piece ahead on the same line.
    private func continuation(among sorted: PiecesByStart, pixel: Double) -> EdgeRun? {
        let reach = max(0.5 * length, 6 * pixel)
        let range = (min(end.x, end.x + reach * direction.x) - 3 * pixel)...(end.x + reach + 3 * pixel)
        var best: (gap: Double, piece: EdgeRun)?
        for piece in sorted.pieces[sorted.first(from: range.lowerBound)...] {
            if piece.start.x > range.upperBound { break }
            let longestGap = max(0.35 * (length + piece.length), 6 * pixel)
            // Most lie far beside the line, farther than either end may after the longest gap.
            guard abs(offset(of: piece.start)) < 1.5 * pixel + 0.015 * (longestGap + piece.length) else { continue }
            // An upright line may be led either way by its noise.
            let isReversed = piece.direction.dot(direction) < 0
            let (near, far) = isReversed ? (piece.end, piece.start) : (piece.start, piece.end)
            let gap = distance(along: near) - length
            guard gap > -2 * pixel, gap < longestGap, gap < best?.gap ?? .infinity,
                distance(along: far) > length + 2 * pixel,
                abs(offset(of: near)) < 1.5 * pixel + 0.01 * gap,
                abs(offset(of: far)) < 1.5 * pixel + 0.015 * (gap + piece.length)
            else { continue }
            best = (gap, piece)
        }
        return best?.piece
    }

    /// From this run's start to the other's far end.
    private func joined(with next: EdgeRun) -> EdgeRun? {
        let isReversed = next.direction.dot(direction) < 0
        return EdgeRun(
            from: start, to: isReversed ? next.start : next.end, covered: covered + next.covered,
            signed: signed + (isReversed ? -next.signed : next.signed))
    }
}

/// Pieces by the columns in which they start.
private struct PiecesByStart {
    let pieces: [EdgeRun]

    init(_ pieces: [EdgeRun]) {
        let order = pieces.indices.sorted { pieces[$0].start.x < pieces[$1].start.x }
        self.pieces = order.map { pieces[$0] }
    }

    /// The number of the first piece that starts in a column or beyond it.
    func first(from column: Double) -> Int {
        var (low, high) = (pieces.startIndex, pieces.endIndex)
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].start.x < column { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
