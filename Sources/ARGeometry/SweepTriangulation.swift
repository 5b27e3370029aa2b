// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Fills the area to the left of disjoint rings with triangles while an upright line sweeps over it from left to right.
///
/// The line crosses the area in intervals, each between an edge below (which runs to the right) and one above (to the
/// left). What of an interval's area lies to the left of the line is filled but for a rest whose right border is a chain
/// of corners that bends away from the line everywhere. A new corner closes all triangles that it sees: at an end of the
/// chain where it continues an edge, on both sides of the latest corner where it splits an interval.
/// - Reference: Hertel, Mehlhorn 1983, "Fast triangulation of simple polygons".
///   Law: `DisjointRingsTests.trianglesFillTheArea`.
/// - Complexity: O(n log n).
struct SweepTriangulation {
    private let points: [Point2]
    private let following: [Int32]
    private var preceding: [Int32]
    private var triangles: [TriangleIndices] = []
    private var intervals: [Interval] = []
    private var freeIntervals: [Int32] = []
    private var active = IntervalList()
    /// For each edge, named after the corner where it starts, the interval that it bounds.
    private var intervalOfEdge: [Int32]
    private var chain: [Link] = []

    private struct Interval {
        /// The edge below.
        var floor: Int32
        /// The chain's ends, at the edges below and above, and the corner that came last.
        var bottom: Int32
        var top: Int32
        var latest: Int32
    }

    /// A corner in a chain.
    private struct Link {
        var corner: Int32
        var above: Int32 = -1
        var below: Int32 = -1
    }

    private init(_ points: [Point2], following: [Int32]) {
        self.points = points
        self.following = following
        preceding = [Int32](repeating: 0, count: points.count)
        for corner in points.indices { preceding[Int(following[corner])] = Int32(corner) }
        intervalOfEdge = [Int32](repeating: -1, count: points.count)
        triangles.reserveCapacity(points.count)
        chain.reserveCapacity(points.count + points.count / 8)
    }

    /// Counter-clockwise triangles; `nil` when a hole lies in no area.
    static func triangles(of points: [Point2], following: [Int32]) -> [TriangleIndices]? {
        var sweep = SweepTriangulation(points, following: following)
        let order = points.indices.map(Int32.init).sorted { sweep.isLeft($0, of: $1) }
        for corner in order {
            guard sweep.advance(to: corner) else { return nil }
        }
        return sweep.active.isEmpty ? sweep.triangles : nil
    }

    private func isLeft(_ a: Int32, of b: Int32) -> Bool {
        let (p, q) = (points[Int(a)], points[Int(b)])
        return p.x < q.x || (p.x == q.x && p.y < q.y)
    }

    private func turn(_ a: Int32, _ b: Int32, _ c: Int32) -> Double {
        orientation(points[Int(a)], points[Int(b)], points[Int(c)])
    }

    private mutating func advance(to corner: Int32) -> Bool {
        let (before, after) = (preceding[Int(corner)], following[Int(corner)])
        switch (isLeft(before, of: corner), isLeft(after, of: corner)) {
        case (true, false): return continueFloor(corner, from: before)
        case (false, true): return continueCeiling(corner, from: before)
        case (false, false): return turn(before, corner, after) > 0 ? begin(corner, before) : split(corner, before)
        case (true, true): return turn(before, corner, after) > 0 ? end(corner, before) : merge(corner, before)
        }
    }

    // MARK: The five kinds of corners

    private mutating func continueFloor(_ corner: Int32, from before: Int32) -> Bool {
        let interval = intervalOfEdge[Int(before)]
        guard interval >= 0 else { return false }
        let link = add(corner)
        closeAbove(link, intervals[Int(interval)].bottom)
        (intervals[Int(interval)].bottom, intervals[Int(interval)].latest) = (link, link)
        intervals[Int(interval)].floor = corner
        intervalOfEdge[Int(corner)] = interval
        return true
    }

    private mutating func continueCeiling(_ corner: Int32, from before: Int32) -> Bool {
        let interval = intervalOfEdge[Int(corner)]
        guard interval >= 0 else { return false }
        let link = add(corner)
        closeBelow(link, intervals[Int(interval)].top)
        (intervals[Int(interval)].top, intervals[Int(interval)].latest) = (link, link)
        intervalOfEdge[Int(before)] = interval
        return true
    }

    private mutating func begin(_ corner: Int32, _ before: Int32) -> Bool {
        let link = add(corner)
        let below = interval(below: corner)
        let interval = addInterval(Interval(floor: corner, bottom: link, top: link, latest: link))
        active.insert(interval, after: below)
        intervalOfEdge[Int(corner)] = interval
        intervalOfEdge[Int(before)] = interval
        return true
    }

