// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Surface {
    /// Whether two surfaces are so far from parallel that one may end where it meets the other.
    func mayMeet(_ other: Surface) -> Bool {
        number != other.number && abs(plane.normal.dot(other.plane.normal)) < 0.9
    }
}

/// Where a surface ends because it meets another one, which hides what would lie behind.
struct Seam {
    /// The outline of the surface in front.
    private let front: SurfaceOutline
    /// How far the surface lies behind the other one's plane, and where on that: at the level axes' origin, and how that changes with
    /// x and z.
    private let depth: Double
    private let depthSlope: Vector2
    private let place: Point2
    private let placeByX: Vector2
    private let placeByZ: Vector2
    /// Whether the surface is a level one, which may well end before it meets the other. A wall mostly does not.
    let isOfTop: Bool

    /// The seam of two surfaces that are not parallel: that of the first hides the second one. `nil` where the first one lies
    /// behind the second, as a box's top does behind its side: it hides nothing of it.
    init?(of front: Surface, with surface: Surface) {
        let isInFront = front.outline.corners.contains { corner in
            surface.plane.signedDistance(to: front.worldFromLevel * front.pointInLevel(corner)) > Self.gap
        }
        guard isInFront else { return nil }
        func point(_ place: Point2) -> Point3 { surface.worldFromLevel * surface.pointInLevel(place) }
        func depth(_ place: Point2) -> Double { -front.plane.signedDistance(to: point(place)) }
        let (origin, x, z) = (Point2.zero, Point2(1, 0), Point2(0, 1))
        self.front = front.outline
        isOfTop = surface.isHorizontal
        self.depth = depth(origin)
        depthSlope = Vector2(depth(x) - self.depth, depth(z) - self.depth)
        place = front.place(of: point(origin))
        (placeByX, placeByZ) = (front.place(of: point(x)) - place, front.place(of: point(z)) - place)
    }

    /// Where the surface lies behind the other one, as close as bridges and patches reach.
    var hidden: Zone { Zone(seam: self, depths: 0..<front.reach, rim: Self.gap) }

    /// Where the surface lies so close to the other one that what is seen there may be that.
    var blurred: Zone {
        let blur = isOfTop ? Self.blurOfTops : Self.blurOfWalls
        return Zone(seam: self, depths: -blur..<blur, rim: 2 * front.reach)
    }

    /// A part of the surface along the seam: long and thin.
    struct Zone {
        fileprivate let seam: Seam
        /// Between which depths behind the other surface's plane it lies, both excluded, and how far beside that surface.
        fileprivate let depths: Range<Double>
        fileprivate let rim: Double

        func contains(_ place: Point2) -> Bool {
            let depth = seam.depth + seam.depthSlope.dot(place)
            return depth > depths.lowerBound && depth < depths.upperBound
                && seam.front.isNear(seam.placeOnFront(place), within: rim)
        }

        /// From where to where along x places with that z may lie in the zone; `nil` where none do. Law:
        /// `SurfaceOutlineTests.aZoneLiesInItsStretches`.
        func stretch(atZ z: Double) -> ClosedRange<Double>? {
            let (depth, slope) = (seam.depth + seam.depthSlope.y * z, seam.depthSlope.x)
            guard slope != 0 else { return depths.contains(depth) ? -.infinity ... .infinity : nil }
            let ends = ((depths.lowerBound - depth) / slope, (depths.upperBound - depth) / slope)
            return min(ends.0, ends.1)...max(ends.0, ends.1)
        }
    }

    private func placeOnFront(_ place: Point2) -> Point2 { self.place + place.x * placeByX + place.y * placeByZ }

    /// How close to another surface its pattern and its points may be taken for one's own. A wall's marks at the height of a top before it
    /// are known to 5 cm along the line of sight.
    private static let blurOfTops = 0.06
    private static let blurOfWalls = 0.03
    /// How far a surface may end before the one that it meets, and how far one must reach before the other to hide any of it: 10 cm.
    private static let gap = 0.1
}
