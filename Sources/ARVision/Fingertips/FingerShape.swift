// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A protrusion of a silhouette with near-parallel sides, in the pixels of the reduced picture.
struct FingerShape: Sendable {
    /// The centre of the ball in which it ends.
    var center: Vector2
    /// Where it points, of unit length.
    var direction: Vector2
    /// Half its width.
    var radius: Double
    /// How far from its tip it is no wider than a finger, in pixels.
    var length: Double
    /// The way from the silhouette's root to its tip.
    var way: Double
}

extension HandSilhouette {
    /// The silhouette's fingers: those of its branches and, where a finger bends so that its bend is as far from the arm as its
    /// end, so that no branch ends in it, those that its outline shows to end in a ball. Where both are found the ball counts.
    func fingers(width: Int, height: Int) -> [FingerShape] {
        var field = DistanceField(pixels, width: width, height: height)
        let ways = ways(width: width, height: height)
        let depths = plane(depths, width: width, height: height)
        let balls = RoundEndSearch(self, depths: depths, width: width, height: height).ends().compactMap {
            finger($0, ways: ways, depths: depths, &field, width: width)
        }
        let branches = branchFingers(ways: ways, width: width, height: height, limit: Self.branchLimit - balls.count)
        return balls
            + branches.filter { branch in
                balls.allSatisfy { ($0.center - branch.center).length > 1.5 * max($0.radius, branch.radius) }
            }
    }

    /// The fingers that are branches of the silhouette, by the ways to its pixels.
    ///
    /// Every pixel has its way from the arm. Each place from which all ways lead back ends a branch. From there the ways inside the
    /// silhouette are measured anew: how many pixels lie at each way from the end is the branch's width there, and their
    /// mean its axis, round every bend. A finger is a branch that, from its tip, is nowhere much wider than the ball in which it
    /// ends for nine tenths of that ball's width. Of more branches than `limit` the longest are looked at.
    func branchFingers(ways: [Int32], width: Int, height: Int, limit: Int = branchLimit) -> [FingerShape] {
        var tree = BranchTree(pixels, ways: ways, width: width, height: height)
        var field = DistanceField(pixels, width: width, height: height)
        let depths = plane(depths, width: width, height: height)
        return tree.grow().sorted { ($1.length, $0.end) < ($0.length, $1.end) }.prefix(limit).compactMap { branch in
            BranchProfile(from: branch.end, depths: depths, &field, width: width)
                .finger(way: Double(branch.peak) / Double(Self.unitsPerPixel))
        }
    }

    /// A picture's plane with a value for each of the silhouette's pixels, 0 elsewhere.
    private func plane(_ values: [Int32], width: Int, height: Int) -> [Int32] {
        var plane = [Int32](repeating: 0, count: width * height)
        for (pixel, value) in zip(pixels, values) { plane[Int(pixel)] = value }
        return plane
    }

    /// The finger that ends in a ball, or `nil` where it is too short.
    private func finger(
        _ end: RoundEnd, ways: [Int32], depths: [Int32], _ field: inout DistanceField, width: Int
    ) -> FingerShape? {
        guard let foremost = foremostIndex(of: end, width: width) else { return nil }
        let profile = BranchProfile(from: pixels[foremost], depths: depths, &field, width: width)
        let length = profile.length(radius: end.radius)
        guard length >= BranchProfile.leastLength * end.radius else { return nil }
        return FingerShape(
            center: end.center, direction: end.direction, radius: end.radius, length: length,
            way: Double(ways[foremost]) / Double(Self.unitsPerPixel))
    }

    /// Where the last of the silhouette's pixels from a ball's centre to its end stands among them.
    private func foremostIndex(of end: RoundEnd, width: Int) -> Int? {
        var foremost: Int?
        for step in 0...Int(1.5 * end.radius) {
            let place = end.center + Double(step) * end.direction
            let (x, y) = (Int32(place.x.rounded()), Int32(place.y.rounded()))
            // Past the side the next row would begin.
            guard (0..<Int32(width)).contains(x), let next = index(of: y * Int32(width) + x) else { break }
            foremost = next
        }
        return foremost
    }

    /// Where a pixel stands among the silhouette's, or `nil` if it is none of them.
    func index(of pixel: Int32) -> Int? {
        var (low, high) = (0, pixels.count)
        while low < high {
            let middle = (low + high) / 2
            if pixels[middle] < pixel { low = middle + 1 } else { high = middle }
        }
        return low < pixels.count && pixels[low] == pixel ? low : nil
    }

