// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Regions of a picture that may be hands: cuts through measures of how much like skin each pixel is.
///
/// Skin of all tones reflects more red than green and more green than blue, by ratios that light scales little: what is
/// certain about it is an order, not a colour. Each measure is cut at several of its own quantiles, since lamps and cameras shift
/// it; the shape decides which cut is a hand.
struct HandGuesses {
    private let picture: ReducedPicture
    private let point: Vector2?
    private let planes: [[Float]]

    /// The guesses in a picture; of fingers that end near a point, where one is given.
    init(_ picture: ReducedPicture, near point: Vector2? = nil) {
        self.picture = picture
        self.point = point
        var (ratio, typical, bright, blueless) = (
            [Float](repeating: 0, count: picture.count), [Float](repeating: 0, count: picture.count),
            [Float](repeating: 0, count: picture.count), [Float](repeating: 0, count: picture.count)
        )
        for pixel in 0..<picture.count {
            let red = Float(picture.bytes[3 * pixel]) + 8
            let green = Float(picture.bytes[3 * pixel + 1]) + 8
            let blue = Float(picture.bytes[3 * pixel + 2]) + 8
            let (a, b) = (logf(red / green), logf(green / blue))
            ratio[pixel] = a
            blueless[pixel] = a + b
            let (u, v) = ((a - 0.32) / 0.2, (b - 0.2) / 0.2)
            typical[pixel] = -(u * u + v * v)
            bright[pixel] = a > -0.02 && b > -0.1 ? (red + green + blue) / 3 : 0
        }
        planes = [typical, ratio, blueless, bright].map {
            $0.averagedOverThree(width: picture.width, height: picture.height)
        }
    }

    /// The shares of the picture that a cut leaves.
    private static let shares = [0.03, 0.05, 0.075, 0.1, 0.13, 0.17, 0.22, 0.28, 0.36]

    /// The least number of pixels of a hand.
    static func minimumCount(_ picture: ReducedPicture) -> Int { picture.count / 150 }

    /// The best guesses, at most one for the same place of the fingertip.
    func best(_ limit: Int) -> [HandGuess] {
        var guesses: [HandGuess] = []
        for plane in planes {
            let sorted = plane.sorted(by: >)
            for share in Self.shares {
                let threshold = sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
                let silhouettes = HandSilhouette.all(
                    width: picture.width, height: picture.height, minimumCount: Self.minimumCount(picture)
                ) { plane[$0] > threshold }
                guesses += silhouettes.prefix(6).compactMap { Self.guess(from: $0, in: picture, near: point) }
            }
        }
        var kept: [HandGuess] = []
        for guess in guesses.sorted(by: { $0.score > $1.score }) where kept.count < limit {
            if kept.allSatisfy({ ($0.finger.center - guess.finger.center).length > 2 * guess.finger.radius }) {
                kept.append(guess)
            }
        }
        return kept
    }

    /// The silhouette as a hand with its likeliest index finger, or `nil` where it has no finger.
    static func guess(
        from silhouette: HandSilhouette, in picture: ReducedPicture, near point: Vector2?
    ) -> HandGuess? {
        guard Double(silhouette.pixels.count) < 0.6 * Double(picture.count) else { return nil }
        let fingers = silhouette.fingers(width: picture.width, height: picture.height)
            .filter { picture.contains($0.center + 1.6 * $0.radius * $0.direction) }
        guard let farthest = fingers.map(\.way).max() else { return nil }
        // The arm points from where it comes in to the hand's middle, or from the palm to the fingers.
        let isJoined = silhouette.borderCount >= 4
        let middle = fingers.reduce(Vector2.zero) { $0 + $1.center } / Double(fingers.count)
        let arm = (isJoined ? silhouette.centroid : middle) - silhouette.root
        // Hands that hold a phone's other side fill a good part of its picture.
        let size = min(1, Double(silhouette.pixels.count) / (0.08 * Double(picture.count))).squareRoot()
        let advances = fingers.map { ($0.center - silhouette.root).dot(arm) }
        let foremost = max(advances.max() ?? 0, 1e-9)
        let hand = silhouette.handLikeness(in: picture)
        return zip(fingers, advances).map { finger, advance in
            let reach =
                point.map { finger.nearness(to: $0, in: picture) }
                ?? finger.way / farthest * max(advance, 0) / foremost
            let shape = min(1, (finger.length / finger.radius - 1) / 3)
            let edge = finger.contrast(in: picture)
            // A palm is four to five times as wide as a finger.
            let proportion = log(silhouette.depth / finger.radius / 4) / 0.6
            return HandGuess(
                silhouette: silhouette, finger: finger,
                score: size * pow(reach, 5) * shape * edge * finger.skinLikeness(in: picture) * hand
                    * exp(-0.5 * proportion * proportion))
        }
        .max { $0.score < $1.score }
    }
}

