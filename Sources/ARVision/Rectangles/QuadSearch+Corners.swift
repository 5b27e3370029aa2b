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
        for number in runs.indices {
            let run = runs[number]
            for side in 0..<2 {
                let end = side == 0 ? run.start : run.end
                let outward = side == 0 ? -run.direction : run.direction
                cells.forEachEnd(
                    within: 0.8 * run.length + 8 * pixel, of: end, across: run.direction, tolerance: tolerance
                ) { other in
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
    func isGapAllowed(_ gap: Double, length: Double, share: Double = 0.4) -> Bool {
        gap > -max(3 * pixel, 0.12 * length) && gap < 4 * pixel + share * length
    }
}

/// The links of all ends, one end's after the other's.
struct CornerLinks {
    var all: [QuadSearch.Link] = []
    private var ends = [0]

    init(_ links: [[QuadSearch.Link]]) {
        for links in links {
            all += links
            ends.append(all.count)
        }
    }

    func range(of end: Int) -> Range<Int> { ends[end]..<ends[end + 1] }
}

/// The links that may come after each link, one link's after the other's.
struct SideSteps {
    var links: [Int] = []
    var ends = [0]

    func range(after link: Int) -> Range<Int> { ends[link]..<ends[link + 1] }
}
