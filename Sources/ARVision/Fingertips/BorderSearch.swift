// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Looks along rays for where a finger's colours end.
struct BorderSearch {
    private let size: ImageSize
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
        (self.size, self.bytes, self.table) = (size, bytes, table)
    }

    /// The evidence of a colour.
    @inline(__always)
    func evidence(of color: SIMD3<Float>) -> Float {
        table.evidence(UInt8(color.x), UInt8(color.y), UInt8(color.z))
    }

    /// The colour at a point, interpolated; outside, that of the border.
    @inline(__always)
    func color(at point: Vector2) -> SIMD3<Float> {
        let x = min(max(point.x, 0), Double(size.width - 1) - 1e-6)
        let y = min(max(point.y, 0), Double(size.height - 1) - 1e-6)
        let (column, row) = (Int(x), Int(y))
        let (u, v) = (Float(x - Double(column)), Float(y - Double(row)))
        let left = 3 &* (row &* size.width &+ column)
        let below = row < size.height - 1 ? left &+ 3 &* size.width : left
        let next = column < size.width - 1 ? 3 : 0
        let upper = mixed(left, left &+ next, u)
        let color = upper + v * (mixed(below, below &+ next, u) - upper)
        return SIMD3(color.x, color.y, color.z)
    }

    /// The colour between two pixels; the fourth lane is without meaning.
    @inline(__always)
    private func mixed(_ left: Int, _ right: Int, _ part: Float) -> SIMD4<Float> {
        let (a, b) = (pixel(left), pixel(right))
        return a + part * (b - a)
    }

    /// A pixel's three bytes and one more, read at once: the one behind them, or of the last pixel the one before.
    @inline(__always)
    private func pixel(_ at: Int) -> SIMD4<Float> {
        let isLast = at &+ 4 > bytes.count
        let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: isLast ? at &- 1 : at, as: UInt32.self)
        let colors = UInt32(littleEndian: word) &>> (isLast ? 8 : 0)
        return SIMD4<Float>(unsafeBitCast(colors, to: SIMD4<UInt8>.self))
    }

    /// How far along a ray the finger's colours end, and how unlike those beyond are.
    func border(
        from origin: Vector2, along ray: Vector2, expected: Double
    ) -> (distance: Double, weight: Double)? {
        let step = max(0.5, expected / 24)
        let first = 0.25 * expected
        let count = Int((0.75 * expected + max(0.8 * expected, 4)) / step) + 1
        return withUnsafeTemporaryAllocation(of: SIMD3<Float>.self, capacity: count) { samples in
            // The best split: evidence for the finger before it, against it behind it, and not far from where it is expected.
            var (gain, best, bestGain) = (Float(0), 0, -Float.infinity)
            for index in 0..<count {
                let color = color(at: origin + (first + Double(index) * step) * ray)
                samples.initializeElement(at: index, to: color)
                gain += evidence(of: color)
                let off = Float((first + (Double(index) + 0.5) * step - expected) / expected)
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
        of samples: UnsafeBufferPointer<SIMD3<Float>>, at split: Int, step: Double
    ) -> (place: Double, contrast: Float)? {
        guard split >= 1, split < samples.count - 2 else { return nil }
        let reach = max(2, Int(2 / step))
        guard let inside = mean(samples, split - 2 * reach + 1..<split - reach / 2 + 1),
            let outside = mean(samples, split + 1 + reach / 2..<split + 1 + 2 * reach)
        else { return nil }
        let contrast = inside - outside
        let square = (contrast * contrast).sum()
        guard square > leastContrast * leastContrast else { return nil }
        var found: Double?
        let (low, high) = (max(split - reach, 0), min(split + reach, samples.count - 2))
        for index in low...max(low, high) {
            let a = ((samples[index] - outside) * contrast).sum() / square - 0.5
            let b = ((samples[index + 1] - outside) * contrast).sum() / square - 0.5
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
    private static func mean(_ samples: UnsafeBufferPointer<SIMD3<Float>>, _ range: Range<Int>) -> SIMD3<Float>? {
        let range = range.clamped(to: samples.indices)
        return range.isEmpty ? nil : samples[range].reduce(.zero, +) / Float(range.count)
    }
}
