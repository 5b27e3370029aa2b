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
        let (width, height) = (picture.width, picture.height)
        let smoothness = Self.roughness(of: picture)
        let smooth = (0..<picture.count).map { typical[$0] - smoothness[$0] / 8 }
        planes = [typical, ratio, blueless, bright, smooth].map { $0.averagedOverThree(width: width, height: height) }
    }

    /// How much the green of neighbours differs, averaged over 7 × 7 pixels.
    private static func roughness(of picture: ReducedPicture) -> [Float] {
        var plane = [Float](repeating: 0, count: picture.count)
        for pixel in picture.width..<picture.count where pixel % picture.width > 0 {
            let here = Float(picture.bytes[3 * pixel + 1])
            let across = abs(here - Float(picture.bytes[3 * (pixel - 1) + 1]))
            plane[pixel] = across + abs(here - Float(picture.bytes[3 * (pixel - picture.width) + 1]))
        }
        for _ in 0..<3 { plane = plane.averagedOverThree(width: picture.width, height: picture.height) }
        return plane
    }

    /// The shares of the picture that a cut leaves.
    private static let shares = [0.03, 0.05, 0.075, 0.1, 0.13, 0.17, 0.22, 0.28, 0.36]

    /// The least number of pixels of a hand.
    static func minimumCount(_ picture: ReducedPicture) -> Int { picture.count / 150 }

    /// The best guesses, at most one for the same place of the fingertip.
    func best(_ limit: Int) -> [HandGuess] {
        var guesses: [HandGuess] = []
        for plane in planes {
            let sorted = stride(from: 0, to: plane.count, by: 7).map { plane[$0] }.sorted(by: >)
            for share in Self.shares {
                let threshold = sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
                let silhouettes = HandSilhouette.all(
                    width: picture.width, height: picture.height, minimumCount: Self.minimumCount(picture)
                ) { plane[$0] > threshold }
                guesses += silhouettes.prefix(6).compactMap { Self.guess(from: $0, in: picture, near: point) }
            }
        }
        // What is a hand's outline stays where it is from cut to cut: guesses that agree speak for one another.
        var kept: [(guess: HandGuess, votes: [Double])] = []
        for guess in guesses.sorted(by: { $0.score > $1.score }) {
            let same = kept.firstIndex {
                ($0.guess.finger.center - guess.finger.center).length < 2 * guess.finger.radius
            }
            if let same { kept[same].votes.append(guess.score) } else { kept.append((guess, [guess.score])) }
        }
        return kept.map { kept in
            var guess = kept.guess
            guess.score = kept.votes.prefix(4).reduce(0, +) / 4
            return guess
        }
        .sorted { $0.score > $1.score }.prefix(limit).map { $0 }
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
        let foremost = max(silhouette.advance(along: arm, width: picture.width), 1e-9)
        // Of a hand's fingers, the index reaches farthest; how sharply it is seen does not count here.
        let rated = zip(fingers, advances).map { finger, advance in
            let (way, advance) = (finger.way / farthest, max(advance, 0) / foremost)
            let reach = point.map { finger.nearness(to: $0, in: picture) } ?? way * way * pow(advance, 4)
            let shape = min(1, (finger.length / finger.radius - 1) / 3)
            // A palm is four to five times as wide as a finger.
            let proportion = log(silhouette.depth / finger.radius / 4) / 0.6
            return (finger: finger, rating: reach * shape * exp(-0.5 * proportion * proportion))
        }
        guard let index = rated.max(by: { $0.rating < $1.rating }) else { return nil }
        let sight = index.finger.contrast(in: picture) * index.finger.skinLikeness(in: picture)
        return HandGuess(
            silhouette: silhouette, finger: index.finger,
            score: size * index.rating * sight * silhouette.handLikeness(in: picture))
    }
}

extension HandSilhouette {
    /// How far its pixels reach from its root along a direction, times that direction's length.
    func advance(along direction: Vector2, width: Int) -> Double {
        pixels.reduce(0) {
            max($0, (Vector2(Double(Int($1) % width), Double(Int($1) / width)) - root).dot(direction))
        }
    }

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
        // Skin is smooth; earth, leaves and cloth are not.
        var (roughness, pairs) = (0.0, 0)
        for pixel in pixels where Int(pixel) % width >= 2 && inside[Int(pixel) - 2] {
            let (a, b) = (Int(pixel) * 3, (Int(pixel) - 2) * 3)
            roughness += abs(Double(picture.bytes[a + 1]) - Double(picture.bytes[b + 1]))
            pairs += 1
        }
        let texture = roughness / Double(max(pairs, 1))
        let raggedness = Double(rimCount) / Double(pixels.count).squareRoot()
        let edge = sum / Double(count)
        return edge * min(1, pow(7.5 / raggedness, 4)) / (1 + pow(texture / 14, 2)) * (borderCount >= 4 ? 1 : 0.8)
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
