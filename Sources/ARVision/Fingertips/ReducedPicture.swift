// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// A colour picture reduced by a whole factor: each pixel is the mean of a square of pixels. What is left over at the right
/// and at the bottom is left out.
struct ReducedPicture: Sendable {
    let width: Int
    let height: Int
    /// How many pixels of the picture lie along the side of one of these.
    let factor: Int
    /// Red, green and blue of each pixel, row after row.
    let bytes: [UInt8]

    /// The picture, at most that wide.
    init(_ image: ImageBuffer, maximumWidth: Int) {
        precondition(
            image.format == .rgb8, "fingers are found by their colour: the picture must be rgb8, not \(image.format)")
        let factor = max(1, (image.size.width + maximumWidth - 1) / maximumWidth)
        let (width, height) = (image.size.width / factor, image.size.height / factor)
        self.factor = factor
        self.width = width
        self.height = height
        guard factor > 1 else {
            bytes = image.bytes
            return
        }
        let (rowLength, half, area) = (image.bytesPerRow, factor * factor / 2, factor * factor)
        bytes = image.bytes.withUnsafeBufferPointer { source in
            [UInt8](unsafeUninitializedCapacity: width * height * 3) { target, count in
                for y in 0..<height {
                    for x in 0..<width {
                        var sums = (half, half, half)
                        for row in 0..<factor {
                            var at = (y * factor + row) * rowLength + x * factor * 3
                            for _ in 0..<factor {
                                sums.0 += Int(source[at])
                                sums.1 += Int(source[at + 1])
                                sums.2 += Int(source[at + 2])
                                at += 3
                            }
                        }
                        let to = (y * width + x) * 3
                        target[to] = UInt8(truncatingIfNeeded: sums.0 / area)
                        target[to + 1] = UInt8(truncatingIfNeeded: sums.1 / area)
                        target[to + 2] = UInt8(truncatingIfNeeded: sums.2 / area)
                    }
                }
                count = width * height * 3
            }
        }
    }

    /// The number of pixels.
    var count: Int { width * height }

    /// Where a point of this picture lies in the whole one.
    func pixel(_ point: Vector2) -> PixelPoint {
        PixelPoint((point + 0.5) * Double(factor) - 0.5)
    }

    /// Where a pixel of the whole picture lies in this one.
    func point(_ pixel: PixelPoint) -> Vector2 { (pixel.vector + 0.5) / Double(factor) - 0.5 }

    /// The colour at a point, of the nearest pixel; outside, of the nearest one inside.
    func color(_ point: Vector2) -> SIMD3<Float> {
        let x = min(max(Int(point.x.rounded()), 0), width - 1)
        let y = min(max(Int(point.y.rounded()), 0), height - 1)
        let at = (y * width + x) * 3
        return SIMD3(Float(bytes[at]), Float(bytes[at + 1]), Float(bytes[at + 2]))
    }

    /// Whether a point lies in the picture.
    func contains(_ point: Vector2) -> Bool {
        point.x >= -0.5 && point.y >= -0.5 && point.x < Double(width) - 0.5 && point.y < Double(height) - 0.5
    }
}
