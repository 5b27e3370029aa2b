// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// A region taken for a hand, drawn from the colours and the texture that it and its surroundings have in this picture.
struct PointingHand: Sendable {
    let silhouette: HandSilhouette
    let colors: HandColors
    let likeness: Double

    /// The hand that a guess is a part of, or nearly is.
    ///
    /// What the guess shows of the hand's colours is looked for in the whole picture; the region that has most of the guess is
    /// the next guess, if most of the smaller of the two lies in the other.
    init(_ guess: HandSilhouette, in picture: ReducedPicture) {
        var silhouette = guess
        var colors = HandColors(picture, silhouette: guess)
        for _ in 0..<Self.refinements {
            let evidence = colors.evidence(of: picture)
            let silhouettes = HandSilhouette.all(
                of: evidence.mask(above: 0), width: picture.width, height: picture.height,
                minimumCount: HandGuesses.minimumCount(picture))
            guard
                let next = silhouettes.map({ (silhouette: $0, common: $0.commonCount(with: silhouette)) })
                    .max(by: { $0.common < $1.common }), !next.silhouette.isTooLarge(for: picture),
                2 * next.common > min(silhouette.pixels.count, next.silhouette.pixels.count)
            else { break }
            silhouette = next.silhouette
            colors = HandColors(picture, silhouette: silhouette)
        }
        self.silhouette = silhouette.smoothed(width: picture.width, height: picture.height) ?? silhouette
        self.colors = colors
        likeness = self.silhouette.handLikeness(in: picture)
    }

    private static let refinements = 3

    /// A finger and how much, from 0 to 1, it is the hand's index.
    struct RatedFinger: Sendable {
        var finger: FingerShape
        var rating: Double
    }

    /// The fingers, the likeliest index first; where a point was tapped, those that end near it, the nearest first.
    ///
    /// Of a hand's fingers the index reaches farthest along the arm and has the longest way from it, bent or stretched; the thumb
    /// springs from beside the palm and reaches less far.
    func fingers(in picture: ReducedPicture, near point: Vector2?) -> [RatedFinger] {
        let fingers = silhouette.fingers(width: picture.width, height: picture.height)
            .filter { finger in
                picture.contains(finger.center + 1.6 * finger.radius * finger.direction)
                    && point.map { finger.isNear($0, in: picture) } ?? true
            }
        guard let farthest = fingers.map(\.way).max() else { return [] }
        let arm = arm(fingers)
        let foremost = max(silhouette.advance(along: arm, width: picture.width), 1e-9)
        return fingers.map { finger in
            let (way, advance) = (finger.way / farthest, max((finger.center - silhouette.root).dot(arm), 0) / foremost)
            let reach = point.map { finger.nearness(to: $0, in: picture) } ?? way * way * pow(advance, 4)
            let shape = min(1, (finger.length / finger.radius - 1) / 2)
            // A palm is two and a half times to eight times as wide as a finger's end.
            let proportion = max(abs(log(silhouette.depth / finger.radius / 4.5)) - 0.6, 0) / 0.4
            return RatedFinger(finger: finger, rating: reach * shape * exp(-0.5 * proportion * proportion))
        }
        .sorted { $0.rating > $1.rating }
    }
}

extension PointingHand {
    /// Where the arm points: from where it comes in to the hand's middle; where a sleeve hides it, away from the stump of the
    /// wrist, which is wider than the fingers, or, where none is seen, from the palm to the fingers.
    private func arm(_ fingers: [FingerShape]) -> Vector2 {
        guard silhouette.armCount < 4 else { return silhouette.centroid - silhouette.root }
        let middle = fingers.reduce(Vector2.zero) { $0 + $1.center } / Double(fingers.count)
        let widths = fingers.map(\.radius).sorted()
        guard let widest = fingers.max(by: { $0.radius < $1.radius }), fingers.count > 1,
            widest.radius > 1.5 * widths[(fingers.count - 1) / 2]
        else { return middle - silhouette.root }
        return silhouette.root - widest.center
    }
}

extension HandSilhouette {
    /// How far its pixels reach from its root along a direction, times that direction's length.
    func advance(along direction: Vector2, width: Int) -> Double {
        pixels.reduce(0) {
            max($0, (Vector2(Double(Int($1) % width), Double(Int($1) / width)) - root).dot(direction))
        }
    }
}

extension HandColors {
    /// The colours of a silhouette, and of what is not next to it.
    init(_ picture: ReducedPicture, silhouette: HandSilhouette) {
        let kinds = silhouette.region.kinds(width: picture.width, height: picture.height)
        self.init(picture) { kinds[$0] == 2 ? nil : kinds[$0] == 1 }
    }
}

extension FingerShape {
    /// 0 … 1: how near its end is to a point that somebody tapped.
    fileprivate func nearness(to point: Vector2, in picture: ReducedPicture) -> Double {
        let distance = (center - point).length / (Self.tapSpread * Double(picture.width))
        return exp(-0.5 * distance * distance)
    }

    /// Whether somebody who tapped a point may have meant its end.
    fileprivate func isNear(_ point: Vector2, in picture: ReducedPicture) -> Bool {
        (center - point).length <= Self.tapReach * Double(picture.width) + radius
    }

    /// The standard deviation of taps from the finger's end that is meant, in widths of the picture: about a thumb's print on a
    /// phone that shows it.
    private static let tapSpread = 0.067
    /// Whoever taps farther from the rounded end than this, in widths of the picture, means something else: a knuckle or the palm.
    private static let tapReach = 0.08
}
