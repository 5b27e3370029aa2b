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

    /// The quadrilateral with its sides on the edges of the level on which it was found, from few profiles: enough to tell
    /// which ones are worth more. `nil` where a side has no edge.
    func sketched(_ quad: PixelQuad) -> DetectedRectangle? {
        let fits = sides(of: quad, level: coarsestLevel, reach: 3, profileLimit: 24)
        return rectangle(fits)
    }

    /// The rectangle with its sides on the edges of the finer levels, down to the full picture's, each from few profiles.
    /// `nil` where a side has none.
    func approached(_ quad: PixelQuad) -> DetectedRectangle? {
        let finer = max(coarsestLevel - 1, 0)
        // What a coarse level leaves open, the finer one sees at twice the size.
        var rectangle = look(at: quad, level: finer, reach: 3, profileLimit: 32)
        for level in stride(from: finer - 1, through: 0, by: -1) {
            rectangle = rectangle.flatMap { look(at: $0.quad, level: level, reach: 3, profileLimit: 32) }
        }
        return rectangle
    }

    /// The rectangle with its sides on the full picture's edges, by a close look all along them; `nil` where a side has none.
    func measured(_ quad: PixelQuad) -> DetectedRectangle? {
        look(at: quad, level: 0, reach: 2, profileLimit: Int(CVISION_MAX_PROFILES))
    }

    /// The rectangle with its sides on the full picture's edges, level by level; `nil` where a side has none.
    func refined(_ quad: PixelQuad) -> DetectedRectangle? { approached(quad).flatMap { measured($0.quad) } }

    /// The rectangle with its sides on a level's edges, which may bow.
    private func look(at quad: PixelQuad, level: Int, reach: Int, profileLimit: Int) -> DetectedRectangle? {
        let bow = Int(0.003 * max(quad.width, quad.height) / Double(1 << level))
        return rectangle(sides(of: quad, level: level, reach: min(reach + bow, 16), profileLimit: profileLimit))
    }

    /// The rectangle between four sides; `nil` where one is missing, or they enclose none.
    private func rectangle(_ fits: [CVisionEdgeFit]) -> DetectedRectangle? {
        guard fits.allSatisfy({ $0.count > 0 }), let quad = PixelQuad(sides: fits), quad.isConvex else { return nil }
        return DetectedRectangle(
            quad: quad.upright, confidence: confidence(fits),
            cornerDeviationPixels: (0..<4).map { fits[$0].cornerDeviation(with: fits[($0 + 3) % 4]) }.max() ?? .infinity
        )
    }

    /// The sides' middle parts, fitted: near the corners other edges disturb them.
    private func sides(of quad: PixelQuad, level: Int, reach: Int, profileLimit: Int) -> [CVisionEdgeFit] {
        let lines = quad.sideMiddles { length in min(max(0.04, 4 * Double(1 << level) / max(length, 1e-9)), 0.2) }
        return pyramid.edgeFits(
            along: lines, level: level, reach: reach, polarity: 0, leastContrast: Self.leastContrast,
            profileLimit: profileLimit)
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

extension CVisionEdgeFit {
    /// The standard deviation along the worst direction of where two sides meet, in pixels.
    ///
    /// With deviations a and b across sides that meet at an angle φ, the corner's covariance has the eigenvalues
    /// (a² + b² ± √((a² + b²)² − 4 a² b² sin² φ)) / (2 sin² φ).
    func cornerDeviation(with other: CVisionEdgeFit) -> Double {
        let (a, b) = (Double(deviation_px), Double(other.deviation_px))
        let (mine, others) = (
            Vector2(end_x - start_x, end_y - start_y), Vector2(other.end_x - other.start_x, other.end_y - other.start_y)
        )
        let cross = mine.cross(others)
        let squaredSine = cross * cross / (mine.squaredLength * others.squaredLength)
        let sum = a * a + b * b
        let root = max(sum * sum - 4 * a * a * b * b * squaredSine, 0).squareRoot()
        return ((sum + root) / (2 * squaredSine)).squareRoot()
    }
}
