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
    private let front: Surface
    private let surface: Surface
    /// How far the surface lies behind the other one's plane at the level axes' origin, and how that changes with x and z.
    private let depth: Double
    private let slope: Vector2

    /// The seam of two surfaces that are not parallel: that of the first hides the second one.
    init(of front: Surface, with surface: Surface) {
        func depth(_ place: Point2) -> Double {
            -front.plane.signedDistance(to: surface.worldFromLevel * surface.pointInLevel(place))
        }
        (self.front, self.surface) = (front, surface)
        self.depth = depth(.zero)
        slope = Vector2(depth(Point2(1, 0)), depth(Point2(0, 1))) - Vector2(repeating: self.depth)
    }

    /// Whether a place on the surface lies behind the other one, as close as bridges and patches reach.
    func hides(_ place: Point2) -> Bool {
        let depth = depth + slope.dot(place)
        guard depth > 0, depth < front.outline.reach else { return false }
        let point = surface.worldFromLevel * surface.pointInLevel(place)
        return front.outline.isNear(front.place(of: point), within: Self.gap)
    }

    /// How far a surface may end before the one that it meets: 10 cm.
    private static let gap = 0.1
}
