// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// Finds the outline of a code of bars from the line along which it was read: how far its bars go up and down.
struct LinearCodeOutline {
    /// The grey picture.
    let image: ImageBuffer

    /// The least correlation with the line that was read where there are still bars.
    private static let leastCorrelation = 0.6

    /// The outline of the bars. `nil` where they cannot be followed.
    ///
    /// - Parameter read: the line's ends, as the reader reports them: each twice, or the highest and the lowest line.
    func outline(from read: PixelQuad) -> PixelQuad? {
        let start = (read.topLeft.vector + read.bottomLeft.vector) / 2
        let end = (read.topRight.vector + read.bottomRight.vector) / 2
        guard (end - start).length >= 20 else { return nil }
        // The line may cross the bars at a slant, and perspective lets them converge: each end has its own direction, and
        // its own way up and down. What a quarter of the bars tells holds in the middle of that quarter.
        let span = end - start
        guard let left = bars(from: start, to: start + span * Self.share),
            let right = bars(from: end - span * Self.share, to: end)
        else { return nil }
        let (leftTop, leftBottom) = (left.middle + left.way(-1), left.middle + left.way(1))
        let (rightTop, rightBottom) = (right.middle + right.way(-1), right.middle + right.way(1))
        func corner(_ end: Vector2, _ bars: Vector2, _ line: (Vector2, Vector2)) -> Vector2? {
            let along = line.1 - line.0
            let denominator = bars.cross(along)
            guard abs(denominator) > 0.1 * along.length else { return nil }
            return end + bars * ((line.0 - end).cross(along) / denominator)
        }
        let (top, bottom) = ((leftTop, rightTop), (leftBottom, rightBottom))
        guard let leftBars = (leftBottom - leftTop).normalized(), let rightBars = (rightBottom - rightTop).normalized(),
            let topLeft = corner(start, leftBars, top), let topRight = corner(end, rightBars, top),
            let bottomRight = corner(end, rightBars, bottom), let bottomLeft = corner(start, leftBars, bottom)
        else { return nil }
        let quad = PixelQuad(corners: [topLeft, topRight, bottomRight, bottomLeft].map { PixelPoint($0) })
        return quad.isConvex ? quad : nil
    }

    /// The share of the bars at each end that tells where they end.
    private static let share = 0.25

    /// Some bars next to each other.
    private struct Bars {
        let outline: LinearCodeOutline
        let start, end: Vector2
        /// Along the bars, to the right of the line that was read.
        let direction: Vector2

        var middle: Vector2 { (start + end) / 2 }

        /// From the middle to where the bars end, along their direction (1) or against it (−1). Where the way leads off
        /// the bars sideways, it is led back.
        func way(_ sign: Double) -> Vector2 {
            let count = min(max(Int((end - start).length), 16), 512)
            let reference = outline.profile(from: start, to: end, count: count)
            let sideways = (end - start).normalized() ?? .zero
            var (way, drift, misses, step) = (Vector2.zero, 0.0, 0, 1.0)
            while misses < 4 {
                func correlation(_ drift: Double) -> Double {
                    let offset = direction * (sign * step) + sideways * drift
                    let there = outline.profile(from: start + offset, to: end + offset, count: count)
                    return there.isInside ? reference.correlation(with: there) : -1
                }
                let tried = [drift, drift - 0.25, drift + 0.25].map { ($0, correlation($0)) }
                let best = tried.max { $0.1 < $1.1 } ?? tried[0]
                if best.1 >= LinearCodeOutline.leastCorrelation {
                    (drift, misses) = (best.0, 0)
                    way = direction * (sign * (step + 0.5)) + sideways * drift
                } else {
                    misses += 1
                }
                step += 1
            }
            return way
        }
    }

    private func bars(from start: Vector2, to end: Vector2) -> Bars? {
        barDirection(from: start, to: end).map { Bars(outline: self, start: start, end: end, direction: $0) }
    }

    /// The direction of the bars that a line crosses, to its right: across it light does not change. From the structure
    /// tensor (Förstner and Gülch 1987).
    private func barDirection(from start: Vector2, to end: Vector2) -> Vector2? {
        let count = max(Int((end - start).length), 2)
        var (xx, xy, yy) = (0.0, 0.0, 0.0)
        for index in 0...count {
            let place = start + (end - start) * (Double(index) / Double(count))
            let dx = image.light(at: place + Vector2(1, 0)) - image.light(at: place - Vector2(1, 0))
            let dy = image.light(at: place + Vector2(0, 1)) - image.light(at: place - Vector2(0, 1))
            (xx, xy, yy) = (xx + dx * dx, xy + dx * dy, yy + dy * dy)
        }
        let angle = 0.5 * atan2(2 * xy, xx - yy)
        var bars = Vector2(-sin(angle), cos(angle))
        guard let along = (end - start).normalized() else { return nil }
        let sine = along.cross(bars)
        guard abs(sine) > 0.2 else { return nil }
        if sine < 0 { bars = -bars }
        return bars
    }

    private struct Profile {
        var light: [Double]
        var isInside: Bool

        /// The correlation coefficient.
        func correlation(with other: Profile) -> Double {
            let count = Double(light.count)
            let (mean, otherMean) = (light.reduce(0, +) / count, other.light.reduce(0, +) / count)
            var (ab, aa, bb) = (0.0, 0.0, 0.0)
            for (a, b) in zip(light, other.light) {
                ab += (a - mean) * (b - otherMean)
                aa += (a - mean) * (a - mean)
                bb += (b - otherMean) * (b - otherMean)
            }
            return aa * bb > 0 ? ab / (aa * bb).squareRoot() : 0
        }
    }

    private func profile(from start: Vector2, to end: Vector2, count: Int) -> Profile {
        let light = (0...count).map { image.light(at: start + (end - start) * (Double($0) / Double(count))) }
        let isInside = image.size.contains(PixelPoint(start)) && image.size.contains(PixelPoint(end))
        return Profile(light: light, isInside: isInside)
    }
}
