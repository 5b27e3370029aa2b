// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Finds quadrilaterals among runs of edges: four of them, each meeting the next near their ends and turning right.
///
/// A search of depth four through a graph of corners, as Olson's for AprilTag (2011, "A robust and flexible visual
/// fiducial system"), but blind to which side is brighter, tolerant of gaps, and over joined runs besides single pieces.
struct QuadSearch {
    let runs: [EdgeRun]
    let imageSize: ImageSize
    let configuration: RectangleDetector.Configuration
    /// The size of a pixel of the level on which the edges were found.
    let pixel: Double

    /// A quadrilateral, and how much speaks for it.
    struct Candidate {
        let quad: PixelQuad
        /// 0 … 1.
        let score: Double
    }

    /// A run's end, left through to the next run.
    private struct Link {
        /// The run that is entered: twice its number, plus one where it is entered at its end.
        let entry: Int
        let corner: Vector2
        /// The gaps between the ends and the corner, relative to the runs' lengths.
        let cost: Double
    }

    private static let linksPerEnd = 10

    /// The sine of 90° ± the tolerance and a little.
    private let leastSine: Double
    /// What is asked for, and a little more: the sides are not measured yet.
    private let loose: RectangleDetector.Configuration

    init(
        runs: [EdgeRun], imageSize: ImageSize, configuration: RectangleDetector.Configuration, pixel: Double
    ) {
        self.runs = runs
        self.imageSize = imageSize
        self.configuration = configuration
        self.pixel = pixel
        leastSine = cos(configuration.quadratureTolerance + 0.05)
        var loose = configuration
        loose.minimumSize *= 0.9
        loose.minimumAspectRatio *= 0.9
        loose.maximumAspectRatio = 1
        loose.quadratureTolerance += 0.05
        self.loose = loose
    }

    /// All candidates, in no order that means anything, but always the same.
    func candidates() -> [Candidate] {
        let links = self.links()
        var candidates: [Candidate] = []
        let shortest = 0.9 * configuration.shortestSide(in: imageSize)
        // The exit of a run that was entered at one end is the other end: e ^ 1.
        for exit in 0..<2 * runs.count {
            for first in links[exit] {
                for second in links[first.entry ^ 1] where second.entry / 2 != exit / 2 {
                    guard isSide(first.entry / 2, from: first.corner, to: second.corner, shortest) else { continue }
                    for third in links[second.entry ^ 1]
                    where third.entry / 2 != exit / 2 && third.entry / 2 != first.entry / 2 {
                        guard isSide(second.entry / 2, from: second.corner, to: third.corner, shortest),
                            let last = closing(exit: third.entry ^ 1, entry: exit ^ 1, links: links)
                        else { continue }
                        let sides = [first.entry / 2, second.entry / 2, third.entry / 2, exit / 2]
                        // Where all four corners are links, the same way is walked from each of them.
                        if last.isLink && sides.contains(where: { $0 < exit / 2 }) { continue }
                        let corners = [first.corner, second.corner, third.corner, last.corner]
                        if let candidate = candidate(corners: corners, sides: sides) { candidates.append(candidate) }
                    }
                }
            }
        }
        return candidates
    }

    /// Whether a run may be a side between two corners.
    private func isSide(_ run: Int, from start: Vector2, to end: Vector2, _ shortest: Double) -> Bool {
        (end - start).length > 0.5 * shortest && coverage(of: run, from: start, to: end).fraction >= 0.4
    }

    /// The last corner: a link, or, once three corners are, where the lines meet much farther from their ends.
    private func closing(exit: Int, entry: Int, links: [[Link]]) -> (corner: Vector2, isLink: Bool)? {
        if let link = links[exit].first(where: { $0.entry == entry }) { return (link.corner, true) }
        let (from, onto) = (runs[exit / 2], runs[entry / 2])
        let outward = exit % 2 == 0 ? -from.direction : from.direction
        let otherOutward = entry % 2 == 0 ? -onto.direction : onto.direction
        guard outward.cross(-otherOutward) >= leastSine else { return nil }
        let end = exit % 2 == 0 ? from.start : from.end
        let between = (entry % 2 == 0 ? onto.start : onto.end) - end
        let gap = between.cross(otherOutward) / outward.cross(otherOutward)
        let otherGap = (gap * outward - between).dot(otherOutward)
        guard isGapAllowed(gap, length: from.length, share: 1), isGapAllowed(otherGap, length: onto.length, share: 1)
        else { return nil }
        return (end + gap * outward, false)
    }

    /// The candidate whose side i goes from corner i to the next; `nil` where too little speaks for it.
    private func candidate(corners: [Vector2], sides: [Int]) -> Candidate? {
        let quad = PixelQuad(corners: corners.map { PixelPoint($0) })
        guard loose.admits(quad, imageSize: imageSize) else { return nil }
        var (covered, signed, visible, least, beyond) = (0.0, 0.0, 0.0, 1.0, 0.0)
        for side in 0..<4 {
            let (start, end) = (corners[side], corners[(side + 1) % 4])
            let coverage = coverage(of: sides[side], from: start, to: end)
            covered += coverage.covered
            signed += coverage.signed
            visible += coverage.visible
            beyond += coverage.beyond
            least = min(least, coverage.fraction)
        }
        let perimeter = 2 * (quad.width + quad.height)
        guard least >= 0.4, visible > 0.7 * perimeter else { return nil }
        let share = covered / visible
        guard share >= 0.6 else { return nil }
        let agreement = covered > 0 ? abs(signed) / covered : 0
        let excess = min(beyond / perimeter, 1)
        return Candidate(
            quad: quad, score: share * (0.6 + 0.4 * least) * (0.85 + 0.15 * agreement) * (1 - 0.5 * excess))
    }

