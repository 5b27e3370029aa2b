// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// The outline of a finger's end, fitted to a picture: half a circle, and two straight sides that may part towards the hand.
struct FingerOutline: Sendable {
    /// The circle's centre, in pixels.
    var center: Vector2
    /// Where the finger points, as the angle from +x to +y.
    var angle: Double
    /// The circle's radius.
    var radius: Double
    /// How much half the width grows for each pixel towards the hand.
    var taper = 0.0
    /// The radius that the finger had so far: the fit is held near it.
    var rememberedRadius: Double?

    var direction: Vector2 { Vector2(cos(angle), sin(angle)) }

    /// The outline about a finger found in a reduced picture.
    init(_ shape: FingerShape, in picture: ReducedPicture) {
        center = picture.pixel(shape.center).vector
        angle = atan2(shape.direction.y, shape.direction.x)
        radius = shape.radius * Double(picture.factor)
    }

    /// The outline that ends at the same place, its radius that part of this one's.
    func end(_ part: Double) -> FingerOutline {
        var outline = self
        outline.center += (1 - part) * radius * direction
        outline.radius *= part
        return outline
    }

    /// The outline of a fingertip.
    init(_ tip: Fingertip) {
        center = tip.center.vector
        angle = tip.angle
        radius = tip.radius
    }

    /// The fingertip whose outline lies on edges of the picture near this one, or `nil` where too few are seen.
    ///
    /// Across the outline, rays are cast; on each, the border between the finger's colours and others is where the evidence for
    /// them is split best, and to a fraction of a pixel where the colour is half way from the one inside to the one
    /// outside. The five numbers of the outline follow by Gauss-Newton with Huber's weights; their covariance is that of the fit.
    func fitted(to image: ImageBuffer, colors: HandColors) -> Fingertip? {
        var outline = self
        var fit: OutlineFit?
        for _ in 0..<3 {
            let crossings = outline.crossings(in: image, colors: colors)
            guard let next = outline.fit(to: crossings) else { return nil }
            guard (next.outline.center - center).length < 2 * radius, next.outline.radius > 0.4 * radius,
                next.outline.radius < 2.2 * radius, next.outline.radius >= 1.5
            else { return nil }
            outline = next.outline
            fit = next
        }
        guard var fingertip = fit?.fingertip else { return nil }
        fingertip.confidence *= outline.fill(in: image, colors: colors)
        return fingertip
    }

    /// 0 … 1: the part of the outline's inside that has the finger's colours.
    private func fill(in image: ImageBuffer, colors: HandColors) -> Double {
        let across = Vector2(-sin(angle), cos(angle))
        var (filled, count) = (0, 0)
        image.bytes.withUnsafeBufferPointer { bytes in
            for back in -1...5 {
                for side in -1...1 {
                    let place =
                        center - 0.5 * Double(back) * radius * direction + 0.5 * Double(side) * radius * across
                    guard image.size.contains(place) else { continue }
                    count += 1
                    filled += colors.evidence(of: image.size.color(bytes, at: place)) > 0 ? 1 : 0
                }
            }
        }
        return count > 0 ? min(1, 1.15 * Double(filled) / Double(count)) : 0
    }

    /// A place where a ray leaves the finger.
    struct Crossing: Sendable {
        var point: Vector2
        /// Whether it is on the rounded end, less than 35° from the axis.
        var isAtTip: Bool
        /// 0 … 1: how unlike the colours on both sides are.
        var weight: Double
    }

    /// The rays that see the finger's border, and how many were cast inside the picture.
    struct Crossings: Sendable {
        var found: [Crossing] = []
        var castCount = 0
    }

