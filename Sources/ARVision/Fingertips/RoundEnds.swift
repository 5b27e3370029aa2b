// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A place where a silhouette ends in a ball with a shaft behind it, in the pixels of the reduced picture.
struct RoundEnd: Sendable {
    /// The ball's centre.
    var center: Vector2
    /// Where it points, of unit length.
    var direction: Vector2
    var radius: Double
    /// −1 … 1: the part of the shaft's places that lie inside the silhouette, less that of the places about the ball and
    /// beside the shaft that do.
    var contrast: Double
}

/// Looks for the round ends of a silhouette.
///
/// A place is a ball's centre if the largest disc about it inside the silhouette is bordered by the outside on the half circle before it
/// and on either side of the shaft behind it. The disc's radius is the place's depth, so that no size is tried in vain, and only places
/// on the ridges of the depths are: a disc about another place lies in one of theirs.
/// - Reference: Blum 1967, "A transformation for extracting new descriptors of shape" (the medial axis).
struct RoundEndSearch {
    private let silhouette: HandSilhouette
    private let width: Int
    private let height: Int
    /// The depth of each pixel of the picture, in units of the silhouette; 0 outside.
    private let depths: [Int32]

    init(_ silhouette: HandSilhouette, depths: [Int32], width: Int, height: Int) {
        self.silhouette = silhouette
        self.width = width
        self.height = height
        self.depths = depths
    }

    /// The ends, the clearest first, each at least the larger one's diameter from the others; at most ``endLimit``.
    func ends() -> [RoundEnd] {
        let unit = Double(HandSilhouette.unitsPerPixel)
        var all: [RoundEnd] = []
        for pixel in silhouette.pixels where isRidge(Int(pixel)) {
            let radius = Double(depths[Int(pixel)]) / unit - Self.rimDepth
            guard radius >= Self.leastRadius, radius <= Self.largestPart * silhouette.depth else { continue }
            let center = Vector2(Double(Int(pixel) % width), Double(Int(pixel) / width))
            if let end = bestEnd(at: center, radius: radius) { all.append(end) }
        }
        var kept: [RoundEnd] = []
        for end in all.sorted(by: { $0.worth > $1.worth }) where kept.count < Self.endLimit {
            if kept.allSatisfy({ ($0.center - end.center).length > 2 * max($0.radius, end.radius) }) {
                kept.append(end)
            }
        }
        return kept
    }

    /// Whether the depth falls on two opposite sides, or does not grow: no neighbour's disc holds that of the pixel.
    private func isRidge(_ pixel: Int) -> Bool {
        let (x, y, depth) = (pixel % width, pixel / width, depths[pixel])
        guard x > 0, y > 0, x < width - 1, y < height - 1 else { return false }
        return [1, width, width + 1, width - 1].contains { depth >= depths[pixel - $0] && depth >= depths[pixel + $0] }
    }

    /// The end with a ball there, or `nil`. Turned a little, its places still lie on the same sides of the outline, so that
    /// several directions are as clear as the best, but for one place: it points to their middle, which favours no side.
    private func bestEnd(at center: Vector2, radius: Double) -> RoundEnd? {
        let contrasts = Self.directions.indices.map {
            share(Self.inside[$0], about: center, radius: radius)
                - share(Self.outside[$0], about: center, radius: radius)
        }
        guard let best = contrasts.max(), best >= Self.leastContrast else { return nil }
        let sum = zip(Self.directions, contrasts).reduce(Vector2.zero) { sum, next in
            next.1 >= best - Self.placeWorth ? sum + next.0 : sum
        }
        // What is as clear to opposite sides points nowhere.
        guard sum.length > 0.5 else { return nil }
        return RoundEnd(center: center, direction: sum / sum.length, radius: radius, contrast: best)
    }

    /// The part of the places about a ball that lie inside the silhouette.
    private func share(_ places: [Vector2], about center: Vector2, radius: Double) -> Double {
        var (inside, count) = (0, 0)
        for place in places {
            let point = center + radius * place + 0.5
            guard point.x >= 0, point.y >= 0, point.x < Double(width), point.y < Double(height) else { continue }
            let (x, y) = (Int(point.x), Int(point.y))
            count += 1
            if depths[y * width + x] > 0 { inside += 1 }
        }
        // Of what is mostly beyond the picture's border nothing is known.
        return 2 * count >= places.count ? Double(inside) / Double(count) : 0.5
    }

    /// A ball of fewer pixels is round as any spot is.
    private static let leastRadius = 2.0
    /// One place in four may be on the wrong side: silhouettes are rough, and fingers touch others.
    private static let leastContrast = 0.75
    /// A finger's radius is a fifth of the palm's; the palm is two thirds hidden where the picture cuts it off.
    private static let largestPart = 0.7
    /// A hand has five fingers and some knuckles.
    private static let endLimit = 12
    /// The depth of a pixel in the middle of an odd number of them is half a pixel more than half the width, of an even
    /// number just half of it: a quarter too much in the mean.
    static let rimDepth = 0.25

    private static let directions: [Vector2] = (0..<24).map {
        let angle = Double($0) * .pi / 12
        return Vector2(cos(angle), sin(angle))
    }
    /// What one of the places outside counts: those of the shaft count more, and behind a hook's end they lie in the link before it.
    private static let placeWorth = 1.0 / 26 + 1e-9
    /// Places of the shaft, as far as a finger's last link reaches when it is seen from its end.
    private static let inside = directions.map { direction in
        turned(direction, [1.0, 1.4, 1.8, 2.2].flatMap { back in [-0.4, 0, 0.4].map { Vector2(-back, $0) } })
    }
    /// Places on two arcs before the ball, and on either side of its shaft.
    private static let outside = directions.map { direction in
        turned(
            direction,
            arc(radius: 1.25, steps: 4, of: .pi / 12) + arc(radius: 1.5, steps: 5, of: .pi / 10)
                + [0.6, 1.2, 1.8].flatMap { back in [-1.6, 1.6].map { Vector2(-back, $0) } })
    }

    private static func arc(radius: Double, steps: Int, of turn: Double) -> [Vector2] {
        (-steps...steps).map { radius * Vector2(cos(Double($0) * turn), sin(Double($0) * turn)) }
    }

    private static func turned(_ direction: Vector2, _ places: [Vector2]) -> [Vector2] {
        let across = Vector2(-direction.y, direction.x)
        return places.map { $0.x * direction + $0.y * across }
    }
}

extension RoundEnd {
    /// What is as clear and larger is the less likely a rough spot.
    fileprivate var worth: Double { contrast + 0.02 * log(radius) }
}
