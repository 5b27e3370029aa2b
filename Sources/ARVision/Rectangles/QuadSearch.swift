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
        /// What candidates are ordered by.
        let prominence: Double

        init(quad: PixelQuad, score: Double) {
            self.quad = quad
            self.score = score
            prominence = score * quad.signedArea.squareRoot().squareRoot()
        }

        /// Whether it comes before another one: more prominent, or as prominent and farther up, or as far up and on the left.
        func precedes(_ other: Candidate) -> Bool {
            guard prominence == other.prominence else { return prominence > other.prominence }
            let (corner, others) = (quad.topLeft, other.quad.topLeft)
            return (quad.signedArea, -corner.y, -corner.x) > (other.quad.signedArea, -others.y, -others.x)
        }
    }

    /// A run's end, left through to the next run.
    struct Link {
        /// The run that is entered: twice its number, plus one where it is entered at its end.
        let entry: Int
        let corner: Vector2
        /// The gaps between the ends and the corner, relative to the runs' lengths.
        let cost: Double
    }

    static let linksPerEnd = 10

    /// The sine of 90° ± the tolerance and a little.
    let leastSine: Double
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
        let links = CornerLinks(self.links())
        let steps = self.steps(between: links)
        var candidates: [Candidate] = []
        // The exit of a run that was entered at one end is the other end: e ^ 1.
        for exit in 0..<2 * runs.count {
            for first in links.range(of: exit) {
                let one = links.all[first]
                for secondStep in steps.range(after: first) {
                    let second = steps.links[secondStep]
                    let two = links.all[second]
                    guard two.entry / 2 != exit / 2 else { continue }
                    for thirdStep in steps.range(after: second) {
                        let three = links.all[steps.links[thirdStep]]
                        guard three.entry / 2 != exit / 2, three.entry / 2 != one.entry / 2 else { continue }
                        let last: Vector2
                        if let link = links.number(exit: three.entry ^ 1, entry: exit ^ 1) {
                            // Where all four corners are links, the same way is walked from each of them.
                            if min(one.entry, two.entry, three.entry) / 2 < exit / 2 { continue }
                            last = links.all[link].corner
                        } else if let corner = closing(exit: three.entry ^ 1, entry: exit ^ 1) {
                            last = corner
                        } else {
                            continue
                        }
                        let sides = (one.entry / 2, two.entry / 2, three.entry / 2, exit / 2)
                        let corners = (one.corner, two.corner, three.corner, last)
                        if let candidate = candidate(corners: corners, sides: sides) { candidates.append(candidate) }
                    }
                }
            }
        }
        return candidates
    }

    /// For each link, those that may leave the run that it enters: the run is a side between both corners.
    private func steps(between links: CornerLinks) -> SideSteps {
        let shortest = 0.9 * configuration.shortestSide(in: imageSize)
        var steps = SideSteps()
        for link in links.all {
            for next in links.range(of: link.entry ^ 1)
            where isSide(link.entry / 2, from: link.corner, to: links.all[next].corner, shortest) {
                steps.links.append(next)
            }
            steps.ends.append(steps.links.count)
        }
        return steps
    }

    /// Whether a run may be a side between two corners.
    private func isSide(_ run: Int, from start: Vector2, to end: Vector2, _ shortest: Double) -> Bool {
        (end - start).length > 0.5 * shortest && coverage(of: run, from: start, to: end).fraction >= 0.4
    }

    /// The last corner where no link leads there: once three corners are, where the lines meet much farther from their ends.
    private func closing(exit: Int, entry: Int) -> Vector2? {
        let (from, onto) = (runs[exit / 2], runs[entry / 2])
        let outward = exit % 2 == 0 ? -from.direction : from.direction
        let otherOutward = entry % 2 == 0 ? -onto.direction : onto.direction
        guard outward.cross(-otherOutward) >= leastSine else { return nil }
        let end = exit % 2 == 0 ? from.start : from.end
        let between = (entry % 2 == 0 ? onto.start : onto.end) - end
        let gap = between.cross(otherOutward) / outward.cross(otherOutward)
        guard isGapAllowed(gap, length: from.length, share: 1) else { return nil }
        let otherGap = (gap * outward - between).dot(otherOutward)
        return isGapAllowed(otherGap, length: onto.length, share: 1) ? end + gap * outward : nil
    }

    /// The candidate whose side i goes from corner i to the next; `nil` where too little speaks for it.
    private func candidate(
        corners: (Vector2, Vector2, Vector2, Vector2), sides: (Int, Int, Int, Int)
    ) -> Candidate? {
        let quad = PixelQuad(
            topLeft: PixelPoint(corners.0), topRight: PixelPoint(corners.1), bottomRight: PixelPoint(corners.2),
            bottomLeft: PixelPoint(corners.3))
        var (covered, signed, visible, least, beyond) = (0.0, 0.0, 0.0, 1.0, 0.0)
        func count(_ side: Int, _ start: Vector2, _ end: Vector2) {
            let coverage = coverage(of: side, from: start, to: end)
            covered += coverage.covered
            signed += coverage.signed
            visible += coverage.visible
            beyond += coverage.beyond
            least = min(least, coverage.fraction)
        }
        count(sides.0, corners.0, corners.1)
        count(sides.1, corners.1, corners.2)
        count(sides.2, corners.2, corners.3)
        count(sides.3, corners.3, corners.0)
        let perimeter = 2 * (quad.width + quad.height)
        guard least >= 0.4, visible > 0.7 * perimeter else { return nil }
        let share = covered / visible
        guard share >= 0.6, loose.admits(quad, imageSize: imageSize) else { return nil }
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
