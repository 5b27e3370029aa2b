// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// What a print shows from afar: figures that stand out from their surroundings, each at its own size.
///
/// Corners need a sharp picture. Where a print is no more than a few dozen pixels wide, lens and pixels leave spots: extrema of
/// differences of Gaussians, in place and size (Lindeberg 1998, "Feature detection with automatic scale selection"). Large plain
/// figures leave few, and so do faint ones.
struct DistantFigures: Sendable {
    /// The sum of ln(1 + c) over the spots of contrast c, in grey levels: a spot of twice the contrast tells a little more. The mean
    /// of three sizes.
    let evidence: Double

    /// Which share of the sights that would find it, were it only near enough, find it: half of them are from afar.
    var share: Double { 1 - exp(-evidence / Self.middlingEvidence) / 2 }

    /// The longer side of the print, in pixels: an eighth to a sixth of the height of a picture of 480 rows.
    private static let sides = [60, 68, 75]
    /// The evidence with which 63 of 100 sights from afar find the print.
    static let middlingEvidence = 20.0
    /// What lies around the print, how far, and how much of the light's differences is left in the middle of all views.
    private static let (ground, margin, contrast): (Float, Int, Float) = (110, 12, 0.65)
    /// The smallest spot's scale, a lens's and a pixel's blur together, and how many there are to the octave and in all.
    private static let (leastScale, scalesPerOctave, scaleCount) = (1.6, 3, 9)
    /// The blur that the picture has already, squared.
    private static let ownBlur = 0.5
    /// In grey levels: a noise of three leaves 0.4 of a spot of the smallest scale.
    private static let leastContrast: Float = 1.2
    /// How much longer than wide a spot may be: along an edge it has no place.
    private static let mostElongation: Float = 12

    init(of plane: GrayPlane) {
        let evidences = Self.sides.map { Self.evidence(of: plane.reduced(toLongerSide: $0)) }
        evidence = evidences.reduce(0, +) / Double(evidences.count)
    }

    private static func evidence(of print: GrayPlane) -> Double {
        let seen = print.framed(by: margin, of: ground, contrast: contrast)
        let planes = (0..<scaleCount).map { number in
            let scale = leastScale * pow(2, Double(number) / Double(scalesPerOctave))
            return seen.blurred(GrayPlane.gaussian((scale * scale - ownBlur).squareRoot()))
        }
        let differences = zip(planes.dropFirst(), planes).map { $0.subtracting($1) }
        var evidence = 0.0
        for scale in 1..<(differences.count - 1) {
            let layers = Array(differences[(scale - 1)...(scale + 1)])
            for y in margin..<(margin + print.size.height) {
                for x in margin..<(margin + print.size.width) where isSpot(layers, x, y) {
                    evidence += Double(log(1 + abs(layers[1][x, y])))
                }
            }
        }
        return evidence
    }

    /// Whether the middle one of three layers has an extremum there, and no mere edge.
    private static func isSpot(_ layers: [GrayPlane], _ x: Int, _ y: Int) -> Bool {
        let middle = layers[1][x, y]
        guard abs(middle) >= leastContrast else { return false }
        let sign: Float = middle > 0 ? 1 : -1
        for layer in layers {
            for v in (y - 1)...(y + 1) {
                for u in (x - 1)...(x + 1) where sign * layer[u, v] > sign * middle { return false }
            }
        }
        let layer = layers[1]
        let xx = layer[x + 1, y] + layer[x - 1, y] - 2 * middle
        let yy = layer[x, y + 1] + layer[x, y - 1] - 2 * middle
        let xy = (layer[x + 1, y + 1] - layer[x - 1, y + 1] - layer[x + 1, y - 1] + layer[x - 1, y - 1]) / 4
        let (trace, determinant) = (xx + yy, xx * yy - xy * xy)
        let most = (mostElongation + 1) * (mostElongation + 1) / mostElongation
        return determinant > 0 && trace * trace < most * determinant
    }
}

extension GrayPlane {
    /// The plane with this ground around it, and less contrast.
    fileprivate func framed(by margin: Int, of ground: Float, contrast: Float) -> GrayPlane {
        let framed = ImageSize(width: size.width + 2 * margin, height: size.height + 2 * margin)
        var values = [Float](repeating: contrast * ground, count: framed.width * framed.height)
        for y in 0..<size.height {
            for x in 0..<size.width {
                values[(y + margin) * framed.width + x + margin] = contrast * self[x, y]
            }
        }
        return GrayPlane(size: framed, values: values)
    }

    fileprivate func subtracting(_ other: GrayPlane) -> GrayPlane {
        GrayPlane(size: size, values: zip(values, other.values).map { $0 - $1 })
    }

    /// The weights of a Gaussian, `[middle, next, …]`, as far as three deviations.
    fileprivate static func gaussian(_ deviation: Double) -> [Float] {
        let weights = (0...Int((3 * deviation).rounded(.up))).map {
            exp(-Double($0 * $0) / (2 * deviation * deviation))
        }
        let sum = 2 * weights.reduce(0, +) - weights[0]
        return weights.map { Float($0 / sum) }
    }
}
