// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Looks along rays for where a finger's colours end.
struct BorderSearch {
    private let size: ImageSize
    /// The last place that has four pixels about it.
    private let greatest: Vector2
    private let bytes: UnsafeBufferPointer<UInt8>
    private let table: HandColors.Table

    /// Calls a function with a search in a picture of format `rgb8`.
    static func run(in image: ImageBuffer, colors: HandColors, _ body: (BorderSearch) -> Void) {
        image.bytes.withUnsafeBufferPointer { bytes in
            colors.withTable { table in
                body(BorderSearch(size: image.size, bytes: bytes, table: table))
            }
        }
    }

    private init(size: ImageSize, bytes: UnsafeBufferPointer<UInt8>, table: HandColors.Table) {
        precondition(min(size.width, size.height) >= 2, "\(size) has no four pixels")
        (self.size, self.bytes, self.table) = (size, bytes, table)
        greatest = Vector2(Double(size.width - 1) - 1e-6, Double(size.height - 1) - 1e-6)
    }

    /// The evidence of a colour.
    @inline(__always)
    func evidence(of color: SIMD3<Float>) -> Float { evidence(of: SIMD4(color, 0)) }

    /// The evidence of a colour, whose channels, 0 … 255, are rounded down.
    @inline(__always)
    private func evidence(of color: SIMD4<Float>) -> Float {
        // The sum's last bits are the nearest whole number; where that is greater it is one too many.
        let sum = color + Self.wholeNumbers
        let isGreater = unsafeBitCast(sum - Self.wholeNumbers .> color, to: SIMD4<Int32>.self)
        let whole = unsafeBitCast(unsafeBitCast(sum, to: SIMD4<Int32>.self) &+ isGreater, to: SIMD16<UInt8>.self)
        return table.evidence(whole[0], whole[4], whole[8])
    }

    /// From here on the next greater number is one more.
    private static let wholeNumbers: Float = 8_388_608

    /// The colour at a point, interpolated; outside, that of the border.
    @inline(__always)
    func color(at point: Vector2) -> SIMD3<Float> {
        let color = self.color(within: clamped(point))
        return SIMD3(color.x, color.y, color.z)
    }

    /// The nearest point that has four pixels about it.
    @inline(__always)
    private func clamped(_ point: Vector2) -> Vector2 {
        Vector2(min(max(point.x, 0), greatest.x), min(max(point.y, 0), greatest.y))
    }

    /// The colour at a point that has four pixels about it; the fourth lane is without meaning.
    @inline(__always)
    private func color(within point: Vector2) -> SIMD4<Float> {
        let (column, row) = (Int(point.x), Int(point.y))
        let (u, v) = (Float(point.x - Double(column)), Float(point.y - Double(row)))
        let left = 3 &* (row &* size.width &+ column)
        let upper = mixed(left, u)
        return upper + v * (mixed(left &+ 3 &* size.width, u) - upper)
    }

    /// The colour between a pixel and the next, whose six bytes are read at once; the fourth lane is without meaning.
    @inline(__always)
    private func mixed(_ left: Int, _ part: Float) -> SIMD4<Float> {
        // Behind the picture's last pixels there are no more bytes to read.
        let first = min(left, bytes.count &- 8)
        let word = UnsafeRawPointer(bytes.baseAddress!).loadUnaligned(fromByteOffset: first, as: UInt64.self)
        let pixels = UInt64(littleEndian: word) &>> UInt64(truncatingIfNeeded: 8 &* (left &- first))
        let (a, b) = (Self.pixel(pixels), Self.pixel(pixels &>> 24))
        return a + part * (b - a)
    }

    /// The pixel in the lowest three bytes.
    @inline(__always)
    private static func pixel(_ bytes: UInt64) -> SIMD4<Float> {
        SIMD4<Float>(unsafeBitCast(UInt32(truncatingIfNeeded: bytes), to: SIMD4<UInt8>.self))
    }

    /// How far along a ray the finger's colours end, and how unlike those beyond are.
    func border(
        from origin: Vector2, along ray: Vector2, expected: Double
    ) -> (distance: Double, weight: Double)? {
        let step = max(0.5, expected / 24)
        let first = 0.25 * expected
        let count = Int((0.75 * expected + max(0.8 * expected, 4)) / step) + 1
        let scale = 1 / expected
        return withUnsafeTemporaryAllocation(of: SIMD4<Float>.self, capacity: count) { samples in
            // The best split: evidence for the finger before it, against it behind it, and not far from where it is expected.
            var (gain, best, bestGain) = (Float(0), 0, -Float.infinity)
            let isWithin = [0, count - 1].allSatisfy {
                let point = origin + (first + Double($0) * step) * ray
                return clamped(point) == point
            }
            for index in 0..<count {
                let point = origin + (first + Double(index) * step) * ray
                let color = color(within: isWithin ? point : clamped(point))
                samples[index] = color
                gain += evidence(of: color)
                let off = Float((first + (Double(index) + 0.5) * step - expected) * scale)
                let value = gain * Float(step) - Float(expected) * 1.5 * off * off
                if value > bestGain { (best, bestGain) = (index, value) }
            }
            guard let (place, contrast) = Self.crossing(of: UnsafeBufferPointer(samples), at: best, step: step) else {
                return nil
            }
            return (first + place * step, min(1, Double(contrast) / 60))
        }
    }

    /// Where among the samples of a ray, in their steps, the colour is half way between that before a split and that behind it,
    /// nearest to the split; and how unlike the two are.
    private static func crossing(
        of samples: UnsafeBufferPointer<SIMD4<Float>>, at split: Int, step: Double
    ) -> (place: Double, contrast: Float)? {
        guard split >= 1, split < samples.count - 2 else { return nil }
        let reach = max(2, Int(2 / step))
        guard let inside = mean(samples, split - 2 * reach + 1..<split - reach / 2 + 1),
            let outside = mean(samples, split + 1 + reach / 2..<split + 1 + 2 * reach)
        else { return nil }
        var contrast = inside - outside
        contrast.w = 0
        let square = (contrast * contrast).sum()
        guard square > leastContrast * leastContrast else { return nil }
        var found: Double?
        let (low, high) = (max(split - reach, 0), min(split + reach, samples.count - 2))
        /// 0.5 like the inside, −0.5 like the outside.
        func side(_ index: Int) -> Float { ((samples[index] - outside) * contrast).sum() / square - 0.5 }
        var b = side(low)
        for index in low...max(low, high) {
            let a = b
            b = side(index + 1)
            guard a > 0, b <= 0 else { continue }
            let place = Double(index) + Double(a / (a - b))
            let middle = Double(split) + 0.5
            if abs(place - middle) < abs((found ?? .infinity) - middle) { found = place }
        }
        return found.map { ($0, square.squareRoot()) }
    }

    /// Colours that differ by less are one, in noise.
    private static let leastContrast: Float = 12

    /// The mean colour of some samples, or `nil` where the ray has none of them.
    private static func mean(_ samples: UnsafeBufferPointer<SIMD4<Float>>, _ range: Range<Int>) -> SIMD4<Float>? {
        let range = range.clamped(to: samples.indices)
        return range.isEmpty ? nil : samples[range].reduce(.zero, +) / Float(range.count)
    }
}
