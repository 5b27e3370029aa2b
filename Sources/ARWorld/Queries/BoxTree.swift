// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Boxes in a tree by their places, so that a ray need not be compared with all of them: a bounding volume hierarchy whose
/// nodes have four children, which are compared at once.
///
/// The boxes are kept in single precision and taken to be larger by some millionths of the world's size, so that what is
/// found inside of a box by other arithmetic is never lost to rounding. Law: `BoxTreeTests.noBoxThatIsMetIsLeftOut`.
/// - Reference: Dammertz, Hanika, Keller 2008, "Shallow Bounding Volume Hierarchies for Fast SIMD Ray Tracing of
///   Incoherent Rays".
struct BoxTree: Sendable {
    /// The root first.
    let nodes: [Node]
    /// The boxes' numbers, those of a leaf side by side.
    private let items: [Int32]
    /// How many nodes lead from the root to the deepest leaf.
    private let depth: Int
    /// The largest coordinate of any box.
    private let reach: Double

    /// Four boxes, by coordinates; those that are not in use hold nothing.
    struct Node {
        var lowX, lowY, lowZ, highX, highY, highZ: SIMD4<Float>
        /// The first item of a leaf, or the node that divides the box further.
        var first: SIMD4<Int32>
        /// How many items a leaf has; zero for a box that is divided further.
        var count: SIMD4<Int32>
    }

    /// The tree of these boxes, whose numbers are their places in the array.
    init(_ boxes: [AxisAlignedBox]) {
        let grown = BoxTreeGrowth(boxes)
        (nodes, items, depth) = (grown.nodes, grown.items, grown.depth)
        reach = grown.reach
    }

    /// Calls `body` with the number of every box that the ray may meet before the limit, roughly nearest first. `body`
    /// may lower the limit: what lies beyond is of no interest any more.
    func visit(_ ray: Ray, _ body: (_ box: Int, _ limit: inout Double) -> Void) {
        guard !nodes.isEmpty else { return }
        let size = max(reach, abs(ray.origin.x), abs(ray.origin.y), abs(ray.origin.z))
        let slabs = Slabs(ray, tolerance: 4e-6 * Float(1 + size))
        var limit = Double.infinity
        nodes.withUnsafeBufferPointer { nodes in
            items.withUnsafeBufferPointer { items in
                // Each step down leaves at most three boxes behind.
                withUnsafeTemporaryAllocation(of: Visit.self, capacity: 3 * depth + 1) { waiting in
                    waiting.initializeElement(at: 0, to: Visit(first: 0, count: 0, entry: 0))
                    var waitingCount = 1
                    while waitingCount > 0 {
                        waitingCount -= 1
                        let visit = waiting[waitingCount]
                        guard Double(visit.entry) <= limit else { continue }
                        for place in Int(visit.first)..<Int(visit.first + visit.count) {
                            body(Int(items[place]), &limit)
                        }
                        guard visit.count == 0 else { continue }
                        slabs.push(nodes[Int(visit.first)], onto: waiting, &waitingCount)
                    }
                }
            }
        }
    }

    /// A box that the ray meets and that waits to be looked into.
    private struct Visit {
        var first, count: Int32
        /// No farther from the ray's origin than the box is.
        var entry: Float
    }

    /// A ray, prepared to be compared with many boxes.
    ///
    /// - Reference: Kay, Kajiya 1986, "Ray Tracing Complex Scenes". A coordinate of the direction that is zero gives infinite
    ///   distances, whose comparison decides as it should; the one that is no number, of a ray that runs along a face,
    ///   decides nothing.
    private struct Slabs {
        private let originX, originY, originZ, inverseX, inverseY, inverseZ: Float
        private let tolerance: Float

        /// - Parameter tolerance: by how much every box is grown, in metres.
        init(_ ray: Ray, tolerance: Float) {
            (originX, originY, originZ) = (Float(ray.origin.x), Float(ray.origin.y), Float(ray.origin.z))
            (inverseX, inverseY, inverseZ) = (
                Float(1 / ray.direction.x), Float(1 / ray.direction.y), Float(1 / ray.direction.z)
            )
            self.tolerance = tolerance
        }

        /// Puts the boxes of a node that the ray meets onto the stack, the nearest on top.
        @inline(__always)
        func push(_ node: Node, onto waiting: UnsafeMutableBufferPointer<Visit>, _ waitingCount: inout Int) {
            var entry = SIMD4<Float>(repeating: 0)
            var exit = SIMD4<Float>(repeating: .infinity)
            narrow(&entry, &exit, node.lowX, node.highX, originX, inverseX)
            narrow(&entry, &exit, node.lowY, node.highY, originY, inverseY)
            narrow(&entry, &exit, node.lowZ, node.highZ, originZ, inverseZ)
            let bottom = waitingCount
            for child in 0..<4 where entry[child] <= exit[child] {
                let visit = Visit(first: node.first[child], count: node.count[child], entry: entry[child])
                var place = waitingCount
                while place > bottom, waiting[place - 1].entry < visit.entry {
                    waiting.initializeElement(at: place, to: waiting[place - 1])
                    place -= 1
                }
                waiting.initializeElement(at: place, to: visit)
                waitingCount += 1
            }
        }

        @inline(__always)
        private func narrow(
            _ entry: inout SIMD4<Float>, _ exit: inout SIMD4<Float>, _ low: SIMD4<Float>, _ high: SIMD4<Float>,
            _ origin: Float, _ inverse: Float
        ) {
            let toLow = (low - (origin + tolerance)) * inverse
            let toHigh = (high - (origin - tolerance)) * inverse
            let (first, last) = inverse < 0 ? (toHigh, toLow) : (toLow, toHigh)
            // The distances' own rounding. NaN compares false with anything.
            let (start, end) = (first * (1 - 4e-6), last * (1 + 4e-6))
            entry.replace(with: start, where: start .> entry)
            exit.replace(with: end, where: end .< exit)
        }
    }
}
