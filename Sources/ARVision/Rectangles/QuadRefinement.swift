// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision
import Foundation

/// Fits the sides of quadrilaterals to the edges of the picture, level by level down to the full one.
struct QuadRefinement {
    let pyramid: ImagePyramid
    /// The level on which the quadrilaterals were found.
    let coarsestLevel: Int

    /// The least step of light at a profile that counts as edge, in grey levels.
    private static let leastContrast = 3.0

    /// The rectangle with sides on the edges; `nil` where a side has none.
    func refine(_ quad: PixelQuad) -> DetectedRectangle? {
        var quad = quad
        var fits: [CVisionEdgeFit] = []
        for level in stride(from: coarsestLevel, through: 0, by: -1) {
            // What a coarse level leaves open, the finer one sees at twice the size. On the last, once more from near by.
            let bow = Int(0.003 * max(quad.width, quad.height) / Double(1 << level))
            for reach in (level == 0 ? [3, 2] : [3]).map({ min($0 + bow, 16) }) {
                fits = sides(of: quad, level: level, reach: reach)
                guard let fitted = PixelQuad(sides: fits) else { return nil }
                quad = fitted
            }
        }
        guard quad.isConvex else { return nil }
        return DetectedRectangle(
            quad: quad.upright, confidence: confidence(fits),
            cornerDeviationPixels: (0..<4).map { corner in
                hypot(Double(fits[corner].deviation_px), Double(fits[(corner + 3) % 4].deviation_px))
            }.max() ?? .infinity)
    }

    /// The sides' middle parts, fitted: near the corners other edges disturb them.
    private func sides(of quad: PixelQuad, level: Int, reach: Int) -> [CVisionEdgeFit] {
        let corners = quad.corners.map(\.vector)
        let lines = (0..<4).map { side in
            let (start, end) = (corners[side], corners[(side + 1) % 4])
            let length = (end - start).length
            let margin = min(max(0.04 * length, 4 * Double(1 << level)), 0.2 * length) / max(length, 1e-9)
            return (start + (end - start) * margin, end - (end - start) * margin)
        }
        return pyramid.edgeFits(
            along: lines, level: level, reach: reach, polarity: 0, leastContrast: Self.leastContrast)
    }

    /// The share of the outline that shows an edge; lower where a side has little, and where it flips.
    private func confidence(_ fits: [CVisionEdgeFit]) -> Double {
        let visible = fits.reduce(0) { $0 + Double($1.visible) }
        guard visible > 0 else { return 0 }
        let support = fits.reduce(0) { $0 + Double($1.support * $1.visible) } / visible
        let least = fits.filter { $0.visible > 0.1 }.map { Double($0.support) }.min() ?? 0
        return min(max(support * (0.6 + 0.4 * least), 0), 1)
    }
}

extension PixelQuad {
    /// The quadrilateral between four lines, side i from corner i to the next. `nil` where neighbours are parallel.
    fileprivate init?(sides: [CVisionEdgeFit]) {
        var corners: [PixelPoint] = []
        for side in 0..<4 {
            let (before, after) = (sides[(side + 3) % 4], sides[side])
            guard before.count > 0, after.count > 0 else { return nil }
            let start = Vector2(before.start_x, before.start_y)
            let along = Vector2(before.end_x, before.end_y) - start
            let across = Vector2(after.end_x - after.start_x, after.end_y - after.start_y)
            let denominator = along.cross(across)
            guard abs(denominator) > 0.1 * along.length * across.length else { return nil }
            let share = (Vector2(after.start_x, after.start_y) - start).cross(across) / denominator
            corners.append(PixelPoint(start + along * share))
        }
        self.init(corners: corners)
    }
}
