// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// Looks along rays for where a finger's colours end.
struct BorderSearch {
    private let size: ImageSize
    private let bytes: UnsafeBufferPointer<UInt8>
    private let table: HandColors.Table
    /// The colours along the last ray.
    private var samples: [SIMD3<Float>] = []

    /// Calls a function with a search in a picture of format `rgb8`.
    static func run(in image: ImageBuffer, colors: HandColors, _ body: (inout BorderSearch) -> Void) {
        image.bytes.withUnsafeBufferPointer { bytes in
            colors.withTable { table in
                var search = BorderSearch(size: image.size, bytes: bytes, table: table)
                body(&search)
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
        func pixel(_ at: Int) -> SIMD3<Float> { SIMD3(Float(bytes[at]), Float(bytes[at &+ 1]), Float(bytes[at &+ 2])) }
        let left = 3 &* (row &* size.width &+ column)
        let below = row < size.height - 1 ? left &+ 3 &* size.width : left
        let next = column < size.width - 1 ? 3 : 0
        let upper = pixel(left) + u * (pixel(left &+ next) - pixel(left))
        let lower = pixel(below) + u * (pixel(below &+ next) - pixel(below))
        return upper + v * (lower - upper)
    }

    /// How far along a ray the finger's colours end, and how unlike those beyond are.
    mutating func border(
        from origin: Vector2, along ray: Vector2, expected: Double
    ) -> (distance: Double, weight: Double)? {
        let step = max(0.5, expected / 24)
        let first = 0.25 * expected
        let count = Int((0.75 * expected + max(0.8 * expected, 4)) / step) + 1
        samples.removeAll(keepingCapacity: true)
        // The best split: evidence for the finger before it, against it behind it, and not far from where it is expected.
        var (gain, best, bestGain) = (Float(0), 0, -Float.infinity)
        for index in 0..<count {
            let color = color(at: origin + (first + Double(index) * step) * ray)
            samples.append(color)
            gain += evidence(of: color)
            let off = Float((first + (Double(index) + 0.5) * step - expected) / expected)
            let value = gain * Float(step) - Float(expected) * 1.5 * off * off
            if value > bestGain { (best, bestGain) = (index, value) }
        }
        guard best >= 1, best < count - 2 else { return nil }
        let reach = max(2, Int(2 / step))
        guard let inside = mean(best - 2 * reach + 1..<best - reach / 2 + 1),
            let outside = mean(best + 1 + reach / 2..<best + 1 + 2 * reach)
        else { return nil }
        let contrast = inside - outside
        let square = (contrast * contrast).sum()
        guard square > 12 * 12 else { return nil }
        // Where the colour is half way, nearest to the split.
        var found: Double?
        let (low, high) = (max(best - reach, 0), min(best + reach, count - 2))
        for index in low...max(low, high) {
            let a = ((samples[index] - outside) * contrast).sum() / square - 0.5
            let b = ((samples[index + 1] - outside) * contrast).sum() / square - 0.5
            guard a > 0, b <= 0 else { continue }
            let place = first + (Double(index) + Double(a / (a - b))) * step
            let split = first + (Double(best) + 0.5) * step
            if abs(place - split) < abs((found ?? .infinity) - split) { found = place }
        }
        return found.map { ($0, min(1, Double(square.squareRoot()) / 60)) }
    }

    /// The mean colour of some samples, or `nil` where the ray has none of them.
    private func mean(_ range: Range<Int>) -> SIMD3<Float>? {
        let range = range.clamped(to: samples.indices)
        return range.isEmpty ? nil : samples[range].reduce(.zero, +) / Float(range.count)
    }
}