    private mutating func split(_ corner: Int32, _ before: Int32) -> Bool {
        guard let lower = interval(below: corner) else { return false }
        let whole = intervals[Int(lower)]
        // The latest corner is seen: it belongs to both parts' chains.
        let (toLower, toUpper) = (add(corner), add(corner))
        let latestAgain = add(chain[Int(whole.latest)].corner)
        let above = chain[Int(whole.latest)].above
        chain[Int(whole.latest)].above = -1
        if above >= 0 { join(latestAgain, above) }
        closeBelow(toLower, whole.latest)
        closeAbove(toUpper, latestAgain)
        intervals[Int(lower)] = Interval(floor: whole.floor, bottom: whole.bottom, top: toLower, latest: toLower)
        let upper = addInterval(
            Interval(
                floor: corner, bottom: toUpper, top: whole.top == whole.latest ? latestAgain : whole.top,
                latest: toUpper))
        active.insert(upper, after: lower)
        // The edge above is the upper part's now; it is named by the corner where it starts, further right.
        intervalOfEdge[Int(preceding[Int(chain[Int(whole.top)].corner)])] = upper
        intervalOfEdge[Int(before)] = lower
        intervalOfEdge[Int(corner)] = upper
        return true
    }

    private mutating func merge(_ corner: Int32, _ before: Int32) -> Bool {
        let (upper, lower) = (intervalOfEdge[Int(before)], intervalOfEdge[Int(corner)])
        guard upper >= 0, lower >= 0, upper != lower else { return false }
        let link = add(corner)
        closeBelow(link, intervals[Int(lower)].top)
        closeAbove(link, intervals[Int(upper)].bottom)
        let top = intervals[Int(upper)].top
        intervals[Int(lower)].top = top
        intervals[Int(lower)].latest = link
        intervalOfEdge[Int(preceding[Int(chain[Int(top)].corner)])] = lower
        remove(upper)
        return true
    }

    private mutating func end(_ corner: Int32, _ before: Int32) -> Bool {
        let interval = intervalOfEdge[Int(before)]
        guard interval >= 0, intervalOfEdge[Int(corner)] == interval else { return false }
        let link = add(corner)
        closeAbove(link, intervals[Int(interval)].bottom)
        // All is filled when the corner's neighbour is where the edge above starts.
        guard chain[Int(link)].above == intervals[Int(interval)].top else { return false }
        remove(interval)
        return true
    }

    // MARK: Intervals

    private func interval(below corner: Int32) -> Int32? {
        let point = points[Int(corner)]
        return active.last { interval in
            let floor = Int(intervals[Int(interval)].floor)
            return orientation(points[floor], points[Int(following[floor])], point) > 0
        }
    }

    private mutating func addInterval(_ interval: Interval) -> Int32 {
        if let free = freeIntervals.popLast() {
            intervals[Int(free)] = interval
            return free
        }
        intervals.append(interval)
        return Int32(intervals.count - 1)
    }

    private mutating func remove(_ interval: Int32) {
        active.remove(interval)
        freeIntervals.append(interval)
    }

    // MARK: Chains

    private mutating func add(_ corner: Int32) -> Int32 {
        chain.append(Link(corner: corner))
        return Int32(chain.count - 1)
    }

    private mutating func join(_ below: Int32, _ above: Int32) {
        chain[Int(below)].above = above
        chain[Int(above)].below = below
    }

    /// Puts a corner below a chain's lowest one, and closes the triangles that it sees.
    private mutating func closeAbove(_ link: Int32, _ bottom: Int32) {
        var lowest = bottom
        let corner = chain[Int(link)].corner
        while case let next = chain[Int(lowest)].above, next >= 0 {
            let (near, far) = (chain[Int(lowest)].corner, chain[Int(next)].corner)
            guard turn(near, corner, far) > 0 else { break }
            triangles.append(TriangleIndices(near, corner, far))
            lowest = next
        }
        join(link, lowest)
    }

    /// Puts a corner above a chain's highest one, and closes the triangles that it sees.
    private mutating func closeBelow(_ link: Int32, _ top: Int32) {
        var highest = top
        let corner = chain[Int(link)].corner
        while case let next = chain[Int(highest)].below, next >= 0 {
            let (near, far) = (chain[Int(highest)].corner, chain[Int(next)].corner)
            guard turn(corner, near, far) > 0 else { break }
            triangles.append(TriangleIndices(corner, near, far))
            highest = next
        }
        join(highest, link)
    }
}
