// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// One level of a texture as the inner loop sees it: rows of texels, at least two by two.
struct MipLevel {
    let texels: UnsafePointer<PackedTexel>
    let width: Int
    /// The last texel's column and row.
    let lastColumn: Float
    let lastRow: Float
    /// From texels of the finest level to texels of this one.
    let scale: Float

    init(texels: UnsafePointer<PackedTexel>, width: Int, height: Int, number: Int) {
        self.texels = texels
        self.width = width
        (lastColumn, lastRow) = (Float(width - 1), Float(height - 1))
        scale = 1 / Float(1 << number)
    }

    /// The light at a place, in 65535ths, interpolated between the four nearest texels.
    @inline(__always) fileprivate func bilinear(x: Float, y: Float) -> SIMD4<Float> {
        let (px, left) = Self.split(x * scale - 0.5, last: lastColumn)
        let (py, top) = Self.split(y * scale - 0.5, last: lastRow)
        let first = texels + (top.index &* width &+ left.index)
        let fraction = px - left.float
        let above = PackedTexel.mix(at: first, fraction)
        let below = PackedTexel.mix(at: first + width, fraction)
        return above + (below - above) * (py - top.float)
    }

    /// A coordinate, not outside the texels' centres, and the texel before it, which is not the last.
    ///
    /// Between 2²³ and 2²⁴ floats are whole, and their last bits count: adding 1.5 · 2²³ rounds to the nearest whole
    /// number and makes an integer of it, with none of the checks of a conversion. A NaN becomes the texel zero.
    @inline(__always) private static func split(
        _ coordinate: Float, last: Float
    ) -> (clamped: Float, texel: (index: Int, float: Float)) {
        let clamped = min(max(coordinate, 0), last)
        let raised = min(max(clamped - 0.5, 0), last - 1) + 0x1.8p23
        return (clamped, (Int(raised.bitPattern & 0x3f_ffff), raised - 0x1.8p23))
    }
}

/// A texture as the inner loop sees it; valid as long as its ``MipTexture``.
struct MipView {
    let levels: UnsafePointer<MipLevel>
    let levelCount: Int

    /// The mean light around a place, over the parallelogram that a pixel covers.
    ///
    /// Places and sides are in texels of the finest level, (0, 0) is the texture's corner. Along the parallelogram's
    /// longer side up to eight probes are averaged, each as wide as the shorter side: sharp at grazing angles too.
    /// - Reference: Schilling, Knittel, Strasser 1996, "Texram"; McCormack et al. 1999, "Feline".
    func light(x: Float, y: Float, acrossColumns: SIMD2<Float>, acrossRows: SIMD2<Float>) -> SIMD4<Float> {
        let columnLength = (acrossColumns * acrossColumns).sum().squareRoot()
        let rowLength = (acrossRows * acrossRows).sum().squareRoot()
        let isAlongColumns = columnLength >= rowLength
        let major = isAlongColumns ? acrossColumns : acrossRows
        let (long, short) = isAlongColumns ? (columnLength, rowLength) : (rowLength, columnLength)
        let count = Int32(min(8, max(1, long / max(short, 1) + 0.5)))
        let probes = Float(count)
        let level = min(Self.logarithm(max(max(short, 1), long / probes)), Float(levelCount - 1))
        let fine = levels + Int(level)
        let fraction = level - Float(Int32(level))
        let step = major / probes
        var (px, py) = (x - step.x * (probes - 1) / 2, y - step.y * (probes - 1) / 2)
        var sum = SIMD4<Float>()
        for _ in 0..<count {
            sum += Self.trilinear(x: px, y: py, between: fine, fraction: fraction)
            px += step.x
            py += step.y
        }
        return sum * (1 / (65535 * probes))
    }

    /// A fast and continuous stand-in for the binary logarithm of a number from one up, exact at powers of two.
    @inline(__always) private static func logarithm(_ value: Float) -> Float {
        let bits = value.bitPattern
        return Float(Int32(bits >> 23) - 127) + Float(bitPattern: bits & 0x7f_ffff | 0x3f80_0000) - 1
    }

    /// Between a level and the next coarser one, of which nothing is read at the fraction zero.
    @inline(__always) private static func trilinear(
        x: Float, y: Float, between fine: UnsafePointer<MipLevel>, fraction: Float
    ) -> SIMD4<Float> {
        let value = fine[0].bilinear(x: x, y: y)
        return fraction == 0 ? value : value + (fine[1].bilinear(x: x, y: y) - value) * fraction
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

    /// The channels in floating point, plus 2²³.
    ///
    /// Between 2²³ and 2²⁴ a float's last bits count ones: set below 2²³'s own bits, a channel adds just itself.
    @inline(__always) private var raised: SIMD4<Float> {
        unsafeBitCast(channels | SIMD4(repeating: 0x4b00_0000), to: SIMD4<Float>.self)
    }

    /// The channels between a texel and its right neighbour.
    @inline(__always) static func mix(at left: UnsafePointer<PackedTexel>, _ fraction: Float) -> SIMD4<Float> {
        let (left, right) = (left[0].raised, left[1].raised)
        return (left - 0x1p23) + (right - left) * fraction
    }
}