    /// A hand has five fingers and some rough spots; each branch costs a walk through the whole silhouette.
    static let branchLimit = 16
}

/// The widths and the middles of a silhouette at each whole pixel of way from one of its ends.
private struct BranchProfile {
    /// How many pixels of way are recorded from the end.
    private static let levelLimit = 64
    /// Where fewer pixels of way are seen of a branch it may be anything.
    private static let fewestLevels = 6
    /// A thinner finger has no width that could be measured: it is two pixels wide.
    private static let leastRadius = 1.2
    /// How wide a finger is at most, in radii of its end: the ball is two wide, and knuckles, the cut's rough sides and a bend, across
    /// which a level lies aslant, make it wider. Where the hand begins, it is more.
    private static let largestWidth = 3.5
    /// What the count of a level's pixels exceeds its width by at most.
    private static let rounding = 1.0
    /// How far behind the tip the axis is taken, in radii of the end: about a finger's last link, which cannot bend.
    private static let axisLength = 3.5
    /// A finger is at least so long, in radii of its end: what ends sooner is a bump.
    static let leastLength = 1.8
    /// The axis' middle lies at least so far behind the ball's centre, in its radii: else it tells no direction.
    private static let leastAxis = 0.5

    private var counts = [Int](repeating: 0, count: levelLimit)
    private var sums = [SIMD2<Int>](repeating: .zero, count: levelLimit)
    /// The largest disc inside the silhouette on whose rim the end lies.
    private var center = Vector2.zero
    private var radius = 0.0

    /// The profile from a pixel on; the depths are those of all of the picture's pixels.
    init(from end: Int32, depths: [Int32], _ field: inout DistanceField, width: Int) {
        let unit = HandSilhouette.unitsPerPixel
        var (counts, sums) = (counts, sums)
        var deepest: Int32 = 0
        var middle = (sum: SIMD2<Int>.zero, count: 0)
        counts.withUnsafeMutableBufferPointer { counts in
            sums.withUnsafeMutableBufferPointer { sums in
                depths.withUnsafeBufferPointer { depths in
                    field.forEachWay(from: end, limit: Int32(Self.levelLimit) * unit - 1) { x, y, way in
                        let level = Int(way / unit)
                        counts[level] += 1
                        sums[level] &+= SIMD2(x, y)
                        let depth = depths[y * width + x]
                        guard way * 8 <= depth * 9 + 8 * unit, depth >= deepest else { return }
                        if depth > deepest { middle = (.zero, 0) }
                        deepest = depth
                        middle.sum &+= SIMD2(x, y)
                        middle.count += 1
                    }
                }
            }
        }
        if let last = counts.lastIndex(where: { $0 > 0 }) { counts.removeSubrange((last + 1)...) }
        (self.counts, self.sums) = (counts, sums)
        center = Vector2(Double(middle.sum.x), Double(middle.sum.y)) / Double(max(middle.count, 1))
        radius = Double(deepest) / Double(unit) - RoundEndSearch.rimDepth
    }

    /// The finger that ends there, or `nil`.
    func finger(way: Double) -> FingerShape? {
        guard radius >= Self.leastRadius, counts.count >= Self.fewestLevels else { return nil }
        let end = Int(length(radius: radius))
        let base = min(end - 1, Int((Self.axisLength * radius).rounded()))
        guard Double(end) >= Self.leastLength * radius, let back = middle(base - 1...base) else { return nil }
        let along = center - back
        guard along.length > Self.leastAxis * radius else { return nil }
        return FingerShape(
            center: center, direction: along / along.length, radius: radius, length: Double(end), way: way)
    }

    /// How far from the end it is no wider than a finger whose end has this radius, in pixels.
    func length(radius: Double) -> Double {
        var end = min(Int(radius), counts.count)
        while end < counts.count, meanCount(end) <= Self.largestWidth * radius + Self.rounding { end += 1 }
        return Double(end)
    }

    private func meanCount(_ level: Int) -> Double {
        let levels = max(level - 1, 0)...min(level + 1, counts.count - 1)
        return Double(counts[levels].reduce(0, +)) / Double(levels.count)
    }

