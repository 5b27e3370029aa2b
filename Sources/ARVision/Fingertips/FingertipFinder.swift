// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// Finds a pointing index finger's end in a single colour picture.
///
/// A hand is a region of similar colour that comes in over the picture's border or out of a sleeve, and ends in a finger:
/// a long protrusion with near-parallel sides. Regions are taken from cuts through the picture at many levels of
/// several measures of colour; in each that has a finger its own colours and those about it are learnt, the region is
/// drawn again from them, and the finger's outline is fitted. The best outline wins; of several fingers, the one whose
/// end is farthest from the arm: the index, not the thumb.
public struct FingertipFinder: Sendable {
    /// The least confidence of a fingertip that is reported.
    public var minimumConfidence: Double

    /// A finder.
    public init(minimumConfidence: Double = 0.5) { self.minimumConfidence = minimumConfidence }

    /// The index fingertip in a picture of format `rgb8`, or `nil`.
    public func find(in image: ImageBuffer) -> Fingertip? { findHand(in: image)?.fingertip }

    /// The index fingertip with the colours of its hand; near a pixel, where one is given.
    func findHand(in image: ImageBuffer, near pixel: PixelPoint? = nil) -> FoundHand? {
        guard min(image.size.width, image.size.height) >= 32 else { return nil }
        let picture = ReducedPicture(image, maximumWidth: Self.reducedWidth)
        let guesses = HandGuesses(picture, near: pixel.map(picture.point)).best(Self.guessLimit)
        let hands = guesses.compactMap { $0.refined(in: picture, of: image, near: pixel) }
        guard let best = pixel == nil ? Self.indexHand(hands) : hands.max(by: { $0.score < $1.score }),
            best.fingertip.confidence >= minimumConfidence, pixel != nil || best.score >= Self.leastScore
        else { return nil }
        return best
    }

    /// The hand whose finger reaches farthest, of those that may well be the best one: some guesses see the thumb alone.
    private static func indexHand(_ hands: [FoundHand]) -> FoundHand? {
        guard let best = hands.max(by: { $0.score < $1.score }) else { return nil }
        let rivals = hands.filter { $0.score > 0.3 * best.score }
        func advance(_ hand: FoundHand) -> Double { (hand.place - best.root).dot(best.arm) }
        let foremost = max(rivals.map(advance).max() ?? 0, 1e-9)
        func rating(_ hand: FoundHand) -> Double { hand.score * pow(max(advance(hand), 0) / foremost, 4) }
        return rivals.max { rating($0) < rating($1) }
    }

    static let reducedWidth = 320
    private static let guessLimit = 6
    /// Less like a hand is no hand: chosen by experiment between pictures with hands, 0.06 and more, and without.
    private static let leastScore = 0.045
}

/// A hand whose index finger's end is known.
struct FoundHand: Sendable {
    var fingertip: Fingertip
    var colors: HandColors
    var score: Double
    /// Where the finger ends in the reduced picture.
    var place: Vector2
    /// Where the arm comes in there, and from there to the middle of what is seen of it.
    var root: Vector2
    var arm: Vector2
}

/// A region that may be a hand.
struct HandGuess: Sendable {
    let silhouette: HandSilhouette
    let finger: FingerShape
    var score: Double

    /// The hand drawn again from the colours that the guess shows.
    func refined(in picture: ReducedPicture, of image: ImageBuffer, near pixel: PixelPoint?) -> FoundHand? {
        var guess = self
        var colors = HandColors(picture, silhouette: silhouette)
        for _ in 0..<2 {
            let evidence = colors.evidence(of: picture)
            let silhouettes = HandSilhouette.all(
                width: picture.width, height: picture.height, minimumCount: HandGuesses.minimumCount(picture)
            ) { evidence[$0] > 0 }
            let guesses = silhouettes.compactMap {
                HandGuesses.guess(from: $0, in: picture, near: pixel.map(picture.point))
            }
            // The same hand: its finger ends near where it did.
            guard
                let next = guesses.filter({
                    ($0.finger.center - guess.finger.center).length < 0.12 * Double(picture.width)
                })
                .max(by: { $0.score < $1.score })
            else { break }
            guess = next
            colors = HandColors(picture, silhouette: guess.silhouette)
        }
        guard let fingertip = FingerOutline(guess.finger, in: picture).fitted(to: image, colors: colors) else {
            return nil
        }
        return FoundHand(
            fingertip: fingertip, colors: colors, score: (score + guess.score) / 2 * fingertip.confidence,
            place: picture.point(fingertip.center), root: guess.silhouette.root,
            arm: guess.silhouette.centroid - guess.silhouette.root)
    }
}

extension HandColors {
    /// The colours of a silhouette, and of what is not next to it.
    init(_ picture: ReducedPicture, silhouette: HandSilhouette) {
        self.init(picture, kinds: silhouette.kinds(width: picture.width, height: picture.height))
    }

    /// The colours of pixels of kind 1, and of kind 0.
    init(_ picture: ReducedPicture, kinds: [UInt8]) {
        self.init(picture) { kinds[$0] == 2 ? nil : kinds[$0] == 1 }
    }
}

extension HandSilhouette {
    /// 1 for the silhouette's pixels, 2 for those within two pixels of it, 0 for others.
    func kinds(width: Int, height: Int) -> [UInt8] {
        var kinds = [UInt8](repeating: 0, count: width * height)
        for pixel in pixels { kinds[Int(pixel)] = 1 }
        for pixel in pixels {
            let (x, y) = (Int(pixel) % width, Int(pixel) / width)
            for b in max(y - 2, 0)...min(y + 2, height - 1) {
                for a in max(x - 2, 0)...min(x + 2, width - 1) where kinds[b * width + a] == 0 {
                    kinds[b * width + a] = 2
                }
            }
        }
        return kinds
    }
}
