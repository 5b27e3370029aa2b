// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// All planes of a snapshot, in an order in which those that a ray may meet are found without asking all of them.
///
/// Made anew when a plane changes, in time proportional to n log n for n planes.
struct PlaneIndex: Sendable {
    /// The planes, in the order of their ages.
    let planes: [PlaneAnchor]

    let tree: BoxTree
    /// What the tree's boxes hold.
    private let discs: [Disc]
    /// The planes that no box holds, because a corner is farther than `PlaneAnchor.reach`.
    private let unboxed: [Int]

    /// An index of these planes.
    init(_ planes: [PlaneAnchor] = []) {
        self.planes = planes
        var (discs, boxes, unboxed) = ([Disc](), [AxisAlignedBox](), [Int]())
        for (place, plane) in planes.enumerated() {
            guard let box = plane.boundsInWorld else {
                unboxed.append(place)
                continue
            }
            discs.append(Disc(around: plane, inside: box, place: place))
            boxes.append(box)
        }
        self.discs = discs
        self.unboxed = unboxed
        tree = BoxTree(boxes)
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
        func ask(_ place: Int) {
            if let crossing = PlaneCrossing(of: ray, with: planes[place]), isInside(crossing) {
                crossings.append(crossing)
            }
        }
        discs.withUnsafeBufferPointer { discs in
            tree.visit(ray) { number, _ in
                if discs[number].mayBeMet(by: ray) { ask(discs[number].place) }
            }
        }
        for place in unboxed { ask(place) }
        return crossings
    }
}

/// What is asked before a plane is: its points inside of a ball that holds the extent and the outline.
private struct Disc {
    /// The plane's place in the index.
    let place: Int
    private let plane: Plane
    private let center: Point3
    private let radius: Double
    /// How large the numbers are that the disc was computed from.
    private let size: Double

    init(around plane: PlaneAnchor, inside box: AxisAlignedBox, place: Int) {
        self.place = place
        center = box.center
        self.plane = Plane(worldFromPlane: plane.worldFromAnchor)
        radius = (box.maximum - center).length
        size = center.length + radius + plane.worldFromAnchor.translation.length
    }

    /// Whether the ray may cross the plane inside of the disc: certainly where it does.
    ///
    /// A ray along the plane may cross it anywhere, as far as rounded numbers tell; elsewhere the crossing is known to a
    /// millionth of all lengths, and the disc is taken to be larger by that.
    func mayBeMet(by ray: Ray) -> Bool {
        let toCenter = center - ray.origin
        let approach = plane.normal.dot(ray.direction)
        guard abs(approach) > 1e-6 else { return true }
        let distance = -plane.signedDistance(to: ray.origin) / approach
        let aside = distance * ray.direction - toCenter
        let slack = 1e-6 * (1 + size + toCenter.length)
        return distance >= -slack && aside.squaredLength <= (radius + slack) * (radius + slack)
    }
}

extension PlaneAnchor {
    /// The largest coordinate that a box may have, in metres: far below what single precision holds.
    private static let reach = 1e30

    /// The box that holds the extent and the outline, or `nil` when a corner is too far away, or no number.
    fileprivate var boundsInWorld: AxisAlignedBox? {
        var low = Point3(repeating: .infinity)
        var high = -low
        let extent = extentCorners
        for corner in [boundary, extent].joined() {
            let corner = pointInWorld(corner)
            guard all(corner .> -Self.reach), all(corner .< Self.reach) else { return nil }
            low.replace(with: corner, where: corner .< low)
            high.replace(with: corner, where: corner .> high)
        }
        return AxisAlignedBox(minimum: low, maximum: high)
    }
}
