// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Brightnesses in rows and columns, in ``shareOfGrey``s.
struct GreyPixels: Sendable {
    let width: Int
    let height: Int
    let values: [UInt16]

    /// A sixteenth of a grey level: faint patterns would be lost among the errors of rounding to whole ones.
    static let shareOfGrey: Float = 1 / 16

    /// The value between the pixels about a place, which must have pixels to the right of it and below.
    func value(at place: Vector2) -> Float {
        let (column, row) = (Int(place.x), Int(place.y))
        let (right, below) = (Float(place.x - Double(column)), Float(place.y - Double(row)))
        let pixel = row * width + column
        let above = Float(values[pixel]) + right * (Float(values[pixel + 1]) - Float(values[pixel]))
        let under =
            Float(values[pixel + width]) + right * (Float(values[pixel + width + 1]) - Float(values[pixel + width]))
        return above + below * (under - above)
    }

    /// The means of four pixels each.
    var halved: GreyPixels {
        let (width, height, columns) = (width / 2, height / 2, width)
        let means = [UInt16](unsafeUninitializedCapacity: width * height) { means, count in
            values.withUnsafeBufferPointer { values in
                for row in 0..<height {
                    for column in 0..<width {
                        let pixel = 2 * row * columns + 2 * column
                        let upper = UInt32(values[pixel]) &+ UInt32(values[pixel &+ 1])
                        let lower = UInt32(values[pixel &+ columns]) &+ UInt32(values[pixel &+ columns &+ 1])
                        means[row &* width &+ column] = UInt16(truncatingIfNeeded: (upper &+ lower &+ 2) / 4)
                    }
                }
            }
            count = width * height
        }
        return GreyPixels(width: width, height: height, values: means)
    }
}

/// A grey picture of at most 800 columns, smoothed a little: what patches are compared in.
///
/// Smoothing by 1 2 1 in both directions leaves three eighths of a sensor's noise, and no detail that is finer than the
/// distance of a patch's samples. Where the pattern is coarse and faint, as plaster's is and everything's in motion, a patch of a
/// picture of half the size holds more of the pattern, in five sixths of that noise, which neighbouring samples share less.
final class SmoothedPicture: Sendable {
    let fine: GreyPixels
    /// The same of half the size: its pixel c holds the pixels 2 c and 2 c + 1.
    let coarse: GreyPixels
    /// How many of the frame's columns and rows make one of ``fine``.
    let step: Int

    var width: Int { fine.width }
    var height: Int { fine.height }

    /// Pictures are reduced by whole numbers until they have no more columns than that.
    private static let largestWidth = 800

    init(_ image: ImageBuffer) {
        let step = max(1, (image.size.width + Self.largestWidth - 1) / Self.largestWidth)
        let (width, height) = (image.size.width / step, image.size.height / step)
        self.step = step
        let reduced = Self.reduced(image, step: step, width: width, height: height)
        fine = GreyPixels(
            width: width, height: height, values: Self.smoothed(reduced, width: width, height: height))
        coarse = fine.halved
    }

    /// The picture's pixel that shows a pixel of the frame.
    func pixel(ofFrame pixel: PixelPoint) -> PixelPoint {
        PixelPoint((pixel.x + 0.5) / Double(step) - 0.5, (pixel.y + 0.5) / Double(step) - 0.5)
    }

    /// The frame's pixel that a pixel of the picture shows.
    func framePixel(of pixel: PixelPoint) -> PixelPoint {
        PixelPoint((pixel.x + 0.5) * Double(step) - 0.5, (pixel.y + 0.5) * Double(step) - 0.5)
    }

    /// Four times the brightness, each pixel the mean of a square: sums stay exact in the passes that follow, and none exceeds
    /// sixteen bits, so that many pixels are added at a time, unasked. Of a coloured picture green is taken, the larger part of
    /// the luminance: patches are compared with their like alone.
    private static func reduced(_ image: ImageBuffer, step: Int, width: Int, height: Int) -> [UInt16] {
        let (stride, bytesPerRow) = (image.format.bytesPerPixel, image.bytesPerRow)
        let channel = image.format == .rgb8 ? 1 : 0
        return [UInt16](unsafeUninitializedCapacity: width * height) { reduced, count in
            image.bytes.withUnsafeBufferPointer { bytes in
                for row in 0..<height {
                    let (source, target) = (row * step * bytesPerRow + channel, row * width)
                    switch step {
                    case 1:
                        for column in 0..<width {
                            reduced[target &+ column] = 4 &* UInt16(bytes[source &+ column &* stride])
                        }
                    case 2:
                        for column in 0..<width {
                            let upper = source &+ 2 &* column &* stride
                            let lower = upper &+ bytesPerRow
                            reduced[target &+ column] =
                                UInt16(bytes[upper]) &+ UInt16(bytes[upper &+ stride]) &+ UInt16(bytes[lower])
                                &+ UInt16(bytes[lower &+ stride])
                        }
                    default:
                        for column in 0..<width {
                            var sum = 0
                            for place in 0..<step * step {
                                let byte = source + (column * step + place % step) * stride
                                sum += Int(bytes[byte + place / step * bytesPerRow])
                            }
                            reduced[target + column] = UInt16(4 * sum / (step * step))
                        }
                    }
                }
            }
            count = width * height
        }
    }

    /// 1 2 1 down and across; the picture repeats itself above and below, and is mirrored at its sides.
    private static func smoothed(_ source: [UInt16], width: Int, height: Int) -> [UInt16] {
        var sums = [UInt16](repeating: 0, count: width)
        return [UInt16](unsafeUninitializedCapacity: width * height) { smoothed, count in
            source.withUnsafeBufferPointer { source in
                sums.withUnsafeMutableBufferPointer { sums in
                    for row in 0..<height {
                        let (above, here, below) = (
                            max(0, row - 1) * width, row * width, min(height - 1, row + 1) * width
                        )
                        for column in 0..<width {
                            sums[column] =
                                source[above &+ column] &+ 2 &* source[here &+ column] &+ source[below &+ column]
                        }
                        // The sums are four times four times four of the brightness: of its own scale, of columns and of rows.
                        func smooth(_ left: Int, _ column: Int, _ right: Int) {
                            let sum = UInt32(sums[left]) &+ 2 &* UInt32(sums[column]) &+ UInt32(sums[right])
                            smoothed[here &+ column] = UInt16(truncatingIfNeeded: (sum &+ 2) >> 2)
                        }
                        smooth(min(1, width - 1), 0, min(1, width - 1))
                        for column in 1..<max(1, width - 1) { smooth(column &- 1, column, column &+ 1) }
                        smooth(max(0, width - 2), width - 1, max(0, width - 2))
                    }
                }
            }
            count = width * height
        }
    }
}
