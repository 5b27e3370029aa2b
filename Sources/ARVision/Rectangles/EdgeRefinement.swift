// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision
import Foundation

/// Moves the sides of quadrilaterals that are known well onto the edges next to them.
struct EdgeRefinement {
    let pyramid: ImagePyramid

    /// The least step of light at a profile that counts as edge, in grey levels.
    private static let leastContrast = 8.0

    /// The quadrilateral with its sides on the edges; `nil` where a side has too little of one.
    ///
    /// - Parameters:
    ///   - reach: how far across a side its edge may be, in pixels of the picture.
    ///   - polarity: 1 where the inside is brighter, −1 where the outside is, of corners that go clockwise.
    ///   - leastSupport: the share of each side that must show an edge: half of a code's outline is light.
    func refined(_ quad: PixelQuad, reach: Double, polarity: Int, leastSupport: Double) -> PixelQuad? {
        // The level on which the reach is some pixels: from there down.
        let coarsest = min(max(Int(log2(max(reach, 1) / 3)), 0), pyramid.levelCount - 1)
        var quad = quad
        for level in stride(from: coarsest, through: 0, by: -1) {
            let levelReach = min(max(Int((reach / Double(1 << coarsest)).rounded()), 1), 16)
            let fits = pyramid.edgeFits(
                along: quad.sideMiddles { _ in 0.06 }, level: level, reach: levelReach, polarity: polarity,
                leastContrast: Self.leastContrast)
            guard fits.allSatisfy({ Double($0.support) >= leastSupport || $0.visible == 0 }),
                let fitted = PixelQuad(sides: fits), fitted.isConvex,
                zip(fitted.corners, quad.corners).allSatisfy({ $0.distance(to: $1) < 3 * reach + 1 })
            else { return nil }
            quad = fitted
        }
        return quad
    }
}

extension PixelQuad {
    /// As far from the origin as a corner may be, in pixels: what lies beyond is an accident of sides that almost are
    /// parallel.
    static let farthestCorner = 1e5

    /// The sides, from corner to corner, without a share at each end: near corners, other edges disturb.
    ///
    /// - Parameter margin: the share of a side of that length, in pixels.
    func sideMiddles(margin: (Double) -> Double) -> [(start: Vector2, end: Vector2)] {
        let corners = self.corners.map(\.vector)
        return (0..<4).map { side in
            let (start, end) = (corners[side], corners[(side + 1) % 4])
            let cut = (end - start) * margin((end - start).length)
            return (start + cut, end - cut)
        }
    }

    /// The quadrilateral between four lines, side i from corner i to the next. `nil` where neighbours are parallel, or so
    /// nearly that they meet beyond ``farthestCorner``.
    init?(sides: [CVisionEdgeFit]) {
        var corners: [PixelPoint] = []
        for side in 0..<4 {
            let (before, after) = (sides[(side + 3) % 4], sides[side])
            let start = Vector2(before.start_x, before.start_y)
            let along = Vector2(before.end_x, before.end_y) - start
            let across = Vector2(after.end_x - after.start_x, after.end_y - after.start_y)
            let denominator = along.cross(across)
            guard abs(denominator) > 0.1 * along.length * across.length else { return nil }
            let share = (Vector2(after.start_x, after.start_y) - start).cross(across) / denominator
            let corner = start + along * share
            guard max(abs(corner.x), abs(corner.y)) <= Self.farthestCorner else { return nil }
            corners.append(PixelPoint(corner))
        }
        self.init(corners: corners)
    }
}
