// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

extension QuadSearch {
    /// For each end of each run, the runs that continue there after a right turn, the closest first.
    func links() -> [[Link]] {
        var links = [[Link]](repeating: [], count: 2 * runs.count)
        guard !runs.isEmpty else { return links }
        let cells = EndGrid(runs: runs, imageSize: imageSize)
        let tolerance = acos(leastSine) + 1e-6
        let ends = runs.flatMap { run in
            [RunEnd(run.start, outward: -run.direction, of: run), RunEnd(run.end, outward: run.direction, of: run)]
        }
        for mine in ends.indices {
            let (end, outward, length) = (ends[mine].place, ends[mine].outward, ends[mine].length)
            cells.forEachEnd(
                within: 0.8 * length + 8 * pixel, of: end, across: outward, tolerance: tolerance
            ) { other in
                // Runs come longest first: each pair is seen once, from the longer one.
                guard other / 2 > mine / 2 else { return }
                let partner = ends[other]
                let cross = outward.cross(partner.outward)
                guard abs(cross) >= leastSine else { return }
                let between = partner.place - end
                let gap = between.cross(partner.outward) / cross
                guard isGapAllowed(gap, length: length) else { return }
                let otherGap = (gap * outward - between).dot(partner.outward)
                guard isGapAllowed(otherGap, length: partner.length) else { return }
                let corner = end + gap * outward
                let cost = abs(gap) / length + abs(otherGap) / partner.length
                if cross < 0 {
                    links[mine].append(Link(entry: other, corner: corner, cost: cost))
                } else {
                    links[other].append(Link(entry: mine, corner: corner, cost: cost))
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
    func isGapAllowed(_ gap: Double, length: Double, share: Double = 0.4) -> Bool {
        gap > -max(3 * pixel, 0.12 * length) && gap < 4 * pixel + share * length
    }
}

/// What is asked of an end of a run, over and over.
private struct RunEnd {
    let place, outward: Vector2
    let length: Double

    init(_ place: Vector2, outward: Vector2, of run: EdgeRun) {
        self.place = place
        self.outward = outward
        length = run.length
    }
}

/// The links of all ends, one end's after the other's.
struct CornerLinks {
    var all: [QuadSearch.Link] = []
    private var ends = [0]
    /// For each end, the bits that what its links enter has in it, counted modulo 64: most ends that it does not enter are
    /// told by them.
    private var entered: [UInt64] = []

    init(_ links: [[QuadSearch.Link]]) {
        for links in links {
            all += links
            ends.append(all.count)
            entered.append(links.reduce(0) { $0 | 1 << UInt64($1.entry & 63) })
        }
    }

    func range(of end: Int) -> Range<Int> { ends[end]..<ends[end + 1] }

    /// The number of the link from one end to another.
    func number(exit: Int, entry: Int) -> Int? {
        guard entered[exit] & (1 << UInt64(entry & 63)) != 0 else { return nil }
        return range(of: exit).first { all[$0].entry == entry }
    }
}

/// The links that may come after each link, one link's after the other's.
struct SideSteps {
    var links: [Int] = []
    var ends = [0]

    func range(after link: Int) -> Range<Int> { ends[link]..<ends[link + 1] }
}