    func crossings(in image: ImageBuffer, colors: HandColors) -> Crossings {
        let (direction, across) = (direction, Vector2(-sin(angle), cos(angle)))
        var crossings = Crossings()
        func cast(from origin: Vector2, along ray: Vector2, expected: Double, isAtTip: Bool) {
            guard image.size.contains(origin + (expected + 2) * ray) else { return }
            crossings.castCount += 1
            if let (distance, weight) = Self.border(
                from: origin, along: ray, expected: expected, in: image, colors: colors)
            {
                crossings.found.append(Crossing(point: origin + distance * ray, isAtTip: isAtTip, weight: weight))
            }
        }
        for step in -9...9 {
            let turn = Double(step) * 10 * .pi / 180
            cast(
                from: center, along: cos(turn) * direction + sin(turn) * across, expected: radius,
                isAtTip: abs(step) <= 3)
        }
        for step in 1...6 {
            let back = Double(step) * 0.45 * radius
            for side in [-1.0, 1.0] {
                cast(
                    from: center - back * direction, along: side * across, expected: radius + taper * back,
                    isAtTip: false)
            }
        }
        return crossings
    }

    /// How far along a ray the finger's colours end, and how unlike those beyond are.
    private static func border(
        from origin: Vector2, along ray: Vector2, expected: Double, in image: ImageBuffer, colors: HandColors
    ) -> (distance: Double, weight: Double)? {
        let step = max(0.5, expected / 24)
        let first = 0.25 * expected
        let count = Int((0.75 * expected + max(0.8 * expected, 4)) / step) + 1
        return image.bytes.withUnsafeBufferPointer { bytes -> (distance: Double, weight: Double)? in
            var samples: [SIMD3<Float>] = []
            var evidence: [Float] = []
            samples.reserveCapacity(count)
            evidence.reserveCapacity(count)
            for index in 0..<count {
                let color = image.size.color(bytes, at: origin + (first + Double(index) * step) * ray)
                samples.append(color)
                evidence.append(colors.evidence(of: color))
            }
            // The best split: evidence for the finger before it, against it behind it, and not far from where it is expected.
            var (gain, best, bestGain) = (Float(0), 0, -Float.infinity)
            for index in 0..<count {
                gain += evidence[index]
                let off = Float((first + (Double(index) + 0.5) * step - expected) / expected)
                let value = gain * Float(step) - Float(expected) * 1.5 * off * off
                if value > bestGain { (best, bestGain) = (index, value) }
            }
            guard best >= 1, best < count - 2 else { return nil }
            let reach = max(2, Int(2 / step))
            func mean(_ range: Range<Int>) -> SIMD3<Float> {
                let range = range.clamped(to: 0..<count)
                return samples[range].reduce(SIMD3<Float>.zero, +) / Float(max(range.count, 1))
            }
            let inside = mean(best - 2 * reach + 1..<best - reach / 2 + 1)
            let outside = mean(best + 1 + reach / 2..<best + 1 + 2 * reach)
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
    }
}

extension ImageSize {
    fileprivate func contains(_ point: Vector2) -> Bool {
        point.x >= 0 && point.y >= 0 && point.x <= Double(width - 1) && point.y <= Double(height - 1)
    }

    /// The colour at a point of an rgb8 picture of this size, interpolated; outside, that of the border.
    fileprivate func color(_ bytes: UnsafeBufferPointer<UInt8>, at point: Vector2) -> SIMD3<Float> {
        let x = min(max(point.x, 0), Double(width - 1) - 1e-6)
        let y = min(max(point.y, 0), Double(height - 1) - 1e-6)
        let (column, row) = (Int(x), Int(y))
        let (u, v) = (Float(x - Double(column)), Float(y - Double(row)))
        func pixel(_ dx: Int, _ dy: Int) -> SIMD3<Float> {
            let at = (min(row + dy, height - 1) * width + min(column + dx, width - 1)) * 3
            return SIMD3(Float(bytes[at]), Float(bytes[at + 1]), Float(bytes[at + 2]))
        }
        let upper = pixel(0, 0) + u * (pixel(1, 0) - pixel(0, 0))
        let lower = pixel(0, 1) + u * (pixel(1, 1) - pixel(0, 1))
        return upper + v * (lower - upper)
    }
}
