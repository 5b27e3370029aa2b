// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// A picture on a surface, with its halved, quartered, … copies: what lets a renderer see it from any distance
/// without aliasing.
///
/// Texels are linear light. Each level is the exact mean of the finer one: the sides of the finest are multiples of
/// 2^(levels − 1).
/// - Reference: Williams 1983, "Pyramidal parametrics".
final class MipTexture: Sendable {
    /// Columns and rows of the finest level.
    let size: ImageSize
    /// What a renderer's inner loop needs.
    var view: MipView {
        MipView(
            texels: UnsafePointer(texels), width: Int32(size.width), height: Int32(size.height),
            levelCount: Int32(levelCount))
    }

    private nonisolated(unsafe) let texels: UnsafeMutablePointer<PackedTexel>
    private let levelCount: Int
    private static let maximumLevelCount = 8

    /// A texture that covers a surface of that size in metres, with texels at most that large, each filled with the
    /// albedo at its centre, given in metres from the corner.
    ///
    /// The longer side has at most 4096 texels.
    convenience init(
        covering extent: Vector2, texelMeters: Double, threads: Int,
        albedo: @Sendable (_ place: Point2, _ texel: Vector2) -> Vector3
    ) {
        func count(_ meters: Double) -> Int { min(4096, max(1, Int((meters / texelMeters).rounded(.up)))) }
        let (width, height) = (count(extent.x), count(extent.y))
        let levelCount = Self.levelCount(width: width, height: height)
        let multiple = 1 << (levelCount - 1)
        func rounded(_ count: Int) -> Int { (count + multiple - 1) / multiple * multiple }
        self.init(size: ImageSize(width: rounded(width), height: rounded(height)), levelCount: levelCount)
        let texel = extent / Vector2(Double(size.width), Double(size.height))
        let size = size
        nonisolated(unsafe) let texels = texels
        Parallel.run(count: size.height, threads: threads) { row in
            for column in 0..<size.width {
                let place = texel * Vector2(Double(column) + 0.5, Double(row) + 0.5)
                texels[row * size.width + column] = PackedTexel(albedo(place, texel))
            }
        }
        buildLevels()
    }

    /// A texture of one colour, whatever it covers.
    convenience init(plain albedo: Vector3) {
        self.init(size: ImageSize(width: 1, height: 1), levelCount: 1)
        texels[0] = PackedTexel(albedo)
    }

    /// A texture that shows a picture.
    convenience init(picture: ImageBuffer) {
        let levelCount = Self.levelCount(width: picture.size.width, height: picture.size.height)
        let multiple = 1 << (levelCount - 1)
        func rounded(_ count: Int) -> Int { (count + multiple - 1) / multiple * multiple }
        self.init(
            size: ImageSize(width: rounded(picture.size.width), height: rounded(picture.size.height)),
            levelCount: levelCount)
        let light = (0...255).map { ColorTransfer.linear(fromSRGB: Double($0) / 255) }
        let rgb = picture.rgb
        // The picture is resampled to the texture's size, which is hardly larger, at the texels' centres.
        for row in 0..<size.height {
            for column in 0..<size.width {
                let x = (Double(column) + 0.5) * Double(rgb.size.width) / Double(size.width) - 0.5
                let y = (Double(row) + 0.5) * Double(rgb.size.height) / Double(size.height) - 0.5
                texels[row * size.width + column] = PackedTexel(Self.bilinear(rgb, x, y, light: light))
            }
        }
        buildLevels()
    }

    private init(size: ImageSize, levelCount: Int) {
        self.size = size
        self.levelCount = levelCount
        let count = (0..<levelCount).reduce(0) { $0 + (size.width >> $1) * (size.height >> $1) }
        texels = .allocate(capacity: count)
        texels.initialize(repeating: PackedTexel(.zero), count: count)
    }

    deinit { texels.deallocate() }

    /// As many levels as leave a few texels on the coarsest.
    private static func levelCount(width: Int, height: Int) -> Int {
        var count = 1
        while count < maximumLevelCount, min(width, height) >> count >= 4 { count += 1 }
        return count
    }

    private static func bilinear(_ image: ImageBuffer, _ x: Double, _ y: Double, light: [Double]) -> Vector3 {
        func pixel(_ column: Int, _ row: Int) -> Vector3 {
            let (column, row) = (min(max(column, 0), image.size.width - 1), min(max(row, 0), image.size.height - 1))
            let first = 3 * (row * image.size.width + column)
            return Vector3(
                light[Int(image.bytes[first])], light[Int(image.bytes[first + 1])], light[Int(image.bytes[first + 2])])
        }
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (u, v) = (x - Double(left), y - Double(top))
        return mix(
            mix(pixel(left, top), pixel(left + 1, top), u), mix(pixel(left, top + 1), pixel(left + 1, top + 1), u), v)
    }

    private func buildLevels() {
        var (source, width, height) = (texels, size.width, size.height)
        for _ in 1..<max(levelCount, 1) {
            let target = source + width * height
            for row in 0..<(height / 2) {
                for column in 0..<(width / 2) {
                    let first = source + 2 * row * width + 2 * column
                    let (a, b) = (first[0].channels, first[1].channels)
                    let (c, d) = (first[width].channels, first[width + 1].channels)
                    target[row * (width / 2) + column] = PackedTexel(channels: (a &+ b &+ c &+ d &+ 2) &>> 2)
                }
            }
            (source, width, height) = (target, width / 2, height / 2)
        }
    }
}

