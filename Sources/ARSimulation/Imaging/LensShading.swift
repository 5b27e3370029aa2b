// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The share of the light that a lens lets through to each pixel, 1 on its axis.
struct LensShading: Sendable {
    private let width: Int
    private let factors: [Float]

    /// The shading of a camera's lens, or `nil` where it has none.
    init?(_ settings: Scene.CameraSettings) {
        guard settings.vignetting != .none else { return nil }
        let (size, camera) = (settings.size, settings.model)
        width = size.width
        factors = (0..<size.width * size.height).map { index in
            let pixel = PixelPoint(Double(index % size.width), Double(index / size.width))
            let factor =
                settings.vignetting == .cosine4
                ? Self.cosine4(at: pixel, of: camera)
                : Self.polynomial(at: pixel, of: size, settings.vignettingCoefficients)
            return Float(max(factor, 0))
        }
    }

    /// The fourth power of the cosine of the angle between a pixel's view and the axis.
    private static func cosine4(at pixel: PixelPoint, of camera: Camera) -> Double {
        let cosine = max(camera.unproject(pixel)?.z ?? 0, 0)
        return cosine * cosine * cosine * cosine
    }

    /// 1 + a r² + b r⁴ + c r⁶, where r is 1 in the corners' centres.
    private static func polynomial(at pixel: PixelPoint, of size: ImageSize, _ coefficients: [Double]) -> Double {
        let corner = Vector2(Double(size.width - 1), Double(size.height - 1)) / 2
        let s = (pixel.vector - corner).squaredLength / corner.squaredLength
        return 1 + s * (coefficients[0] + s * (coefficients[1] + s * coefficients[2]))
    }

    /// Dims a row's pixels.
    func shade(_ row: UnsafeMutableBufferPointer<SIMD4<Float>>, number: Int) {
        factors.withUnsafeBufferPointer { factors in
            let factors = UnsafeBufferPointer(rebasing: factors[number * width..<(number + 1) * width])
            for column in row.indices { row[column] *= factors[column] }
        }
    }
}
