// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// From where a spot of a surface was seen, as far as it takes to tell whether it was seen well.
///
/// Whoever finds a surface by its pictures must measure it by triangulation. A corner's place in a picture is known to about
/// 0.15 pixels: at ``leastPixelsByMetre``, to 1.5 mm on the surface. Of n views spread evenly over an angle β, with β/√12 as
/// standard deviation, the depth of a spot is known to 1.5 mm √12 / (β √n): to 15 mm for ``fewestViews`` over ``leastParallax``,
/// and a dozen of such spots, as make a plane, to less than 5 mm. What was seen for a shorter time, from farther away, from more aslant
/// or under less parallax is not known to the centimetre to which planes are asked for, by anybody.
struct CellViews: Sendable {
    /// The fewest pixels that a metre of the surface has in a view, in the direction in which it has fewest.
    static let leastPixelsByMetre = 100.0
    /// How many views there must be.
    static let fewestViews = 15
    /// How far apart two of the views must be, in radians: 5°.
    static let leastParallax = 5 * Double.pi / 180
    /// Views that are nearer to one that is kept are not kept themselves: 1°, by which the parallax may be underrated.
    private static let spacing = 1 * Double.pi / 180

    private var count = 0
    private var hasParallax = false
    /// Directions of views, as long as there is not enough parallax among them.
    private var directions: [Vector3] = []

    /// Whether the spot was seen well.
    var areGood: Bool { hasParallax && count >= Self.fewestViews }

    /// Counts a view that shows the spot unhidden and large enough.
    ///
    /// - Parameter direction: from the spot to the camera, of length one.
    mutating func add(from direction: Vector3) {
        count += 1
        guard !hasParallax else { return }
        let nearest = directions.reduce(Double.infinity) { min($0, $1.angle(to: direction)) }
        if directions.contains(where: { $0.angle(to: direction) >= Self.leastParallax }) {
            (hasParallax, directions) = (true, [])
        } else if nearest >= Self.spacing {
            directions.append(direction)
        }
    }
}
