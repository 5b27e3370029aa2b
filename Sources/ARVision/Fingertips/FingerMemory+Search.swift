// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

extension FingerMemory {
    /// A fingertip that may be the one that is followed.
    struct Sight {
        /// How unlike it is to what is expected.
        var cost: Double
        var fingertip: Fingertip
        /// The hand as a whole, where it was drawn.
        var region: HandRegion?
        /// Whether nothing else need be looked at.
        var isClear = false
    }

    // MARK: Where it is expected

    /// The finger about where it is expected, if it is seen there; not looked for after it was lost.
    func nearSight(in image: ImageBuffer, minimumConfidence: Double) -> Sight? {
        guard lostCount == 0 else { return nil }
        let search = TipSearch(
            image, about: fingertip.center.vector + velocity, reach: Self.nearReach * radius, radius: radius,
            colors: endColors)
        let peak = search.best(pointing: fingertip.angle, turns: [0, -0.35, 0.35])
        guard peak.contrast >= Self.leastNearContrast,
            let seen = outline(at: peak).fingertip(
                fitted(at: peak, in: image, colors: endColors), in: image, colors: endColors, handColors: colors),
            seen.confidence >= minimumConfidence,
            abs(log(seen.radius / radius)) < Self.steadyRadius,
            seen.direction.dot(fingertip.direction) > Self.steadyDirection, !isStill(seen, in: image)
        else { return nil }
        return Sight(
            cost: cost(of: seen, contrast: peak.contrast), fingertip: seen,
            isClear: peak.contrast >= Self.clearContrast && seen.confidence >= Self.clearConfidence)
    }

    /// How far from where it is expected a finger is near, in its radii.
    private static let nearReach = 4.0
    /// A finger before other colours has nine tenths of the greatest contrast, a knuckle half.
    private static let clearContrast = 0.675 * TipSearch.greatestContrast
    private static let leastNearContrast = 0.5 * TipSearch.greatestContrast
    private static let clearConfidence = 0.55
    /// From one picture to the next a finger's radius changes by a factor whose logarithm is less than this …
    private static let steadyRadius = 0.25
    /// … and its direction by an angle of a greater cosine.
    private static let steadyDirection = 0.8

    /// The finger's outline where its shape was seen.
    private func outline(at peak: TipSearch.Peak) -> FingerOutline {
        var outline = FingerOutline(fingertip)
        (outline.center, outline.angle, outline.radius) = (peak.center, peak.angle, radius)
        outline.rememberedRadius = radius
        return outline
    }

    /// The same fitted to the end that the colours have, or `nil` where it does not stay there.
    private func fitted(at peak: TipSearch.Peak, in image: ImageBuffer, colors: HandColors) -> Fingertip? {
        outline(at: peak).fitted(to: image, colors: colors).flatMap {
            ($0.center.vector - peak.center).length < radius ? $0 : nil
        }
    }

    /// Whether what looks like a finger's end somewhere else was there when the finger was last seen: then it is a thing
    /// that does not move, a sunlit wall perhaps. What a finger left or came to has changed, in it or before it.
    private func isStill(_ seen: Fingertip, in image: ImageBuffer) -> Bool {
        (seen.center.vector - fingertip.center.vector).length > 2 * radius
            && seen.looksTheSame(in: image, as: lastPicture)
    }

    // MARK: Anywhere

    /// The likeliest fingertip anywhere in the picture, or `nil` where none is likely.
    func farSight(
        in picture: ReducedPicture, of image: ImageBuffer, near: Sight?, minimumConfidence: Double
    ) -> Sight? {
        let evidence = evidence(in: picture)
        lazy var hands = hands(cutting: evidence, at: 0, in: picture)
        func isPossible(_ seen: Fingertip) -> Bool {
            seen.confidence >= minimumConfidence && FingerOutline(seen).hasHandBehind(evidence, in: picture)
                && !isStill(seen, in: image)
        }
        let peaks = TipSearch(picture, evidence: evidence, radius: radius).peaks(
            pointing: fingertip.angle, turns: [0, -0.4, 0.4, -0.8, 0.8], atLeast: Self.leastContrast, limit: 4)
        var best = near
        for peak in peaks {
            // The hands are those of the same colours: beyond its end in these, a finger is in none of them.
            let fitted = fitted(at: peak, in: image, colors: colors)
            let end = fitted.map(FingerOutline.init) ?? outline(at: peak)
            guard end.hasHandBehind(evidence, in: picture),
                let seen = end.fingertip(fitted, in: image, colors: colors, handColors: colors), isPossible(seen)
            else { continue }
            let cost = cost(of: seen, contrast: peak.contrast)
            // A place in a hand makes none likelier: the hands need not be drawn for one that is less likely already.
            guard cost < best?.cost ?? .infinity, let drawback = drawback(of: end, among: hands, in: picture)
            else { continue }
            let sight = Sight(cost: cost + drawback, fingertip: seen)
            if best == nil, sight.cost < Self.costLimit, Self.isAlone(peak, among: peaks) { return sight }
            if sight.cost < best?.cost ?? .infinity { best = sight }
        }
        // Light changes and fast hands blur: where the even cut shows no finger, a stricter or a laxer one may.
        for threshold: Float in [0, 1, -1]
        where best?.cost ?? .infinity >= (threshold >= 0 ? Self.sureCost : Self.costLimit) {
            let sight = sight(
                among: threshold == 0 ? hands : self.hands(cutting: evidence, at: threshold, in: picture), in: picture,
                of: image, minimumConfidence: minimumConfidence, below: min(best?.cost ?? .infinity, Self.costLimit),
                isPossible: isPossible)
            if let sight, sight.cost < best?.cost ?? .infinity { best = sight }
        }
        return best.flatMap { $0.cost < Self.costLimit ? $0 : nil }
    }

