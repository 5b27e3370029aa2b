// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// All planes of a snapshot, in an order in which those that a ray may meet are found without asking all of them.
///
/// Made anew when a plane changes, in time proportional to n log n for n planes.
struct PlaneIndex: Sendable {
    /// The planes, in the order of their ages.
    let planes: [PlaneAnchor]

    private let tree: BoxTree
    /// What the tree's boxes hold, as places in ``planes``.
    private let boxed: [Int]
    /// The planes that no box holds, because a corner is infinite.
    private let unboxed: [Int]

    /// An index of these planes.
    init(_ planes: [PlaneAnchor] = []) {
        self.planes = planes
        let boxes = planes.map(\.boundsInWorld)
        boxed = planes.indices.filter { boxes[$0] != nil }
        unboxed = planes.indices.filter { boxes[$0] == nil }
        tree = BoxTree(boxes.compactMap { $0 })
    }

    /// The index of planes that may be the same.
    func updated(with planes: [PlaneAnchor]) -> PlaneIndex { planes == self.planes ? self : PlaneIndex(planes) }

    /// Where the ray crosses the planes, whatever their size, in no order that matters. All planes are asked: as a rule a
    /// ray meets every second of them.
    func crossings(with ray: Ray) -> [PlaneCrossing] { planes.compactMap { PlaneCrossing(of: ray, with: $0) } }

    /// Where the ray crosses the planes that satisfy a condition, which may hold only inside the planes' extent or
    /// outline; in no order that matters.
    func crossings(with ray: Ray, where isInside: (PlaneCrossing) -> Bool) -> [PlaneCrossing] {
        var crossings: [PlaneCrossing] = []
        func ask(_ plane: PlaneAnchor) {
            if let crossing = PlaneCrossing(of: ray, with: plane), isInside(crossing) { crossings.append(crossing) }
        }
        tree.visit(ray) { box, _ in ask(planes[boxed[box]]) }
        for index in unboxed { ask(planes[index]) }
        return crossings
    }
}

extension PlaneAnchor {
    /// The box that holds the extent and the outline, or `nil` when a corner is infinite.
    fileprivate var boundsInWorld: AxisAlignedBox? {
        let corners = (boundary + extentCorners).map(pointInWorld)
        return corners.allSatisfy(\.isFinite) ? AxisAlignedBox(containing: corners) : nil
    }
}
