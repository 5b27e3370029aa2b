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
        precondition(factor <= 256, "the sum of more than 256 values does not fit into 16 bits")
        let (width, height) = (image.size.width / factor, image.size.height / factor)
        self.factor = factor
        self.width = width
        self.height = height
        guard factor > 1 else {
            bytes = image.bytes
            roughness = Self.roughness(of: image.bytes, width: width, height: height)
            return
        }
        bytes = Self.reduced(image, width: width, height: height, factor: factor)
        roughness = Self.roughness(of: bytes, width: width, height: height)
    }

    /// The means of squares of pixels, rounded.
    private static func reduced(_ image: ImageBuffer, width: Int, height: Int, factor: Int) -> [UInt8] {
        let (rowLength, used) = (image.bytesPerRow, 3 * width * factor)
        let mean = RoundedMean(of: factor * factor)
        // Of each column of the picture, the sum over the rows of a square.
        var sums = [UInt16](repeating: 0, count: used)
        return image.bytes.withUnsafeBufferPointer { source in
            sums.withUnsafeMutableBufferPointer { sums in
                [UInt8](unsafeUninitializedCapacity: width * height * 3) { target, count in
                    for y in 0..<height {
                        let first = source.baseAddress! + y * factor * rowLength
                        for at in 0..<used { sums[at] = UInt16(first[at]) }
                        for row in 1..<factor {
                            let line = first + row * rowLength
                            for at in 0..<used { sums[at] &+= UInt16(line[at]) }
                        }
                        var (at, to) = (0, y * width * 3)
                        for _ in 0..<width {
                            var (red, green, blue) = (UInt32(0), UInt32(0), UInt32(0))
                            for _ in 0..<factor {
                                red &+= UInt32(sums[at])
                                green &+= UInt32(sums[at &+ 1])
                                blue &+= UInt32(sums[at &+ 2])
                                at &+= 3
                            }
                            target[to] = mean.value(ofSum: red)
                            target[to &+ 1] = mean.value(ofSum: green)
                            target[to &+ 2] = mean.value(ofSum: blue)
                            to &+= 3
                        }
                    }
                    count = width * height * 3
                }
            }
        }
    }

    private static func roughness(of bytes: [UInt8], width: Int, height: Int) -> [Float] {
        let plane = bytes.withUnsafeBufferPointer { bytes in
            [Float](unsafeUninitializedCapacity: width * height) { plane, count in
                for y in 0..<height {
                    let (start, above) = (y * width, max(y - 1, 0) * width)
                    var (here, before) = (3 &* start &+ 1, 3 &* start &+ 1)
                    var over = 3 &* above &+ 1
                    for x in 0..<width {
                        let green = Int32(bytes[here])
                        plane[start &+ x] = Float(
                            abs(green &- Int32(bytes[before])) &+ abs(green &- Int32(bytes[over])))
                        before = here
                        here &+= 3
                        over &+= 3
                    }
                }
                count = width * height
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

/// The mean of some bytes from their sum, rounded, half up: a division by a multiplication.
///
/// With m = ⌈2⁴⁰ / n⌉ the product of m and any sum below 256 n, divided by 2⁴⁰, is the quotient rounded down, for n ≤ 2¹⁶. Law:
/// `PixelPlaneTests`.
/// - Reference: Granlund, Montgomery 1994, "Division by invariant integers using multiplication", theorem 4.2.
struct RoundedMean {
    private let half: UInt32
    private let multiplier: UInt64

    /// The mean of so many bytes, 1 … 65,536.
    init(of count: Int) {
        half = UInt32(count / 2)
        multiplier = (1 << 40 + UInt64(count) - 1) / UInt64(count)
    }

    /// The mean of bytes with this sum.
    @inline(__always)
    func value(ofSum sum: UInt32) -> UInt8 {
        UInt8(truncatingIfNeeded: (UInt64(sum &+ half) &* multiplier) &>> 40)
    }
}