    /// Whether a shape is seen very well, and no other nearly as well.
    private static func isAlone(_ peak: TipSearch.Peak, among peaks: [TipSearch.Peak]) -> Bool {
        peak.contrast > evidentContrast
            && peaks.allSatisfy { $0.center == peak.center || $0.contrast < peak.contrast - distinction }
    }

    private static let leastContrast = 0.55 * TipSearch.greatestContrast
    /// A finger that is seen so well, and better than all else by so much, is the one.
    private static let evidentContrast = 0.85 * TipSearch.greatestContrast
    private static let distinction = 0.15 * TipSearch.greatestContrast

    /// The evidence of a picture's pixels, less of those that have not changed since the finger was last seen and did not
    /// belong to its hand then.
    private func evidence(in picture: ReducedPicture) -> [Float] {
        var evidence = colors.evidence(of: picture)
        guard let before = lastReduced, let hand = handRegion(in: before) else { return evidence }
        let kinds = hand.kinds(width: picture.width, height: picture.height)
        for pixel in evidence.indices where kinds[pixel] == 0 && evidence[pixel] > -1 {
            let change = picture.color(at: pixel) - before.color(at: pixel)
            if (change * change).max() < Self.stillChange * Self.stillChange { evidence[pixel] -= 2 }
        }
        return evidence
    }

    /// The colour of what lies still changes by less than this in any channel.
    private static let stillChange: Float = 12

    /// The hand that ends in the fingertip where it was last seen, or `nil` where it runs together with what is larger than a hand.
    func handRegion(in picture: ReducedPicture) -> HandRegion? {
        let evidence = colors.evidence(of: picture)
        let place = picture.index(picture.point(fingertip.center))
        let region = HandRegion.all(
            of: evidence.mask(above: 0), width: picture.width, height: picture.height,
            minimumCount: HandGuesses.minimumCount(picture) / 2, limit: 1, expected: place
        ).first
        guard let region, !region.isTooLarge(for: picture), region.pixels.contains(Int32(place)) else { return nil }
        return region
    }

    // MARK: At the end of a hand

    /// What may be the hand that is followed, with its fingers.
    private struct Hand {
        var silhouette: HandSilhouette
        /// The way from the arm to each of the silhouette's pixels, in its units.
        var ways: [Int32]
        var fingers: [FingerShape]
        /// What it costs that the hand has another size: that changes slowly; what has another is something else, or the hand
        /// grown together with it.
        var sizeDrawback: Double
        /// The longest way to one of its fingers' ends.
        var farthest: Double
    }

    /// The hands that are left where the evidence exceeds a threshold.
    private func hands(cutting evidence: [Float], at threshold: Float, in picture: ReducedPicture) -> [Hand] {
        let expected = picture.point(PixelPoint(fingertip.center.vector + velocity))
        return HandSilhouette.all(
            of: evidence.mask(above: threshold), width: picture.width, height: picture.height,
            minimumCount: HandGuesses.minimumCount(picture) / 2, limit: Self.regionLimit,
            expected: picture.index(expected)
        )
        .filter { !$0.isTooLarge(for: picture) }
        .map { silhouette in
            let silhouette = silhouette.smoothed(width: picture.width, height: picture.height) ?? silhouette
            // Where the finger was is known: more ends than those of branches would only be more to mistake for it.
            let ways = silhouette.ways(width: picture.width, height: picture.height)
            let fingers = silhouette.branchFingers(ways: ways, width: picture.width, height: picture.height)
            let growth = log(silhouette.region.area(in: picture) / handArea) / 0.5
            return Hand(
                silhouette: silhouette, ways: ways, fingers: fingers, sizeDrawback: min(0.5 * growth * growth, 3),
                farthest: fingers.map(\.way).max() ?? 1)
        }
    }

    /// What a finger's place in its hand costs: the index is the finger whose end is farthest from the arm.
    private func drawback(way: Double, in hand: Hand) -> Double {
        hand.sizeDrawback + Double(3 + 4 * min(lostCount, 2)) * max(1 - way / hand.farthest, 0)
    }

