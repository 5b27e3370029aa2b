// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CRaycast

/// A picture on a surface, with its halved, quartered, … copies: what lets a renderer see it from any distance
/// without aliasing.
///
/// Texels are linear light. Each level is the mean of the finer one: the sides of the finest are multiples of
/// 2^(levels − 1), and even the coarsest has two and more.
/// - Reference: Williams 1983, "Pyramidal parametrics".
final class MipTexture: Sendable {
    /// Columns and rows of the finest level.
    let size: ImageSize
    /// What a renderer's inner loop needs.
    var view: MipView {
        MipView(
            texture: CRaycastTexture(
                texels: UnsafeRawPointer(texels).assumingMemoryBound(to: UInt16.self), levels: levels,
                level_count: Int32(levelCount)),
            plain: isPlain ? SIMD4(texels[0].light, 0) : nil)
    }

    /// A texel of the finest level, linear RGB.
    func light(column: Int, row: Int) -> Vector3 { texels[row * size.width + column].light }

    private nonisolated(unsafe) let texels: UnsafeMutablePointer<PackedTexel>
    private nonisolated(unsafe) let levels: UnsafeMutablePointer<CRaycastTextureLevel>
    private let levelCount: Int
    private let isPlain: Bool
    private static let maximumLevelCount = 8
    /// The most texels of a side: the texture filter numbers rows and columns with 15 bits.
    private static let mostTexels = 1 << 14

    /// A texture that covers a surface of that size in metres, with texels at most that large, each filled with the
    /// albedo at its centre, given in metres from the corner.
    ///
    /// The longer side has at most 4096 texels.
    convenience init(
        covering extent: Vector2, texelMeters: Double, threads: Int,
        albedo: @Sendable (_ place: Point2, _ texel: Vector2) -> Vector3
    ) {
        let (width, height) = (
            Self.count(extent.x, texelMeters: texelMeters), Self.count(extent.y, texelMeters: texelMeters)
        )
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

    /// The number of texels that cover a length.
    private static func count(_ meters: Double, texelMeters: Double) -> Int {
        min(4096, max(2, Int((meters / texelMeters).rounded(.up))))
    }

    /// About how many texels a texture that covers a surface of that size has on its finest level.
    static func texelCount(covering extent: Vector2, texelMeters: Double) -> Double {
        Double(count(extent.x, texelMeters: texelMeters)) * Double(count(extent.y, texelMeters: texelMeters))
    }

    /// A texture of one colour, whatever it covers.
    convenience init(plain albedo: Vector3) {
        self.init(size: ImageSize(width: 2, height: 2), levelCount: 1, isPlain: true)
        for index in 0..<4 { texels[index] = PackedTexel(albedo) }
    }

    /// A texture that shows a picture.
    convenience init(picture: ImageBuffer) {
        let levelCount = Self.levelCount(width: picture.size.width, height: picture.size.height)
        let multiple = 1 << (levelCount - 1)
        func rounded(_ count: Int) -> Int { min(max(2, (count + multiple - 1) / multiple * multiple), Self.mostTexels) }
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

    private init(size: ImageSize, levelCount: Int, isPlain: Bool = false) {
        self.isPlain = isPlain
        self.size = size
        self.levelCount = levelCount
        let count = (0..<levelCount).reduce(0) { $0 + (size.width >> $1) * (size.height >> $1) }
        texels = LargePages.allocate(capacity: count)
        texels.initialize(repeating: PackedTexel(.zero), count: count)
        levels = .allocate(capacity: levelCount)
        var first = 0
        for number in 0..<levelCount {
            let (width, height) = (size.width >> number, size.height >> number)
            (levels + number).initialize(
                to: CRaycastTextureLevel(first_texel: Int32(first), width: Int16(width), height: Int16(height)))
            first += width * height
        }
    }

    deinit {
        texels.deallocate()
        levels.deallocate()
    }

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

    /// Halves the finest level again and again.
    private func buildLevels() {
        var (source, width, height) = (texels, size.width, size.height)
        for _ in 1..<max(levelCount, 1) {
            let target = source + width * height
            for row in 0..<(height / 2) {
                for column in 0..<(width / 2) {
                    let first = source + 2 * row * width + 2 * column
                    target[row * (width / 2) + column] = PackedTexel(
                        meanOf: first[0], first[1], first[width], first[width + 1])
                }
            }
            (source, width, height) = (target, width / 2, height / 2)
        }
    }
}
