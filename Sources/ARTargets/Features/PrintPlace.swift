// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CFeatures

/// Where a print lies in a picture, as the kernels have it: pixelFromPrint, row by row, its last number 1.
struct PrintPlace {
    private var numbers: [Double]

    init(_ place: CFeaturesPlace) {
        numbers = withUnsafeBytes(of: place.pixel_from_print) { Array($0.bindMemory(to: Double.self)) }
    }

    /// `nil` where the print's upper left corner has no image.
    init?(_ matrix: Matrix3x3) {
        guard abs(matrix.columns.2.z) > 1e-12 else { return nil }
        let m = (1 / matrix.columns.2.z) * matrix
        let (a, b, c) = m.columns
        numbers = [a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, 1]
    }

    mutating func withNumbers<Result>(_ body: (UnsafeMutablePointer<Double>) -> Result) -> Result {
        numbers.withUnsafeMutableBufferPointer { body($0.baseAddress.unsafelyUnwrapped) }
    }

    var pixelFromPrint: Matrix3x3 {
        Matrix3x3(
            rows: Vector3(numbers[0], numbers[1], numbers[2]), Vector3(numbers[3], numbers[4], numbers[5]),
            Vector3(numbers[6], numbers[7], numbers[8]))
    }

    /// The print's corners; `nil` where one lies behind the camera, or the print is seen from behind.
    var corners: PixelQuad? {
        let square = PixelQuad(
            topLeft: PixelPoint(0, 0), topRight: PixelPoint(1, 0), bottomRight: PixelPoint(1, 1),
            bottomLeft: PixelPoint(0, 1))
        guard let quad = pixelFromPrint.image(of: square, within: 1e5), quad.isConvex else { return nil }
        return quad
    }
}

/// A target's picture in memory that somebody else holds.
struct TemplateView {
    let pixels: UnsafePointer<UInt8>
    let width: Int
    let height: Int

    var kernelTemplate: CFeaturesTemplate {
        CFeaturesTemplate(pixels: pixels, width: Int32(width), height: Int32(height))
    }
}
