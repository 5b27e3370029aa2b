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
    /// The middle of the finger at each pixel of the way from its tip to where its sides part.
    var axis: [Vector2]
}

extension HandSilhouette {
    /// The silhouette's fingers.
    ///
    /// Every pixel has its way from the arm. Each place from which all ways lead back is the end of a branch; going down the
    /// ways from there, the branch's pixels at each way are its width, and their mean its axis. A branch ends where it
    /// meets a longer one. A finger is a branch whose width, after its rounded end, stays the same for at least as long as it is
    /// wide.
    func fingers(width: Int, height: Int) -> [FingerShape] {
        var tree = BranchTree(self, width: width, height: height)
        return tree.grow().compactMap(\.finger)
    }
}

/// A branch of a silhouette from its end down to where it meets a longer one.
private struct Branch {
    /// How many pixels of way are recorded from the end.
    static let levelLimit = 160

    /// The way at its end, in units of the silhouette.
    let peak: Int32
    /// How many pixels lie at each whole pixel of way below the end, and the sums of their coordinates.
    private var counts: [Int32] = []
    private var sums: [SIMD2<Int32>] = []

    init(peak: Int32) { self.peak = peak }

    mutating func add(way: Int32, x: Int32, y: Int32) {
        let level = Int((peak - way) / HandSilhouette.unitsPerPixel)
        guard level < Self.levelLimit else { return }
        while counts.count <= level {
            counts.append(0)
            sums.append(.zero)
        }
        counts[level] += 1
        sums[level] &+= SIMD2(x, y)
    }

    /// Takes over a branch that is but a rough spot of this one.
    mutating func absorb(_ other: Branch) {
        let offset = Int((peak - other.peak) / HandSilhouette.unitsPerPixel)
        for level in other.counts.indices {
            let target = level + offset
            guard target < Self.levelLimit else { return }
            while counts.count <= target {
                counts.append(0)
                sums.append(.zero)
            }
            counts[target] += other.counts[level]
            sums[target] &+= other.sums[level]
        }
    }

    var length: Int { counts.count }

    /// The finger that the branch is, or `nil`.
    var finger: FingerShape? {
        guard let cap = capDepth, counts.count >= 6 else { return nil }
        let stretch = counts[cap..<min(max(3 * cap, cap + 3), counts.count)].map(Double.init).sorted()
        guard stretch.count >= 3 else { return nil }
        let diameter = stretch[stretch.count / 2]
        var end = cap
        while end < counts.count, meanCount(end) <= 1.45 * diameter + 1 { end += 1 }
        let radius = diameter / 2
        guard radius >= 1.2, Double(end) >= 1.1 * diameter else { return nil }
        let depth = max(1, Int(radius.rounded()))
        let base = min(end - 1, Int((4 * radius).rounded()))
        guard let center = middle(depth - 1...depth + 1), base > depth + 1, let back = middle(base - 1...base) else {
            return nil
        }
        let along = center - back
        guard along.length > 0.5 * radius else { return nil }
        return FingerShape(
            center: center, direction: along / along.length, radius: radius, length: Double(end),
            way: Double(peak) / Double(HandSilhouette.unitsPerPixel),
            axis: (0..<end).compactMap { middle($0...$0) })
    }

    /// How deep under the end the width has become twice the depth: there is the centre of a ball.
    private var capDepth: Int? {
        counts.indices.first { $0 >= 1 && meanCount($0) <= 2 * (Double($0) + 0.5) }
    }

    private func meanCount(_ level: Int) -> Double {
        let levels = max(level - 1, 0)...min(level + 1, counts.count - 1)
        return Double(counts[levels].reduce(0, +)) / Double(levels.count)
    }

    private func middle(_ levels: ClosedRange<Int>) -> Vector2? {
        let levels = levels.clamped(to: 0...counts.count - 1)
        let count = counts[levels].reduce(0, +)
        guard count > 0 else { return nil }
        let sum = sums[levels].reduce(SIMD2<Int32>.zero) { $0 &+ $1 }
        return Vector2(Double(sum.x), Double(sum.y)) / Double(count)
    }
}

/// The branches of a silhouette: the merge tree of its ways.
/// - Reference: Carr, Snoeyink, Axen 2003, "Computing contour trees in all dimensions", section 4 (the join tree).
private struct BranchTree {
    /// A branch shorter than this many pixels is a rough spot of the outline.
    private static let shortestBranch = 4

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
                growing.append(Branch(peak: way))
            } else if met.count > 1 {
                met.sort { (growing[Int($1)].peak, $0) < (growing[Int($0)].peak, $1) }
                for other in met.dropFirst() {
                    let branch = growing[Int(other)]
                    heirs[Int(other)] = met[0]
                    if branch.length >= Self.shortestBranch {
                        finished.append(branch)
                    } else {
                        growing[Int(met[0])].absorb(branch)
                    }
                }
            }
            parents[pixel] = met[0]
            growing[Int(met[0])].add(way: way, x: Int32(x), y: Int32(y))
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
