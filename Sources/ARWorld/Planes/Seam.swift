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

    /// Whether a place on the surface lies behind the other one, as close as bridges and patches reach.
    func hides(_ place: Point2) -> Bool {
        let depth = depth + depthSlope.dot(place)
        guard depth > 0, depth < front.reach else { return false }
        return front.isNear(placeOnFront(place), within: Self.gap)
    }

    /// Whether a place on the surface lies so close to the other one that what is seen there may be that.
    func blurs(_ place: Point2) -> Bool {
        let depth = depth + depthSlope.dot(place)
        return abs(depth) < (isOfTop ? Self.blurOfTops : Self.blurOfWalls)
            && front.isNear(placeOnFront(place), within: 2 * front.reach)
    }

    private func placeOnFront(_ place: Point2) -> Point2 { self.place + place.x * placeByX + place.y * placeByZ }

    /// How close to another surface its pattern and its points may be taken for one's own. A wall's marks at the height of a top before it
    /// are known to 5 cm along the line of sight.
    private static let blurOfTops = 0.06
    private static let blurOfWalls = 0.03
    /// How far a surface may end before the one that it meets, and how far one must reach before the other to hide any of it: 10 cm.
    private static let gap = 0.1
}
