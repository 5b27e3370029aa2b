// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// Regions of a picture that may be hands: cuts through measures of how much like skin each pixel is.
///
/// Skin of all tones reflects more red than green and more green than blue, by ratios that light scales little: what is
/// certain about it is an order, not a colour; and it is smooth where grass, earth and cloth are not. Each measure is cut at several
/// of its own quantiles, since lamps and cameras shift it; the region's rim, shape and texture decide which cut may be a hand.
struct HandGuesses {
    private let picture: ReducedPicture
    private let point: Vector2?
    private let planes: [[Float]]

    /// The guesses in a picture; of regions that come near a point, where one is given.
    init(_ picture: ReducedPicture, near point: Vector2? = nil) {
        self.picture = picture
        self.point = point
        var (ratio, typical, bright, blueless) = (
            [Float](repeating: 0, count: picture.count), [Float](repeating: 0, count: picture.count),
            [Float](repeating: 0, count: picture.count), [Float](repeating: 0, count: picture.count)
        )
        var (smooth, warm) = (typical, typical)
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
            smooth[pixel] = typical[pixel] - picture.roughness[pixel] / 4
            // Overexposed skin keeps a trace of its red, and no texture at all.
            warm[pixel] = 6 * min(max(a / 0.08, -1), 1) - picture.roughness[pixel]
        }
        planes = [typical, ratio, blueless, bright, smooth, warm].map {
            $0.averagedOverThree(width: picture.width, height: picture.height)
        }
    }

    /// The shares of the picture that a cut leaves.
    private static let shares = [0.03, 0.05, 0.075, 0.1, 0.13, 0.17, 0.22, 0.28, 0.36]

    /// A hand is among so many largest regions of a cut; looking at no more bounds the time.
    static let regionLimit = 6

    /// The least number of pixels of a hand.
    static func minimumCount(_ picture: ReducedPicture) -> Int { picture.count / 150 }

    /// The regions most like hands, no two of them nearly the same.
    func best(_ limit: Int) -> [HandSilhouette] {
        var guesses: [(silhouette: HandSilhouette, likeness: Double)] = []
        for plane in planes {
            let sorted = stride(from: 0, to: plane.count, by: 7).map { plane[$0] }.sorted(by: >)
            for share in Self.shares {
                let threshold = sorted[min(Int(share * Double(sorted.count)), sorted.count - 1)]
                let silhouettes = HandSilhouette.all(
                    of: plane.mask(above: threshold), width: picture.width, height: picture.height,
                    minimumCount: Self.minimumCount(picture), limit: Self.regionLimit)
                for silhouette in silhouettes where isPossible(silhouette) {
                    guesses.append((silhouette, silhouette.handLikeness(in: picture)))
                }
            }
        }
        var kept: [HandSilhouette] = []
        for guess in guesses.sorted(by: { $0.likeness > $1.likeness }) where kept.count < limit {
            if kept.allSatisfy({ $0.overlap(with: guess.silhouette) < 0.7 }) { kept.append(guess.silhouette) }
        }
        return kept
    }

    /// Whether a hand may be as large, and is where it should be.
    private func isPossible(_ silhouette: HandSilhouette) -> Bool {
        guard !silhouette.isTooLarge(for: picture) else { return false }
        guard let point else { return true }
        let reach = 0.04 * Double(picture.width)
        return silhouette.pixels.contains {
            (Vector2(Double(Int($0) % picture.width), Double(Int($0) / picture.width)) - point).length < reach
        }
    }
}
