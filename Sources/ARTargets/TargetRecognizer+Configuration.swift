// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension TargetRecognizer {
    /// How carefully is looked. The defaults were chosen by `TargetBenchmarks`. A value outside of the range that stands
    /// beside it is a programmer's error, found when a picture is looked at.
    public struct Configuration: Hashable, Sendable {
        /// Pictures with a longer side are halved first: what is smaller is not recognised; once less where eight targets or
        /// more are seen. 32 or more.
        public var longestSide = 900
        /// How many features of a picture are looked up, 0…65,535; twice as many where eight targets or more
        /// are seen.
        public var featureLimit = 500
        /// How much a feature stands out at least, in grey levels; more than 0, 255 at most.
        public var leastStrength = 1.2
        /// How many beginnings its signature may have had for each feature, 1…64; the index is asked for a third of them.
        public var probeCount = 24
        /// In how many of 128 bits features may differ and still be alike, 0…128.
        public var mostDifferentBits = 26
        /// How many targets are looked at more closely, 0…10,000, twelve at a time: the next ones where some of those were there.
        public var candidateLimit = 60
        /// After how many targets in a row that were not there the rest of their twelve are left alone.
        public var failureLimit = 4
        /// How many features must agree on a place, 3 or more.
        public var leastSupport = 4
        /// The share of a print's parts that the picture must show where they belong; of those that are not hidden from the
        /// border on nine in ten, where at least half are seen and many features agree; 0.85 of them at least where the light on
        /// the print is explained only as that on gloss or folds.
        public var leastAgreement = 0.76
        /// In how many places a picture may show something else than the print, as clearly as the print; in more where
        /// the print is full of structure.
        public var mostContradictions = 1
        /// How far the colours of a picture correlate with a print's at least, where both have more than one ink.
        public var leastColorAgreement = 0.4
        /// Whether prints are recognised whose light and dark have changed places.
        public var findsInverse = true

        public init() {}

        /// Features have numbers of 16 bits.
        static let mostFeatures = 65535

        func check() {
            precondition(longestSide >= ScaleSpace.leastSide, "longestSide is \(longestSide), expected 32 or more")
            precondition(
                (0...Self.mostFeatures).contains(featureLimit),
                "featureLimit is \(featureLimit), expected 0 to \(Self.mostFeatures)")
            precondition(
                Float(leastStrength) > 0 && leastStrength <= 255,
                "leastStrength is \(leastStrength), expected more than 0 and 255 at most")
            precondition((1...64).contains(probeCount), "probeCount is \(probeCount), expected 1 to 64")
            precondition(
                (0...128).contains(mostDifferentBits), "mostDifferentBits is \(mostDifferentBits), expected 0 to 128")
            precondition(
                (0...10_000).contains(candidateLimit), "candidateLimit is \(candidateLimit), expected 0 to 10000")
            precondition((3...1000).contains(leastSupport), "leastSupport is \(leastSupport), expected 3 to 1000")
        }
    }
}