    /// How much of a side's way inside the picture a run covers.
    private struct Coverage {
        var covered, signed, visible, beyond: Double
        var fraction: Double { visible > 0 ? covered / visible : 0 }
    }

    private func coverage(of number: Int, from start: Vector2, to end: Vector2) -> Coverage {
        let run = runs[number]
        let (a, b) = (run.distance(along: start), run.distance(along: end))
        let (low, high) = (min(a, b), max(a, b))
        let overlap = max(0, min(high, run.length) - max(low, 0))
        let share = overlap / run.length
        let beyond = max(0, low) + max(0, run.length - high)
        return Coverage(
            covered: run.covered * share, signed: run.signed * share * (a < b ? 1 : -1),
            visible: visibleLength(from: start, to: end), beyond: beyond)
    }

    /// The length of the part of a segment that lies inside the picture (Liang and Barsky 1984).
    private func visibleLength(from start: Vector2, to end: Vector2) -> Double {
        let span = end - start
        var (low, high) = (0.0, 1.0)
        func clip(_ slope: Double, _ room: Double) -> Bool {
            if slope < 0 {
                low = max(low, room / slope)
            } else if slope > 0 {
                high = min(high, room / slope)
            }
            return slope != 0 || room >= 0
        }
        guard clip(-span.x, start.x), clip(span.x, Double(imageSize.width - 1) - start.x), clip(-span.y, start.y),
            clip(span.y, Double(imageSize.height - 1) - start.y)
        else { return 0 }
        return max(0, high - low) * span.length
    }
}

// MARK: - Corners

extension QuadSearch {
    /// For each end of each run, the runs that continue there after a right turn, the closest first.
    private func links() -> [[Link]] {
        var links = [[Link]](repeating: [], count: 2 * runs.count)
        guard !runs.isEmpty else { return links }
        let cells = EndGrid(runs: runs, imageSize: imageSize)
        for number in runs.indices {
            let run = runs[number]
            for side in 0..<2 {
                let end = side == 0 ? run.start : run.end
                let outward = side == 0 ? -run.direction : run.direction
                cells.forEachEnd(within: 0.8 * run.length + 8 * pixel, of: end) { other in
                    // Runs come longest first: each pair is seen once, from the longer one.
                    guard other / 2 > number else { return }
                    let partner = runs[other / 2]
                    let otherOutward = other % 2 == 0 ? -partner.direction : partner.direction
                    let sine = outward.cross(-otherOutward)
                    guard abs(sine) >= leastSine else { return }
                    let otherEnd = other % 2 == 0 ? partner.start : partner.end
                    let between = otherEnd - end
                    let gap = between.cross(otherOutward) / outward.cross(otherOutward)
                    guard isGapAllowed(gap, length: run.length) else { return }
                    let otherGap = (gap * outward - between).dot(otherOutward)
                    guard isGapAllowed(otherGap, length: partner.length) else { return }
                    let corner = end + gap * outward
                    let cost = abs(gap) / run.length + abs(otherGap) / partner.length
                    let mine = 2 * number + side
                    if sine > 0 {
                        links[mine].append(Link(entry: other, corner: corner, cost: cost))
                    } else {
                        links[other].append(Link(entry: mine, corner: corner, cost: cost))
                    }
                }
            }
        }
        for end in links.indices {
            links[end].sort { ($0.cost, $0.entry) < ($1.cost, $1.entry) }
            if links[end].count > Self.linksPerEnd { links[end].removeLast(links[end].count - Self.linksPerEnd) }
        }
        return links
    }

    /// Whether a corner may lie so far beyond a run's end, or before it.
    private func isGapAllowed(_ gap: Double, length: Double, share: Double = 0.4) -> Bool {
        gap > -max(3 * pixel, 0.12 * length) && gap < 4 * pixel + share * length
    }
}

/// The ends of runs, sorted into square cells.
private struct EndGrid {
    private static let side = 32.0
    private let columns, rows: Int
    private let cells: [[Int]]
    private let ends: [Vector2]

    init(runs: [EdgeRun], imageSize: ImageSize) {
        columns = imageSize.width / Int(Self.side) + 1
        rows = imageSize.height / Int(Self.side) + 1
        ends = runs.flatMap { [$0.start, $0.end] }
        var cells = [[Int]](repeating: [], count: columns * rows)
        for (number, end) in ends.enumerated() {
            let column = min(max(Int(end.x / Self.side), 0), columns - 1)
            let row = min(max(Int(end.y / Self.side), 0), rows - 1)
            cells[row * columns + column].append(number)
        }
        self.cells = cells
    }

    /// Calls with twice the run's number, plus one for its end.
    func forEachEnd(within radius: Double, of place: Vector2, _ body: (Int) -> Void) {
        func range(_ middle: Double, _ count: Int) -> ClosedRange<Int> {
            let low = min(max(Int((middle - radius) / Self.side), 0), count - 1)
            return low...max(low, min(max(Int((middle + radius) / Self.side), 0), count - 1))
        }
        let limit = radius * radius
        for row in range(place.y, rows) {
            for column in range(place.x, columns) {
                for end in cells[row * columns + column] where (ends[end] - place).squaredLength <= limit { body(end) }
            }
        }
    }
}
