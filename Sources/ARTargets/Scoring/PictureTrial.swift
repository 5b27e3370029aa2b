// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import Foundation

/// A picture, tried: seen in twenty ways, from near and far, straight on and from the side, sharp and moved; and what of it is
/// seen there that a recogniser could hold on to.
///
/// Two things are needed. Corners must be found again that look like themselves and like no other place of the print: what is
/// repeated says nothing of where the print lies. And the print's parts must look like what is printed: fine drawing is gone
/// from afar. How targets are recognised today plays no part in it.
struct PictureTrial: Sendable {
    /// How many corners are found again, the mean of all views. One that looks like n others counts 1 / (1 + n).
    private(set) var usefulCount = 0.0
    /// Which share of the parts look like themselves, the mean of all views, 0 … 1.
    private(set) var endurance = 0.0
    /// In which share of the views the picture should be recognised, 0 … 1.
    private(set) var rate = 0.0

    /// The longer side of the planes on which corners are found, in pixels, and how much those of each count.
    private static let scales: [(side: Int, weight: Double)] = [(96, 1.0 / 6), (56, 2.0 / 6), (36, 3.0 / 6)]
    /// A corner is found again within so many pixels.
    private static let reach = 3
    /// From this likeness on a corner looks like itself.
    private static let leastLikeness: Float = 0.8
    /// What looks more like it than this is another that it may be taken for.
    private static let leastLead: Float = 0.03
    /// The number of useful corners of which 63 of 100 are recognised.
    static let middlingCount = 2.0
    /// The share of parts of which half are recognised, and by how much more 73 of 100 are.
    private static let (middlingEndurance, enduranceStep) = (0.65, 0.1)

    init(of plane: GrayPlane) {
        let parts = PictureParts(of: plane)
        let references = Self.scales.map { CornerFeatures(of: plane.reduced(toLongerSide: $0.side)) }
        for view in TrialView.all {
            guard let sight = view.sight(of: plane) else { continue }
            let endurance = parts.shareSeen(in: PictureParts(of: sight))
            var count = 0.0
            for (scale, reference) in zip(Self.scales, references) {
                let found = CornerFeatures(
                    of: sight.reduced(toLongerSide: scale.side), contrast: view.contrast)
                count += scale.weight * Self.usefulCount(of: found, in: reference)
            }
            usefulCount += count
            self.endurance += endurance
            let isLike = 1 / (1 + exp((Self.middlingEndurance - endurance) / Self.enduranceStep))
            rate += isLike * (1 - exp(-count / Self.middlingCount))
        }
        let viewCount = Double(TrialView.all.count)
        usefulCount /= viewCount
        endurance /= viewCount
        rate /= viewCount
    }

    /// How many corners are where those of the print are, and look like them, each shared among what looks the same.
    private static func usefulCount(of found: CornerFeatures, in reference: CornerFeatures) -> Double {
        var sum = 0.0
        for (index, corner) in found.corners.enumerated() {
            var own: Float = -1
            var others: [Float] = []
            for (number, place) in reference.corners.enumerated() {
                let likeness = found.likeness(of: index, to: number, of: reference)
                let (across, down) = (place.x - corner.x, place.y - corner.y)
                if across * across + down * down <= reach * reach {
                    own = max(own, likeness)
                } else {
                    others.append(likeness)
                }
            }
            guard own >= leastLikeness else { continue }
            sum += 1 / Double(1 + others.count { $0 >= own - leastLead })
        }
        return sum
    }
}