/// Red, green and blue light, each as 16 bits: 65535 is one.
///
/// Red and blue share the first word, green has the second: in this order two vector operations spread a texel over the
/// lanes of a vector, and two more make floating-point numbers of them.
struct PackedTexel {
    private var words: SIMD2<UInt32>

    /// The texel of a colour, linear RGB 0…1; what is outside is cut off.
    init(_ light: Vector3) {
        let scaled = light.clamped(lowerBound: Vector3(), upperBound: Vector3(repeating: 1)) * 65535 + 0.5
        self.init(channels: SIMD4(UInt32(scaled.x), UInt32(scaled.y), UInt32(scaled.z), 0))
    }

    /// The texel of red, green, blue and zero.
    init(channels: SIMD4<UInt32>) { words = channels.lowHalf | channels.highHalf &<< 16 }

    /// Red, green, blue and zero.
    @inline(__always) var channels: SIMD4<UInt32> {
        SIMD4(lowHalf: words & SIMD2(repeating: 0xffff), highHalf: words &>> 16)
    }

    /// The same, in floating point.
    ///
    /// Between 2²³ and 2²⁴ a float's last bits count ones: set below 2²³'s own bits, a channel adds just itself.
    @inline(__always) var float: SIMD4<Float> {
        unsafeBitCast(channels | SIMD4(repeating: 0x4b00_0000), to: SIMD4<Float>.self) - 0x1p23
    }
}

/// A texture as the inner loop sees it; valid as long as its ``MipTexture``.
struct MipView {
    let texels: UnsafePointer<PackedTexel>
    let width: Int32
    let height: Int32
    let levelCount: Int32

    /// The mean light around a place, over the parallelogram that a pixel covers.
    ///
    /// Places and sides are in texels of the finest level, (0, 0) is the texture's corner. Along the parallelogram's
    /// longer side up to eight probes are averaged, each as wide as the shorter side: sharp at grazing angles too.
    /// - Reference: Schilling, Knittel, Strasser 1996, "Texram"; McCormack et al. 1999, "Feline".
    @inline(__always) func light(x: Float, y: Float, acrossColumns: SIMD2<Float>, acrossRows: SIMD2<Float>) -> SIMD4<
        Float
    > {
        let columnLength = (acrossColumns * acrossColumns).sum().squareRoot()
        let rowLength = (acrossRows * acrossRows).sum().squareRoot()
        let isAlongColumns = columnLength >= rowLength
        let major = isAlongColumns ? acrossColumns : acrossRows
        let (long, short) = isAlongColumns ? (columnLength, rowLength) : (rowLength, columnLength)
        let count = Int32(min(8, max(1, long / max(short, 1) + 0.5)))
        let probes = Float(count)
        let level = Self.logarithm(max(max(short, 1), long / probes))
        if count == 1 { return trilinear(x: x, y: y, level: level) }
        var sum = SIMD4<Float>()
        for index in 0..<count {
            let offset = (Float(index) + 0.5) / probes - 0.5
            sum += trilinear(x: x + offset * major.x, y: y + offset * major.y, level: level)
        }
        return sum / probes
    }

    /// A fast and continuous stand-in for the binary logarithm of a number from one up, exact at powers of two.
    @inline(__always) private static func logarithm(_ value: Float) -> Float {
        let bits = value.bitPattern
        return Float(Int32(bits >> 23) - 127) + Float(bitPattern: bits & 0x7f_ffff | 0x3f80_0000) - 1
    }

    @inline(__always) private func trilinear(x: Float, y: Float, level: Float) -> SIMD4<Float> {
        let clamped = min(level, Float(levelCount - 1))
        let fine = Int32(clamped)
        let fraction = clamped - Float(fine)
        let value = bilinear(x: x, y: y, level: fine)
        return fraction == 0 ? value : value + (bilinear(x: x, y: y, level: fine + 1) - value) * fraction
    }

    @inline(__always) private func bilinear(x: Float, y: Float, level: Int32) -> SIMD4<Float> {
        // The finer levels together: a geometric series of quarters, exact because every level halves exactly.
        let finest = Int(width) * Int(height)
        let start = (finest - (finest >> Int(2 * level))) * 4 / 3
        let (width, height) = (width >> level, height >> level)
        let scale = 1 / Float(Int32(1) << level)
        // Clamped first: the conversion to integers must not overflow however far outside the place is.
        let px = min(max(x * scale - 0.5, 0), Float(width - 1))
        let py = min(max(y * scale - 0.5, 0), Float(height - 1))
        let (left, top) = (Int32(px), Int32(py))
        let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
        let (u, v) = (px - Float(left), py - Float(top))
        let upper = texels + start + Int(top) * Int(width)
        let lower = texels + start + Int(bottom) * Int(width)
        let above = upper[Int(left)].float * (1 - u) + upper[Int(right)].float * u
        let below = lower[Int(left)].float * (1 - u) + lower[Int(right)].float * u
        return (above * (1 - v) + below * v) * (1 / 65535)
    }
}
