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
    /// How rough the picture is about each pixel: the mean difference of neighbours' greens over the smoothest of the squares of
    /// 3 × 3 pixels nearby, so that what is smooth up to its edge is smooth at its edge.
    ///
    /// - Reference: Kuwahara and others 1976, "Processing of RI-angiocardiographic images" (the smoothest of several windows).
    let roughness: [Float]

    /// The picture, at most that wide.
    init(_ image: ImageBuffer, maximumWidth: Int) {
        self.init(image, factor: max(1, (image.size.width + maximumWidth - 1) / maximumWidth))
    }

    /// The picture, reduced by a factor.
    init(_ image: ImageBuffer, factor: Int) {
        precondition(
            image.format == .rgb8, "fingers are found by their colour: the picture must be rgb8, not \(image.format)")
        let (width, height) = (image.size.width / factor, image.size.height / factor)
        self.factor = factor
        self.width = width
        self.height = height
        guard factor > 1 else {
            bytes = image.bytes
            roughness = Self.roughness(of: image.bytes, width: width, height: height)
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
        roughness = Self.roughness(of: bytes, width: width, height: height)
    }

    private static func roughness(of bytes: [UInt8], width: Int, height: Int) -> [Float] {
        var plane = [Float](repeating: 0, count: width * height)
        for y in 0..<height {
            for x in 0..<width {
                let at = y * width + x
                let here = Float(bytes[3 * at + 1])
                let across = x > 0 ? abs(here - Float(bytes[3 * at - 2])) : 0
                plane[at] = across + (y > 0 ? abs(here - Float(bytes[3 * (at - width) + 1])) : 0)
            }
        }
        return plane.averagedOverThree(width: width, height: height).leastOfFive(width: width, height: height)
            .averagedOverThree(width: width, height: height)
    }

    /// The colour of a pixel.
    func color(at pixel: Int) -> SIMD3<Float> {
        SIMD3(Float(bytes[3 * pixel]), Float(bytes[3 * pixel + 1]), Float(bytes[3 * pixel + 2]))
    }

    /// The number of pixels.
    var count: Int { width * height }

    /// Where a point of this picture lies in the whole one.
    func pixel(_ point: Vector2) -> PixelPoint {
        PixelPoint((point + 0.5) * Double(factor) - 0.5)
    }

    /// Where a pixel of the whole picture lies in this one.
    func point(_ pixel: PixelPoint) -> Vector2 { (pixel.vector + 0.5) / Double(factor) - 0.5 }

    /// The number of the pixel nearest to a point; outside, of the nearest one inside.
    func index(_ point: Vector2) -> Int {
        let x = min(max(point.x.rounded(), 0), Double(width - 1))
        let y = min(max(point.y.rounded(), 0), Double(height - 1))
        return Int(y) * width + Int(x)
    }

    /// The colour at a point, of the nearest pixel; outside, of the nearest one inside.
    func color(_ point: Vector2) -> SIMD3<Float> { color(at: index(point)) }

    /// Whether a point lies in the picture.
    func contains(_ point: Vector2) -> Bool {
        point.x >= -0.5 && point.y >= -0.5 && point.x < Double(width) - 0.5 && point.y < Double(height) - 0.5
    }
}
