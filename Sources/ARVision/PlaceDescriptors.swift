// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CVision

/// What pictures show around points, in 256 bits each: by these points are found again from elsewhere.
///
/// Each point may have several variants, as it would look from nearer, from farther, or turned; what is compared is the
/// variant that fits best.
public struct PlaceDescriptors: Sendable {
    /// How many points are described.
    public let count: Int
    /// How many descriptors each point has.
    let variantCount: Int
    let descriptors: [CVisionDescriptor]

    init(_ descriptors: [CVisionDescriptor], variantCount: Int) {
        self.descriptors = descriptors
        self.variantCount = variantCount
        count = descriptors.count / variantCount
    }

    /// A point that looks like another.
    public struct Match: Hashable, Sendable {
        /// The point's index in these descriptors.
        public var index: Int
        /// The index of the point that it looks like.
        public var other: Int
        /// In how many of 256 bits they differ.
        public var distance: Int
    }

    /// The points that look like one of the others and like no second one: each is the other's nearest, differs in at
    /// most `mostDifferentBits`, and the second nearest is farther by the ratio (Lowe 2004). In the points' order.
    ///
    /// The others' first variants are compared.
    public func matches(with others: PlaceDescriptors, mostDifferentBits: Int, ratio: Double) -> [Match] {
        precondition(others.variantCount == 1, "points with \(others.variantCount) variants cannot be candidates")
        var nearest = [CVisionNearest](repeating: CVisionNearest(), count: count)
        check(
            cvision_match_descriptors(
                descriptors, Int32(count), Int32(variantCount), others.descriptors, Int32(others.count),
                Int32(mostDifferentBits), &nearest))
        var best = [Int32](repeating: .max, count: others.count)
        for answer in nearest where answer.index >= 0 {
            best[Int(answer.index)] = min(best[Int(answer.index)], answer.distance)
        }
        return nearest.indices.compactMap { index in
            let answer = nearest[index]
            guard answer.index >= 0, answer.distance == best[Int(answer.index)],
                Double(answer.distance) < ratio * Double(answer.second_distance)
            else { return nil }
            return Match(index: index, other: Int(answer.index), distance: Int(answer.distance))
        }
    }

    /// In how many bits the point's best variant differs from another point.
    public func distance(of index: Int, to other: Int, of others: PlaceDescriptors) -> Int {
        let b = others.descriptors[other * others.variantCount].words
        return descriptors[index * variantCount..<(index + 1) * variantCount].reduce(256) { least, descriptor in
            let a = descriptor.words
            let bits =
                (a.0 ^ b.0).nonzeroBitCount + (a.1 ^ b.1).nonzeroBitCount + (a.2 ^ b.2).nonzeroBitCount
                + (a.3 ^ b.3).nonzeroBitCount
            return Swift.min(least, bits)
        }
    }
}
