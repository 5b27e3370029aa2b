// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Boxes in a binary tree by their places, so that a ray need not be compared with all of them: a bounding volume
/// hierarchy, cut where the surface area heuristic says.
///
/// A ray is compared with boxes that are grown by a billionth of the world's size, so that what is found inside of a box
/// by other arithmetic is never lost to rounding. Law: `BoxTreeTests.noBoxThatIsMetIsLeftOut`.
/// - Reference: Wald 2007, "On fast Construction of SAH-based Bounding Volume Hierarchies".
struct BoxTree: Sendable {
    /// The root first; the children of a node stand side by side behind it.
    private var nodes: [Node] = []
    /// The boxes' numbers, those of a leaf side by side.
    private var items: [Int32]
    /// How many nodes lead from the root to the deepest leaf.
    private var depth = 0
    /// The largest coordinate of any box.
    private let reach: Double

    private struct Node {
        var bounds: Bounds
        /// A leaf's first item, or the first of two children.
        var first: Int32
        /// How many items a leaf has; zero for a node with children.
        var count: Int32
    }

    /// The tree of these boxes, whose numbers are their places in the array.
    init(_ boxes: [AxisAlignedBox]) {
        let bounds = boxes.map(Bounds.init)
        items = bounds.indices.map(Int32.init)
        reach = bounds.reduce(0) { max($0, $1.reach) }
        guard !boxes.isEmpty else { return }
        nodes.reserveCapacity(boxes.count)
        nodes.append(Node(bounds: .empty, first: 0, count: 0))
        grow(node: 0, over: 0..<boxes.count, of: bounds, depth: 1)
    }

    /// Calls `body` with the number of every box that the ray may meet before the limit, roughly nearest first. `body`
    /// may lower the limit: what lies beyond is of no interest any more.
    func visit(_ ray: Ray, _ body: (_ box: Int, _ limit: inout Double) -> Void) {
        guard !nodes.isEmpty else { return }
        let size = max(reach, abs(ray.origin.x), abs(ray.origin.y), abs(ray.origin.z))
        let slabs = Slabs(ray, tolerance: 1e-9 * (1 + size))
        var limit = Double.infinity
        nodes.withUnsafeBufferPointer { nodes in
            // Each step down leaves at most one node behind.
            withUnsafeTemporaryAllocation(of: Visit.self, capacity: depth + 1) { waiting in
                waiting.initialize(repeating: Visit(node: 0, entry: slabs.entry(nodes[0].bounds)))
                var count = 1
                while count > 0 {
                    count -= 1
                    let visit = waiting[count]
                    guard visit.entry <= limit, visit.entry < .infinity else { continue }
                    let node = nodes[Int(visit.node)]
                    let first = Int(node.first)
                    if node.count > 0 {
                        for item in items[first..<first + Int(node.count)] { body(Int(item), &limit) }
                        continue
                    }
                    var nearer = Visit(node: node.first, entry: slabs.entry(nodes[first].bounds))
                    var farther = Visit(node: node.first + 1, entry: slabs.entry(nodes[first + 1].bounds))
                    if farther.entry < nearer.entry { swap(&nearer, &farther) }
                    waiting[count] = farther
                    waiting[count + 1] = nearer
                    count += 2
                }
            }
        }
    }

    private struct Visit {
        var node: Int32
        /// Where the ray enters the node's box; infinite where it does not.
        var entry: Double
    }
}

// MARK: Growing

extension BoxTree {
    private static let itemsOfALeaf = 4
    private static let binCount = 16

    private mutating func grow(node: Int, over range: Range<Int>, of bounds: [Bounds], depth: Int) {
        self.depth = max(self.depth, depth)
        nodes[node].bounds = items[range].reduce(.empty) { $0.union(bounds[Int($1)]) }
        guard range.count > Self.itemsOfALeaf, let middle = split(range, of: bounds) else {
            nodes[node].first = Int32(range.lowerBound)
            nodes[node].count = Int32(range.count)
            return
        }
        let children = nodes.count
        nodes[node].first = Int32(children)
        nodes += [Node](repeating: Node(bounds: .empty, first: 0, count: 0), count: 2)
        grow(node: children, over: range.lowerBound..<middle, of: bounds, depth: depth + 1)
        grow(node: children + 1, over: middle..<range.upperBound, of: bounds, depth: depth + 1)
    }

    /// Sorts the items of a range into two parts, at one of some equally spaced places along the longest axis: the one
    /// with the least expected cost, the number of boxes on either side times the surface of what holds them. `nil` when
    /// all boxes have the same centre.
    private mutating func split(_ range: Range<Int>, of bounds: [Bounds]) -> Int? {
        let centers = items[range].reduce(Bounds.empty) { $0.union(Bounds(bounds[Int($1)].center)) }
        let size = centers.high - centers.low
        let axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2
        guard size[axis] > 0 else { return nil }
        func bin(_ item: Int32) -> Int {
            let fraction = (bounds[Int(item)].center[axis] - centers.low[axis]) / size[axis]
            return min(Self.binCount - 1, Int(fraction * Double(Self.binCount)))
        }
        var bins = [(bounds: Bounds, count: Int)](repeating: (.empty, 0), count: Self.binCount)
        for item in items[range] {
            let bin = bin(item)
            bins[bin] = (bins[bin].bounds.union(bounds[Int(item)]), bins[bin].count + 1)
        }
        guard let cut = Self.cheapestCut(bins) else { return nil }
        let (left, right) = (items[range].filter { bin($0) < cut }, items[range].filter { bin($0) >= cut })
        items.replaceSubrange(range, with: left + right)
        return range.lowerBound + left.count
    }

    /// The number of bins on the left side of the cut with the least cost.
    private static func cheapestCut(_ bins: [(bounds: Bounds, count: Int)]) -> Int? {
        func costs(_ bins: some Sequence<(bounds: Bounds, count: Int)>) -> [Double] {
            var (bounds, count) = (Bounds.empty, 0)
            return bins.map { bin in
                (bounds, count) = (bounds.union(bin.bounds), count + bin.count)
                return count == 0 ? .infinity : Double(count) * bounds.surface
            }
        }
        let fromLeft = costs(bins)
        let fromRight = Array(costs(bins.reversed()).reversed())
        let cuts = (1..<bins.count).filter { fromLeft[$0 - 1] + fromRight[$0] < .infinity }
        return cuts.min { fromLeft[$0 - 1] + fromRight[$0] < fromLeft[$1 - 1] + fromRight[$1] }
    }
}
