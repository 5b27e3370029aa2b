// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// What is known of a finger that was seen.
struct FingerMemory: Sendable {
    private(set) var colors: HandColors
    private(set) var fingertip: Fingertip
    /// The finger's radius, smoothed: it changes slowly.
    private var radius: Double
    /// How many pixels of the reduced picture the hand fills, smoothed; `nil` before it was seen as a whole.
    private var handCount: Double?
    /// The middle of the hand in the last picture in which it was seen as a whole.
    private var handCenter: Vector2?
    /// Pixels from the last picture to the next one, as far as they can be told.
    private var velocity = Vector2.zero
    /// In how many pictures running its outline was seen without a hand behind it.
    private var outlineOnlyCount = 0
    /// In how many pictures it was not seen since.
    private(set) var lostCount = 0

    init(_ hand: FoundHand) {
        colors = hand.colors
        fingertip = hand.fingertip
        radius = hand.fingertip.radius
    }

    /// The finger in the next picture; what is remembered moves on to it.
    mutating func follow(in image: ImageBuffer, minimumConfidence: Double) -> Fingertip? {
        let picture = ReducedPicture(image, maximumWidth: FingertipFinder.reducedWidth)
        let evidence = colors.evidence(of: picture)
        var best: Sight?
        // Light changes and fast hands blur: where the even cut shows no finger, a stricter or a laxer one may.
        for threshold: Float in [0, 1, -1] {
            best = sight(cutting: evidence, at: threshold, in: picture, of: image, minimumConfidence: minimumConfidence)
            if best != nil { break }
        }
        guard let best else {
            lostCount += 1
            return nil
        }
        let motion = best.fingertip.center.vector - fingertip.center.vector
        velocity = lostCount == 0 ? 0.6 * motion : .zero
        fingertip = best.fingertip
        radius += 0.15 * (fingertip.radius - radius)
        lostCount = 0
        outlineOnlyCount = best.silhouette == nil ? outlineOnlyCount + 1 : 0
        handCenter = nil
        if let silhouette = best.silhouette {
            handCenter = picture.pixel(silhouette.centroid).vector
            let count = Double(silhouette.pixels.count)
            handCount = handCount.map { $0 + 0.2 * (count - $0) } ?? count
        }
        if let silhouette = best.silhouette, best.fingertip.confidence >= 0.7 {
            let kinds = silhouette.kinds(width: picture.width, height: picture.height)
            colors.learn(picture, rate: 0.08) { kinds[$0] == 2 ? nil : kinds[$0] == 1 }
        }
        return fingertip
    }

    /// A fingertip that may be the one that is followed.
    private struct Sight {
        var cost: Double
        var fingertip: Fingertip
        var silhouette: HandSilhouette?
    }

    /// The likeliest fingertip where the evidence exceeds a threshold.
    private func sight(
        cutting evidence: [Float], at threshold: Float, in picture: ReducedPicture, of image: ImageBuffer,
        minimumConfidence: Double
    ) -> Sight? {
        let expected = picture.point(PixelPoint(fingertip.center.vector + velocity))
        let silhouettes = HandSilhouette.all(
            width: picture.width, height: picture.height, minimumCount: HandGuesses.minimumCount(picture) / 2,
            limit: HandGuesses.regionLimit, expected: picture.index(expected)
        ) { evidence[$0] > threshold }
        .filter { !$0.isTooLarge(for: picture) }
        .map { $0.smoothed(width: picture.width, height: picture.height) ?? $0 }
        var best: Sight?
        for candidate in candidates(in: silhouettes, of: picture).prefix(3) {
            var outline = FingerOutline(candidate.shape, in: picture)
            if abs(log(outline.radius / radius)) < Self.steadyRadius { outline.rememberedRadius = radius }
            var sight = outline.fitted(to: image, colors: colors)
            if sight?.confidence ?? 0 < minimumConfidence, outline.rememberedRadius != nil {
                outline.rememberedRadius = nil
                sight = outline.fitted(to: image, colors: colors)
            }
            guard let seen = sight, seen.confidence >= minimumConfidence else { continue }
            let cost =
                cost(of: seen, in: candidate.silhouette, of: picture) + 3 * (1 - seen.confidence) + candidate.drawback
            if cost < best?.cost ?? Self.costLimit {
                best = Sight(cost: cost, fingertip: seen, silhouette: candidate.silhouette)
            }
        }
        // Where the silhouette runs together with something, the outline itself may still be seen.
        if best?.cost ?? .infinity > 3, lostCount == 0, outlineOnlyCount < 2 {
            var moved = fingertip
            moved.tip = PixelPoint(moved.tip.vector + velocity)
            var outline = FingerOutline(moved)
            outline.rememberedRadius = radius
            if let seen = outline.fitted(to: image, colors: colors), seen.confidence >= 0.6 {
                let cost = cost(of: seen) + 3 * (1 - seen.confidence)
                if cost < best?.cost ?? Self.costLimit { best = Sight(cost: cost, fingertip: seen) }
            }
        }
        return best
    }