extension HandSilhouette {
    /// 0 … 1: whether its rim lies on edges of the picture, and is as smooth as a hand's.
    func handLikeness(in picture: ReducedPicture) -> Double {
        let (width, height) = (picture.width, picture.height)
        var inside = [Bool](repeating: false, count: picture.count)
        for pixel in pixels { inside[Int(pixel)] = true }
        var (sum, count) = (0.0, 0)
        for pixel in pixels {
            let (x, y) = (Int(pixel) % width, Int(pixel) / width)
            guard x >= 2, y >= 2, x < width - 2, y < height - 2 else { continue }
            for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1)] where !inside[(y + dy) * width + x + dx] {
                let place = Vector2(Double(x), Double(y))
                let step = Vector2(Double(dx), Double(dy))
                let difference = picture.color(place - step) - picture.color(place + 2 * step)
                sum += min(1, Double((difference * difference).sum().squareRoot()) / 60)
                count += 1
            }
        }
        guard count > 0 else { return 0 }
        let raggedness = Double(rimCount) / Double(pixels.count).squareRoot()
        let edge = sum / Double(count)
        return edge * min(1, (8 / raggedness) * (8 / raggedness)) * (borderCount >= 4 ? 1 : 0.8)
    }
}

extension FingerShape {
    /// 0 … 1: how near its end is to a point that somebody tapped.
    func nearness(to point: Vector2, in picture: ReducedPicture) -> Double {
        let distance = (center - point).length / (0.03 * Double(picture.width))
        return exp(-0.5 * distance * distance / 5)
    }

    /// 0 … 1: how unlike the colours on both sides of the outline are, on average over the end and the sides.
    func contrast(in picture: ReducedPicture) -> Double {
        let across = Vector2(-direction.y, direction.x)
        var (sum, count) = (0.0, 0)
        func compare(_ origin: Vector2, _ normal: Vector2) {
            let outer = origin + (radius + 2) * normal
            guard picture.contains(outer) else { return }
            let difference = picture.color(origin + max(radius - 1.5, 0) * normal) - picture.color(outer)
            sum += min(1, Double((difference * difference).sum().squareRoot()) / 60)
            count += 1
        }
        for step in -6...6 {
            let turn = Double(step) * 15 * .pi / 180
            compare(center, cos(turn) * direction + sin(turn) * across)
        }
        for step in 1...5 {
            let place = center - Double(step) * 0.6 * radius * direction
            compare(place, across)
            compare(place, -across)
        }
        return count > 0 ? sum / Double(count) : 0
    }

    /// 0 … 1: how near the colours along its axis are to a skin's.
    func skinLikeness(in picture: ReducedPicture) -> Double {
        var sum: Float = 0
        for place in axis {
            let color = picture.color(place) + 8
            sum += SkinTone.likeness(redToGreen: logf(color.x / color.y), greenToBlue: logf(color.y / color.z))
        }
        return axis.isEmpty ? 0 : 0.1 + 0.9 * Double(sum) / Double(axis.count)
    }
}

/// The colours of skin: the logarithms of red to green and green to blue lie on a line from white, where skin is overexposed
/// or shines, over the usual (0.32, 0.2) to deep browns.
enum SkinTone {
    private static let usual = SIMD2<Float>(0.32, 0.2)

    /// 0 … 1; a little less near white.
    static func likeness(redToGreen: Float, greenToBlue: Float) -> Float {
        let color = SIMD2(redToGreen, greenToBlue)
        let part = min(max((color * usual).sum() / (usual * usual).sum(), 0.1), 1.8)
        let off = color - part * usual
        return expf(-0.5 * (off * off).sum() / (0.14 * 0.14)) * (0.6 + 0.4 * min(1, part / 0.4))
    }
}
