// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The making of a ``BoxTree``: boxes are parted, and the parts parted again, where the surface area heuristic says.
///
/// - Reference: Wald 2007, "On fast Construction of SAH-based Bounding Volume Hierarchies".
struct BoxTreeGrowth {
    private(set) var nodes: [BoxTree.Node] = []
    private(set) var items: [Int32]
    private(set) var depth = 0
    private(set) var reach = 0.0

    private let boxes: [Bounds]

    private static let itemsOfALeaf = 4
    private static let binCount = 16

    init(_ boxes: [AxisAlignedBox]) {
        self.boxes = boxes.map { Bounds(low: $0.minimum, high: $0.maximum) }
        items = boxes.indices.map { Int32($0) }
        for box in self.boxes { reach = max(reach, box.reach) }
        guard !boxes.isEmpty else { return }
        nodes.reserveCapacity(boxes.count / 4 + 1)
        _ = grow(over: 0..<boxes.count, depth: 1)
    }

    /// Makes the node over a range of the items, and all nodes beneath it; its number.
    private mutating func grow(over range: Range<Int>, depth: Int) -> Int {
        self.depth = max(self.depth, depth)
        let halves = parts(of: range)
        let quarters = halves.count == 1 ? halves : halves.flatMap { parts(of: $0) }
        let number = nodes.count
        nodes.append(.empty)
        for (child, range) in quarters.enumerated() {
            let isLeaf = quarters.count == 1 || range.count <= Self.itemsOfALeaf
            nodes[number].setBox(bounds(of: range), of: child)
            if isLeaf {
                nodes[number].first[child] = Int32(range.lowerBound)
                nodes[number].count[child] = Int32(range.count)
            } else {
                nodes[number].first[child] = Int32(grow(over: range, depth: depth + 1))
            }
        }
        return number
    }

    private func bounds(of range: Range<Int>) -> Bounds {
        var union = Bounds.empty
        for place in range { union.formUnion(boxes[Int(items[place])]) }
        return union
    }

    /// Sorts the items of a range into two parts, at one of some equally spaced places along the longest axis: the one
    /// with the least expected cost, the number of boxes on either side times the surface of what holds them. One part
    /// where there are few items, or where all have the same centre.
    private mutating func parts(of range: Range<Int>) -> [Range<Int>] {
        guard range.count > Self.itemsOfALeaf else { return [range] }
        var centers = Bounds.empty
        for place in range { centers.formUnion(boxes[Int(items[place])].center) }
        let size = centers.high - centers.low
        let axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2
        guard size[axis] > 0 else { return [range] }
        let (low, scale) = (centers.low[axis], Double(Self.binCount) / size[axis])
        let binOf = range.map { place in
            min(Self.binCount - 1, Int((boxes[Int(items[place])].center[axis] - low) * scale))
        }
        var bins = [Bin](repeating: Bin(), count: Self.binCount)
        for (bin, place) in zip(binOf, range) {
            bins[bin].bounds.formUnion(boxes[Int(items[place])])
            bins[bin].count += 1
        }
        guard let cut = Self.cheapestCut(bins) else { return [range] }
        let sorted = Array(items[range])
        var middle = range.lowerBound
        for isRight in [false, true] {
            if isRight { middle = range.lowerBound + bins[..<cut].reduce(0) { $0 + $1.count } }
            var place = isRight ? middle : range.lowerBound
            for (bin, item) in zip(binOf, sorted) where (bin >= cut) == isRight {
                items[place] = item
                place += 1
            }
        }
        return [range.lowerBound..<middle, middle..<range.upperBound]
    }

    private struct Bin {
        var bounds = Bounds.empty
        var count = 0
    }

    /// The number of bins on the left side of the cut with the least cost, or `nil` when one side of each is empty.
    private static func cheapestCut(_ bins: [Bin]) -> Int? {
        func costs(_ bins: some Sequence<Bin>) -> [Double] {
            var sum = Bin()
            return bins.map { bin in
                sum.bounds.formUnion(bin.bounds)
                sum.count += bin.count
                return sum.count == 0 ? .infinity : Double(sum.count) * sum.bounds.surface
            }
        }
        let fromLeft = costs(bins)
        let fromRight = Array(costs(bins.reversed()).reversed())
        var best: (cut: Int, cost: Double)?
        for cut in 1..<bins.count {
            let cost = fromLeft[cut - 1] + fromRight[cut]
            if cost < best?.cost ?? .infinity { best = (cut, cost) }
        }
        return best?.cut
    }
}

extension BoxTree.Node {
    fileprivate static var empty: BoxTree.Node {
        let (low, high) = (SIMD4<Float>(repeating: .infinity), SIMD4<Float>(repeating: -.infinity))
        return BoxTree.Node(
            lowX: low, lowY: low, lowZ: low, highX: high, highY: high, highZ: high, first: .zero, count: .zero)
    }

    fileprivate mutating func setBox(_ bounds: Bounds, of child: Int) {
        lowX[child] = Float(bounds.low.x)
        lowY[child] = Float(bounds.low.y)
        lowZ[child] = Float(bounds.low.z)
        highX[child] = Float(bounds.high.x)
        highY[child] = Float(bounds.high.y)
        highZ[child] = Float(bounds.high.z)
    }
}

/// A box along the axes, which may be empty.
private struct Bounds {
    var low, high: Point3

    /// The box of no points.
    static var empty: Bounds {
        Bounds(low: Point3(repeating: .infinity), high: Point3(repeating: -.infinity))
    }

    var center: Point3 { 0.5 * (low + high) }

    /// The largest coordinate.
    var reach: Double { max(abs(low.x), abs(low.y), abs(low.z), abs(high.x), abs(high.y), abs(high.z)) }

    /// The area of the six faces.
    var surface: Double {
        let size = high - low
        return 2 * (size.x * size.y + size.y * size.z + size.z * size.x)
    }

    mutating func formUnion(_ other: Bounds) {
        low.replace(with: other.low, where: other.low .< low)
        high.replace(with: other.high, where: other.high .> high)
    }

    mutating func formUnion(_ point: Point3) { formUnion(Bounds(low: point, high: point)) }
}