    /// The same of a finger that was seen by its shape alone, by the end that its colours have; `nil` if it is none of a hand's.
    private func drawback(of end: FingerOutline, among hands: [Hand], in picture: ReducedPicture) -> Double? {
        let base = picture.index(picture.point(PixelPoint(end.center - end.radius * end.direction)))
        for hand in hands {
            guard let index = hand.silhouette.index(of: Int32(base)) else { continue }
            let way = Double(hand.ways[index]) / Double(HandSilhouette.unitsPerPixel)
            return drawback(way: way + 2 * end.radius / Double(picture.factor), in: hand)
        }
        return nil
    }

    /// The likeliest finger of some hands; only those are looked at whose rough shape, with its place in the hand, costs
    /// less than a limit: one that only fitting makes likely is passed over.
    private func sight(
        among hands: [Hand], in picture: ReducedPicture, of image: ImageBuffer, minimumConfidence: Double,
        below limit: Double, isPossible: (Fingertip) -> Bool
    ) -> Sight? {
        let candidates = candidates(in: hands, of: picture).prefix(3).prefix { $0.cost < limit }
        return candidates.compactMap { candidate -> Sight? in
            let outline = FingerOutline(candidate.shape, in: picture)
            guard
                let seen = outline.fingertip(
                    fitted(outline, to: image, minimumConfidence: minimumConfidence), in: image, colors: colors,
                    handColors: colors), isPossible(seen)
            else { return nil }
            let contrast = TipSearch(
                image, about: seen.center.vector, reach: 0, radius: seen.radius, colors: colors
            ).best(pointing: seen.angle, turns: [0]).contrast
            guard contrast > Self.leastNearContrast else { return nil }
            let motion = motion(of: candidate.silhouette.region, in: picture)
            return Sight(
                cost: cost(of: seen, contrast: contrast, handMotion: motion) + candidate.drawback, fingertip: seen,
                region: candidate.silhouette.region)
        }.min { $0.cost < $1.cost }
    }

    /// The hand is among the largest regions of the hand's colours.
    private static let regionLimit = 3

    /// The outline fitted near the radius that is remembered, or, where it differs much or is not seen so, with any.
    private func fitted(_ outline: FingerOutline, to image: ImageBuffer, minimumConfidence: Double) -> Fingertip? {
        var outline = outline
        if abs(log(outline.radius / radius)) < Self.similarRadius {
            outline.rememberedRadius = radius
            if let seen = outline.fitted(to: image, colors: colors), seen.confidence >= minimumConfidence {
                return seen
            }
            outline.rememberedRadius = nil
        }
        return outline.fitted(to: image, colors: colors)
    }

    /// A radius that differs by a factor with a greater logarithm is not held near the one that is remembered.
    private static let similarRadius = 0.7

    /// A finger of a silhouette, and how unlike it is to what is expected.
    private struct Candidate {
        var cost: Double
        /// The part of the cost that speaks of the finger's place in its hand.
        var drawback: Double
        var shape: FingerShape
        var silhouette: HandSilhouette
    }

    /// The fingers of the hands, the one most like what is expected first.
    private func candidates(in hands: [Hand], of picture: ReducedPicture) -> [Candidate] {
        hands.flatMap { hand in
            let motion = motion(of: hand.silhouette.region, in: picture)
            return hand.fingers.map { finger in
                let drawback = drawback(way: finger.way, in: hand)
                let cost = cost(
                    center: picture.pixel(finger.center).vector, direction: finger.direction,
                    width: finger.radius * Double(picture.factor), handMotion: motion)
                return Candidate(
                    cost: cost + drawback, drawback: drawback, shape: finger, silhouette: hand.silhouette)
            }
        }
        .sorted { $0.cost < $1.cost }
    }

    /// How far the fingertip moved if it moved with the hand's middle.
    private func motion(of hand: HandRegion, in picture: ReducedPicture) -> Vector2 {
        picture.pixel(hand.centroid).vector + tipFromHand - fingertip.center.vector
    }
}

extension FingerOutline {
    /// Whether the evidence for a hand goes on behind the finger, from four to ten of its radii, straight or in a bend.
    fileprivate func hasHandBehind(_ evidence: [Float], in picture: ReducedPicture) -> Bool {
        [-0.12, -0.06, 0, 0.06, 0.12].contains { bend in
            var (place, angle) = (picture.point(PixelPoint(center)), angle + .pi)
            var (sum, count) = (Float(0), 0)
            for step in 1...10 {
                place += radius / Double(picture.factor) * Vector2(cos(angle), sin(angle))
                angle += bend
                guard picture.contains(place) else { break }
                guard step > 3 else { continue }
                sum += min(max(evidence[picture.index(place)], -2), 2)
                count += 1
            }
            // A finger that the picture's border cuts off may belong to a hand.
            return count == 0 || sum > 0.5 * Float(count)
        }
    }
}
