// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The share of the light that a lens lets through to each pixel, 1 on its axis.
///
/// Sendable although the compiler cannot see it: filled before anyone else has it, and only read after.
final class LensShading: @unchecked Sendable {
    private let width: Int
    private let factors: UnsafeMutablePointer<Float>

    /// The shading of a camera's lens, or `nil` where it has none.
    init?(_ settings: Scene.CameraSettings) {
        guard settings.vignetting != .none else { return nil }
        let size = settings.size
        width = size.width
        factors = .allocate(capacity: size.width * size.height)
        let camera = settings.model
        for row in 0..<size.height {
            for column in 0..<size.width {
                let pixel = PixelPoint(Double(column), Double(row))
                let factor =
                    settings.vignetting == .cosine4
                    ? Self.cosine4(at: pixel, of: camera)
                    : Self.polynomial(at: pixel, of: size, settings.vignettingCoefficients)
                (factors + row * width + column).initialize(to: Float(max(factor, 0)))
            }
        }
    }

    deinit { factors.deallocate() }

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

    /// The factors of a row's pixels.
    @inline(__always) subscript(row row: Int) -> UnsafeBufferPointer<Float> {
        UnsafeBufferPointer(start: factors + row * width, count: width)
    }
}