    private static let costLimit = 7.0
    /// A finger's radius changes from picture to picture by a factor whose logarithm is less than this.
    private static let steadyRadius = 0.7

    /// A finger of a silhouette, and how unlike it is to what is expected.
    private struct Candidate {
        var cost: Double
        /// The part of the cost that speaks of the finger's place in its hand.
        var drawback: Double
        var shape: FingerShape
        var silhouette: HandSilhouette
    }

    /// The fingers of the silhouettes, the one most like what is expected first.
    private func candidates(in silhouettes: [HandSilhouette], of picture: ReducedPicture) -> [Candidate] {
        var candidates: [Candidate] = []
        for silhouette in silhouettes {
            let fingers = silhouette.fingers(width: picture.width, height: picture.height)
            let farthest = fingers.map(\.way).max() ?? 1
            // The hand's size changes slowly; what has another is something else, or the hand grown together with it.
            let growth = handCount.map { log(Double(silhouette.pixels.count) / $0) / 0.5 } ?? 0
            let other = min(0.5 * growth * growth, 3)
            for finger in fingers {
                // The index is the finger whose end is farthest from the arm.
                let drawback = other + Double(3 + 4 * min(lostCount, 2)) * (1 - finger.way / farthest)
                candidates.append(
                    Candidate(
                        cost: cost(of: finger, in: silhouette, of: picture) + drawback, drawback: drawback,
                        shape: finger,
                        silhouette: silhouette))
            }
        }
        return candidates.sorted { $0.cost < $1.cost }
    }

    private func cost(of shape: FingerShape, in silhouette: HandSilhouette, of picture: ReducedPicture) -> Double {
        cost(
            center: picture.pixel(shape.center).vector, direction: shape.direction,
            width: shape.radius * Double(picture.factor), handMotion: motion(of: silhouette, in: picture))
    }

    private func cost(of seen: Fingertip, in silhouette: HandSilhouette, of picture: ReducedPicture) -> Double {
        cost(
            center: seen.center.vector, direction: seen.direction, width: seen.radius,
            handMotion: motion(of: silhouette, in: picture))
    }

    private func cost(of seen: Fingertip) -> Double {
        cost(center: seen.center.vector, direction: seen.direction, width: seen.radius, handMotion: nil)
    }

    /// How far the hand's middle moved since the last picture, where both show it.
    private func motion(of silhouette: HandSilhouette, in picture: ReducedPicture) -> Vector2? {
        handCenter.map { picture.pixel(silhouette.centroid).vector - $0 }
    }

    /// How unlike the finger is to what is expected: half the squares of its distances in standard deviations, each limited.
    ///
    /// A finger moves on as before, or as its hand does.
    private func cost(center: Vector2, direction: Vector2, width: Double, handMotion: Vector2?) -> Double {
        let patience = Double(1 + lostCount)
        let motion = center - fingertip.center.vector
        let distance = min((motion - velocity).length, (motion - (handMotion ?? velocity)).length)
        let far = distance / (radius + 0.8 * velocity.length) / patience.squareRoot()
        let turned = acos(min(max(direction.dot(fingertip.direction), -1), 1)) / 0.45 / patience.squareRoot()
        let wider = log(width / radius) / 0.3 / patience.squareRoot()
        // What appears elsewhere must at least be as wide.
        let isOther = far > 3 && abs(wider) > 1.5
        return min(0.5 * far * far, Self.farLimit) + min(0.5 * turned * turned, 3) + min(0.5 * wider * wider, 4)
            + (isOther ? 5 : 0)
    }

    /// What lies anywhere else must be the finger in all other respects.
    private static let farLimit = 6.0
}
