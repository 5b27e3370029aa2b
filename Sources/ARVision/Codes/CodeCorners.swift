// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Measures where codes' corners are, to a fraction of a pixel.
struct CodeCorners {
    let pyramid: ImagePyramid
    /// The grey picture of which the pyramid was built.
    let image: ImageBuffer

    /// The share of each side along which a dark module must be seen: three tenths and more are dark, some are blurred.
    private static let leastSupport = 0.15

    /// The code with its outline on the edges between its dark modules and the quiet zone. Where they cannot be seen, it
    /// stays as it was read.
    ///
    /// - Parameter located: what finder patterns tell of QR codes.
    func refined(_ code: DetectedCode, located: [LocatedQRCode]) -> DetectedCode {
        guard !code.isMirrored else { return code }
        var code = code
        let refinement = EdgeRefinement(pyramid: pyramid)
        if code.symbology.isLinear {
            guard let outline = LinearCodeOutline(image: image).outline(from: code.quad) else { return code }
            code.quad =
                refinement.refined(outline, reach: 4, polarity: -1, leastSupport: Self.leastSupport) ?? outline
            return code
        }
        guard code.quad.isConvex else { return code }
        let place = located.first { code.isQRCode(at: $0.quad) }
        if let place {
            code.quad = outline(place)?.quad ?? place.quad
        } else {
            let module = min(code.quad.width, code.quad.height) / code.symbology.typicalModuleCount
            code.quad =
                refinement.refined(
                    code.quad, reach: max(0.6 * module, 2), polarity: -1, leastSupport: Self.leastSupport) ?? code.quad
        }
        return code
    }

    /// A QR code's place with its sides fitted to its outer modules; `nil` where they cannot be seen.
    func outline(_ place: LocatedQRCode) -> LocatedQRCode? {
        let refinement = EdgeRefinement(pyramid: pyramid)
        // What the patterns' perspective leaves open at the far corner is first looked for in a wider strip.
        let wide = refinement.refined(
            place.quad, reach: 0.8 * place.modulePixels, polarity: -1, leastSupport: Self.leastSupport)
        let narrow = refinement.refined(
            wide ?? place.quad, reach: 0.45 * place.modulePixels, polarity: -1, leastSupport: Self.leastSupport)
        guard let quad = narrow ?? wide, let pictureFromUnit = quad.pixelFromUnitSquare else { return nil }
        let scale = 1 / Double(place.moduleCount)
        return LocatedQRCode(
            moduleCount: place.moduleCount,
            pictureFromModules: pictureFromUnit * Matrix3x3(diagonal: Vector3(scale, scale, 1)), quad: quad,
            deviation: place.deviation)
    }
}

extension DetectedCode {
    /// Whether it is a QR code whose corners are those of a place, but for an eighth of its size.
    fileprivate func isQRCode(at place: PixelQuad) -> Bool {
        let limit = 0.125 * min(place.width, place.height)
        return symbology == .qr && zip(quad.corners, place.corners).allSatisfy { $0.distance(to: $1) < limit }
    }
}

extension CodeSymbology {
    /// How many modules a small code of the kind has along its shorter side.
    fileprivate var typicalModuleCount: Double {
        switch self {
        case .qr: 25
        case .microQR: 15
        case .dataMatrix: 18
        default: 20
        }
    }
}
