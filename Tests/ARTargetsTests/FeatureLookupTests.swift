// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CFeatures
import TestSupport
import Testing

@Suite struct FeatureLookupTests {
    /// What an index finds, for many features at once and among crowds that begin alike, is what comparing every feature with
    /// every posting finds.
    @Test(arguments: 0..<24) func lookupsFindWhatComparingAllFinds(number: Int) throws {
        var random = TestRandom(case: number)
        let sample = SampleIndex(&random)
        let shown = Array((0..<SampleIndex.targetCount).shuffled(using: &random).prefix(1 + 2 * number))
        let features = sample.features(of: shown, &random).shuffled(using: &random)
        let expected = sample.comparing(features)
        try #require(expected.count == SampleIndex.shownPostings * shown.count)
        #expect(try sample.lookingUp(features, withInverse: number % 2 == 0) == expected)
    }
}

/// A picture's feature and the posting that it is.
private struct Pair: Hashable {
    let feature: Int
    let posting: Int
}

/// Targets whose postings begin alike in crowds, as the many looks of a corner do, and the gaps that removed targets leave.
private struct SampleIndex {
    static let targetCount = 300
    /// How many postings of a target a picture shows: as few as make a candidate, so that none may be missed.
    static let shownPostings = 3
    private static let postingsPerTarget = 12
    private static let (printSide_px, scale_px): (Float, Float) = (100, 8)
    private static let longerSide_px = 640.0
    private static let mostDifferentBits = 6

    private let postings: [CFeaturesPosting]
    private let starts: [UInt32]
    private let keyBits: Int
    /// Where the postings of each target are.
    private let places: [[UInt32]]

    init(_ random: inout TestRandom) {
        let keyBits = Int.random(in: 4...Int(CFEATURES_KEY_BITS), using: &random)
        // Each beginning is shared by 180 in the mean; the longer ones are longer than what tells postings apart.
        let beginnings = (0..<20).map { _ in
            (word: random.next(), length: UInt64([3, 12, 24, 40].randomElement(using: &random)!))
        }
        let owners = (0..<Self.targetCount * Self.postingsPerTarget).map { index in
            let target = UInt32(index / Self.postingsPerTarget)
            // Every ninth posting is one of a target that was removed.
            return index % 9 == 8 && index % Self.postingsPerTarget >= Self.shownPostings ? UInt32.max : target
        }
        let step = Int16(Self.scale_px / Self.printSide_px * 32_767)
        postings = owners.map { target in
            let (beginning, length) = beginnings.randomElement(using: &random)!
            return CFeaturesPosting(
                signature: (beginning ^ random.next() >> length, random.next()),
                x: .random(in: 0...65_535, using: &random),
                y: .random(in: 0...65_535, using: &random), along_x: step, along_y: 0, across_x: 0, across_y: step,
                target: target)
        }.sorted { $0.signature.0 < $1.signature.0 }
        var starts = [UInt32](repeating: 0, count: 1 << keyBits + 1)
        for posting in postings { starts[Int(posting.signature.0 >> UInt64(64 - keyBits)) + 1] += 1 }
        for key in starts.indices.dropFirst() { starts[key] += starts[key - 1] }
        var places = [[UInt32]](repeating: [], count: Self.targetCount)
        for (place, posting) in postings.enumerated() where posting.target < UInt32(Self.targetCount) {
            places[Int(posting.target)].append(UInt32(place))
        }
        (self.keyBits, self.starts, self.places) = (keyBits, starts, places)
    }

    /// The features of pictures of some targets' prints, each at a place of its own. Of every second one the bit that is most in
    /// doubt, one of the first 12, is not as in the index.
    func features(of targets: [Int], _ random: inout TestRandom) -> [CFeature] {
        targets.flatMap { target in
            let (left, top) = (Float.random(in: 0...500, using: &random), Float.random(in: 0...300, using: &random))
            return places[target].shuffled(using: &random).prefix(Self.shownPostings).map { place in
                let posting = postings[Int(place)]
                var feature = CFeature()
                feature.x_px = left + Float(posting.x) / 65_535 * Self.printSide_px
                feature.y_px = top + Float(posting.y) / 65_535 * Self.printSide_px
                feature.scale_px = Self.scale_px
                feature.signature = posting.signature
                let doubtful = Int.random(in: 0..<12, using: &random)
                if Bool.random(using: &random) { feature.signature.0 ^= 1 << UInt64(63 - doubtful) }
                withUnsafeMutableBytes(of: &feature.key_forms) { forms in
                    for bit in 0..<Int(CFEATURES_KEY_FORMS) {
                        forms.storeBytes(
                            of: Int16(bit == doubtful ? 1 : 100 + bit), toByteOffset: 2 * bit, as: Int16.self)
                    }
                }
                return feature
            }
        }
    }

    /// Compares every feature with every posting.
    func comparing(_ features: [CFeature]) -> Set<Pair> {
        var pairs: Set<Pair> = []
        for (number, feature) in features.enumerated() {
            for (place, posting) in postings.enumerated() where posting.target < UInt32(Self.targetCount) {
                let words = (feature.signature.0 ^ posting.signature.0, feature.signature.1 ^ posting.signature.1)
                if words.0.nonzeroBitCount + words.1.nonzeroBitCount <= Self.mostDifferentBits {
                    pairs.insert(Pair(feature: number, posting: place))
                }
            }
        }
        return pairs
    }

    /// Looks the features up in the index.
    func lookingUp(_ features: [CFeature], withInverse: Bool) throws -> Set<Pair> {
        var lookup = CFeaturesLookup(
            probe_count: 24, most_different_bits: Int32(Self.mostDifferentBits), candidate_limit: 256,
            target_limit: 256,
            longer_side_px: Self.longerSide_px, with_inverse: withInverse ? 1 : 0)
        var matches = [CFeaturesMatch](repeating: CFeaturesMatch(), count: 4096)
        var ends = [Int32](repeating: 0, count: 256)
        var (matchCount, candidateCount): (Int32, Int32) = (0, 0)
        let targetStarts = places.reduce(into: [UInt32(0)]) { $0.append($0.last! + UInt32($1.count)) }
        let ownPlaces = places.flatMap(\.self)
        let status = postings.withUnsafeBufferPointer { postings in
            starts.withUnsafeBufferPointer { starts in
                ownPlaces.withUnsafeBufferPointer { places in
                    targetStarts.withUnsafeBufferPointer { targetStarts in
                        var index = CFeaturesIndex(
                            postings: postings.baseAddress, posting_count: UInt32(postings.count),
                            starts: starts.baseAddress, key_bits: Int32(keyBits),
                            target_count: UInt32(Self.targetCount),
                            places: places.baseAddress, target_starts: targetStarts.baseAddress)
                        return cfeatures_look_up(
                            &index, features, Int32(features.count), &lookup, &matches, Int32(matches.count),
                            &matchCount,
                            &ends, &candidateCount)
                    }
                }
            }
        }
        try #require(status == CFEATURES_OK)
        return Set(matches.prefix(Int(matchCount)).map { Pair(feature: Int($0.feature), posting: Int($0.posting)) })
    }
}
