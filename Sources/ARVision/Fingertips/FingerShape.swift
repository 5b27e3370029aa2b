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
    /// How far from its tip its sides stay parallel.
    var length: Double
    /// The way from the silhouette's root to its tip.
    var way: Double
}

extension HandSilhouette {
    /// The silhouette's fingers.
    ///
    /// Every pixel has its way from the arm. Each place from which all ways lead back ends a branch. From there the ways inside the
    /// silhouette are measured anew: how many pixels lie at each way from the end is the branch's width there, and their
    /// mean its axis, round every bend. A finger is a branch whose width, after its rounded end, stays the same for at least as
    /// long as it is wide.
    func fingers(width: Int, height: Int) -> [FingerShape] {
        var tree = BranchTree(self, width: width, height: height)
        var field = DistanceField(pixels, width: width, height: height)
        let depths = field.depths()
        return tree.grow().compactMap { branch in
            BranchProfile(from: branch.end, of: self, depths: depths, &field, width: width)
                .finger(way: Double(branch.peak) / Double(Self.unitsPerPixel))
        }
    }
}

/// The widths and the middles of a silhouette at each whole pixel of way from one of its ends.
private struct BranchProfile {
    /// How many pixels of way are recorded from the end.
    private static let levelLimit = 64

    private var counts = [Int](repeating: 0, count: levelLimit)
    private var sums = [SIMD2<Int>](repeating: .zero, count: levelLimit)
    /// The largest disc inside the silhouette on whose rim the end lies.
    private var center = Vector2.zero
    private var radius = 0.0

    init(from end: Int32, of silhouette: HandSilhouette, depths: [Int32], _ field: inout DistanceField, width: Int) {
        let unit = HandSilhouette.unitsPerPixel
        let ways = field.ways(from: [end], limit: Int32(Self.levelLimit) * unit - 1)
        var deepest: Int32 = 0
        var middle = (sum: Vector2.zero, count: 0.0)
        for (index, pixel) in silhouette.pixels.enumerated() where ways[index] > 0 || pixel == end {
            let (x, y) = (Int(pixel) % width, Int(pixel) / width)
            let level = Int(ways[index] / unit)
            counts[level] += 1
            sums[level] &+= SIMD2(x, y)
            guard ways[index] * 8 <= depths[index] * 9 + 8 * unit, depths[index] >= deepest else { continue }
            if depths[index] > deepest { middle = (.zero, 0) }
            deepest = depths[index]
            middle.sum += Vector2(Double(x), Double(y))
            middle.count += 1
        }
        center = middle.sum / max(middle.count, 1)
        // A row of pixels that is one pixel wide has the depth of a step.
        radius = Double(deepest) / Double(unit) - 0.25
        if let last = counts.lastIndex(where: { $0 > 0 }) { counts.removeSubrange((last + 1)...) }
    }

    /// The finger that ends there, or `nil`.
    func finger(way: Double) -> FingerShape? {
        guard radius >= 1.2, counts.count >= 6 else { return nil }
        var end = min(Int(radius), counts.count)
        while end < counts.count, meanCount(end) <= 3.5 * radius + 1 { end += 1 }
        let base = min(end - 1, Int((3.5 * radius).rounded()))
        guard Double(end) >= 1.8 * radius, let back = middle(base - 1...base) else { return nil }
        let along = center - back
        guard along.length > 0.5 * radius else { return nil }
        return FingerShape(
            center: center, direction: along / along.length, radius: radius, length: Double(end), way: way)
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
}

/// The branches of a silhouette: the merge tree of its ways.
/// - Reference: Carr, Snoeyink, Axen 2003, "Computing contour trees in all dimensions", section 4 (the join tree).
private struct BranchTree {
    /// A branch shorter than four pixels is a rough spot of the outline.
    private static let shortestBranch = 4 * HandSilhouette.unitsPerPixel

    private let silhouette: HandSilhouette
    private let width: Int
    private let height: Int
    private var parents: [Int32]

    init(_ silhouette: HandSilhouette, width: Int, height: Int) {
        self.silhouette = silhouette
        self.width = width
        self.height = height
        parents = [Int32](repeating: -1, count: width * height)
    }

    /// The branches, in the order in which they end.
    mutating func grow() -> [Branch] {
        var finished: [Branch] = []
        var growing: [Branch] = []
        // The branch to which each pixel seen so far belongs, and the one into which each branch went.
        var heirs: [Int32] = []
        func heir(_ branch: Int32) -> Int32 {
            var branch = branch
            while heirs[Int(branch)] != branch { branch = heirs[Int(branch)] }
            return branch
        }
        for index in indicesFromTheEnds() {
            let pixel = Int(silhouette.pixels[index])
            let way = silhouette.ways[index]
            let (x, y) = (pixel % width, pixel / width)
            var met: [Int32] = []
            for b in max(y - 1, 0)...min(y + 1, height - 1) {
                for a in max(x - 1, 0)...min(x + 1, width - 1) where parents[b * width + a] >= 0 {
                    let branch = heir(parents[b * width + a])
                    if !met.contains(branch) { met.append(branch) }
                }
            }
            if met.isEmpty {
                met = [Int32(growing.count)]
                heirs.append(met[0])
                growing.append(Branch(peak: way, end: Int32(pixel), base: way))
            } else if met.count > 1 {
                met.sort { (growing[Int($1)].peak, $0) < (growing[Int($0)].peak, $1) }
                for other in met.dropFirst() {
                    let branch = growing[Int(other)]
                    heirs[Int(other)] = met[0]
                    if branch.peak - branch.base >= Self.shortestBranch { finished.append(branch) }
                }
            }
            parents[pixel] = met[0]
            growing[Int(met[0])].base = way
        }
        let last = Set(growing.indices.map { heir(Int32($0)) }).sorted()
        return finished + last.map { growing[Int($0)] }
    }

    /// The silhouette's pixels from those with the longest way to those at the root.
    private func indicesFromTheEnds() -> [Int] {
        let longest = Int(silhouette.ways.max() ?? 0)
        var starts = [Int](repeating: 0, count: longest + 2)
        for way in silhouette.ways { starts[longest - Int(way) + 1] += 1 }
        for way in 1..<starts.count { starts[way] += starts[way - 1] }
        var order = [Int](repeating: 0, count: silhouette.ways.count)
        for (index, way) in silhouette.ways.enumerated() {
            order[starts[longest - Int(way)]] = index
            starts[longest - Int(way)] += 1
        }
        return order
    }
}