    private func middle(_ levels: ClosedRange<Int>) -> Vector2? {
        let levels = levels.clamped(to: 0...counts.count - 1)
        let count = counts[levels].reduce(0, +)
        guard count > 0 else { return nil }
        let sum = sums[levels].reduce(SIMD2<Int>.zero) { $0 &+ $1 }
        return Vector2(Double(sum.x), Double(sum.y)) / Double(count)
    }
}

/// A branch of a silhouette from its end down to where it meets a longer one.
private struct Branch {
    /// The way at its end, in units of the silhouette.
    let peak: Int32
    /// The pixel in which it ends.
    let end: Int32
    /// The least way that it has reached.
    var base: Int32

    var length: Int32 { peak - base }
}

/// The branches of a silhouette: the merge tree of its ways.
/// - Reference: Carr, Snoeyink, Axen 2003, "Computing contour trees in all dimensions", section 4 (the join tree).
private struct BranchTree {
    /// A branch shorter than four pixels is a rough spot of the outline.
    private static let shortestBranch = 4 * HandSilhouette.unitsPerPixel

    private let pixels: [Int32]
    private let ways: [Int32]
    private let width: Int
    private let height: Int
    /// The branch to which each pixel of the picture seen so far belongs, −1 where none does.
    private var parents: [Int32]
    /// The branch into which each branch went; itself while it grows.
    private var heirs: [Int32] = []

    init(_ pixels: [Int32], ways: [Int32], width: Int, height: Int) {
        (self.pixels, self.ways, self.width, self.height) = (pixels, ways, width, height)
        parents = [Int32](repeating: -1, count: width * height)
    }

    private mutating func heir(_ branch: Int32) -> Int32 {
        var branch = branch
        while heirs[Int(branch)] != branch {
            // Each second step is left out from now on: chains stay short however many branches meet.
            heirs[Int(branch)] = heirs[Int(heirs[Int(branch)])]
            branch = heirs[Int(branch)]
        }
        return branch
    }

    /// The branches that a pixel's neighbours belong to; `others` are those besides the first.
    private mutating func met(by pixel: Int, others: inout [Int32]) -> Int32? {
        let y = pixel / width
        let x = pixel - y * width
        var first: Int32?
        // Neighbours mostly belong to the same branch as the one before.
        var latest: Int32 = -1
        others.removeAll(keepingCapacity: true)
        for b in max(y - 1, 0)...min(y + 1, height - 1) {
            for neighbor in b * width + max(x - 1, 0)...b * width + min(x + 1, width - 1) {
                let parent = parents[neighbor]
                guard parent >= 0, parent != latest else { continue }
                latest = parent
                let branch = heir(parent)
                if let first, branch != first, !others.contains(branch) { others.append(branch) }
                first = first ?? branch
            }
        }
        return first
    }

    /// The branches, in the order in which they end.
    mutating func grow() -> [Branch] {
        var finished: [Branch] = []
        var growing: [Branch] = []
        var others: [Int32] = []
        for index in indicesFromTheEnds() {
            let pixel = Int(pixels[index])
            guard var branch = met(by: pixel, others: &others) else {
                parents[pixel] = Int32(growing.count)
                heirs.append(parents[pixel])
                growing.append(Branch(peak: ways[index], end: Int32(pixel), base: ways[index]))
                continue
            }
            if !others.isEmpty {
                let met = (others + [branch]).sorted {
                    (growing[Int($1)].peak, $0) < (growing[Int($0)].peak, $1)
                }
                branch = met[0]
                for other in met.dropFirst() {
                    heirs[Int(other)] = branch
                    if growing[Int(other)].length >= Self.shortestBranch { finished.append(growing[Int(other)]) }
                }
            }
            parents[pixel] = branch
            growing[Int(branch)].base = ways[index]
        }
        let last = Set(growing.indices.map { heir(Int32($0)) }).sorted()
        return finished + last.map { growing[Int($0)] }
    }

    /// Where the pixels stand, from those with the longest way to those at the root.
    private func indicesFromTheEnds() -> [Int] {
        let longest = Int(ways.max() ?? 0)
        var starts = [Int](repeating: 0, count: longest + 2)
        for way in ways { starts[longest - Int(way) + 1] += 1 }
        for way in 1..<starts.count { starts[way] += starts[way - 1] }
        var order = [Int](repeating: 0, count: ways.count)
        for (index, way) in ways.enumerated() {
            order[starts[longest - Int(way)]] = index
            starts[longest - Int(way)] += 1
        }
        return order
    }
}
