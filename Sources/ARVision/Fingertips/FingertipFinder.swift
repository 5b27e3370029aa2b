// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// Finds a pointing index finger's end in a single colour picture.
///
/// A hand is a smooth region of similar colour that comes in over the picture's border or out of a sleeve. Regions are taken
/// from cuts through the picture at many levels of several measures of colour and smoothness; from the most hand-like of them
/// the hand's own colours and texture and those about it are learnt, and the hand is drawn again. Of its fingers, the one that
/// reaches farthest from the arm is the index; its outline is fitted to the picture.
public struct FingertipFinder: Sendable {
    /// The least confidence of a fingertip that is reported.
    public var minimumConfidence: Double

    /// A finder.
    public init(minimumConfidence: Double = 0.5) { self.minimumConfidence = minimumConfidence }

    /// The index fingertip in a picture of format `rgb8`, or `nil`.
    public func find(in image: ImageBuffer) -> Fingertip? { findHand(in: image)?.fingertip }

    /// The index fingertip with the colours of its hand; near a pixel, where one is given.
    func findHand(in image: ImageBuffer, near pixel: PixelPoint? = nil) -> FoundHand? {
        guard min(image.size.width, image.size.height) >= Self.leastSide else { return nil }
        let exposure = Exposure(of: image)
        let image = exposure.applied(to: image)
        let picture = ReducedPicture(image, maximumWidth: Self.reducedWidth)
        let point = pixel.map(picture.point)
        var hands: [PointingHand] = []
        for guess in HandGuesses(picture, near: point).best(Self.guessLimit) {
            let hand = PointingHand(guess, in: picture)
            if hands.allSatisfy({ $0.silhouette.overlap(with: hand.silhouette) < 0.95 }) { hands.append(hand) }
        }
        // Of two that share a good part, one is a piece of the hand, or the hand grown together with something.
        var found: [(hand: PointingHand, tip: FoundHand)] = []
        let candidates = hands.compactMap { hand in
            hand.fingertip(in: picture, of: image, near: point, exposure: exposure).map { (hand: hand, tip: $0) }
        }
        for next in candidates.sorted(by: { $0.tip.standing > $1.tip.standing })
        where found.allSatisfy({
            2 * $0.hand.silhouette.commonCount(with: next.hand.silhouette) < next.hand.silhouette.pixels.count
        }) {
            found.append(next)
        }
        guard let best = found.map(\.tip).max(by: { $0.score < $1.score }),
            best.fingertip.confidence >= minimumConfidence,
            pixel != nil
                || best.score >= Self.leastScore
                    && best.fingertip.radius >= Self.leastPart * Double(max(image.size.width, image.size.height))
        else { return nil }
        return best
    }

    static let reducedWidth = 320
    /// In a picture that is narrower or lower than this a hand's fingers are no wider than a pixel or two.
    private static let leastSide = 32
    private static let guessLimit = 5
    /// Less like a hand is no hand: of pictures with hands none that was found right had less than 0.15, of those without a third of
    /// the false ones had less than 0.135.
    private static let leastScore = 0.14
    /// The least radius, in parts of the picture's longer side, of a finger that is found without a tap. No hand of whoever holds
    /// the camera points farther away than 0.75 m, where a finger's end of 7.5 mm radius is so wide if the focal length is three
    /// quarters of that side. The picture's own focal length is not asked for: through a longer lens farther hands pass.
    private static let leastPart = 0.0075
}

/// A hand whose index finger's end is known.
struct FoundHand: Sendable {
    var fingertip: Fingertip
    /// As they are in the picture times the exposure's gain.
    var colors: HandColors
    /// What the picture was multiplied by before it was judged.
    var exposure: Exposure
    /// How many square pixels of the picture the hand fills.
    var area: Double
    /// The hand's middle.
    var middle: PixelPoint
    /// 0 … 1: how surely there is a hand that points with this finger.
    var score: Double
    /// How much it counts against other readings of the same place: more by the hand, and how much of it is seen, than by the
    /// finger, since a part of a hand with the thumb alone may point as well.
    var standing: Double
}

extension PointingHand {
    /// The end of the hand's index, its outline fitted, or `nil` where no finger's outline is seen.
    fileprivate func fingertip(
        in picture: ReducedPicture, of image: ImageBuffer, near point: Vector2?, exposure: Exposure
    ) -> FoundHand? {
        for rated in fingers(in: picture, near: point).prefix(3) {
            let outline = FingerOutline(rated.finger, in: picture)
            let fits = Self.endParts.compactMap { outline.end($0).fitted(to: image, colors: colors) }
            let surest = fits.map(\.confidence).max() ?? 0
            guard surest >= Self.leastConfidence,
                let fingertip = fits.filter({ $0.confidence >= surest - Self.confidenceNoise })
                    .min(by: { $0.radius < $1.radius })?.continued(in: image, colors: colors, handColors: colors)
            else { continue }
            return FoundHand(
                fingertip: fingertip, colors: colors, exposure: exposure, area: silhouette.region.area(in: picture),
                middle: picture.pixel(silhouette.centroid), score: likeness * rated.rating * fingertip.confidence,
                standing: likeness * pow(rated.rating, 0.25)
                    * (Double(silhouette.pixels.count) / Double(picture.count)).squareRoot())
        }
        return nil
    }

    /// A bent finger is wider at its bend than at its end, and a circle about both may fit as well as the end's own: of
    /// fits that begin with these parts of the width, the narrowest counts that is …
    private static let endParts = [1, 0.7, 0.5]
    /// … as sure as the others, but for so much.
    private static let confidenceNoise = 0.1
    /// A finger whose outline is less sure is not seen, and the next one may be the index.
    private static let leastConfidence = 0.4
}
