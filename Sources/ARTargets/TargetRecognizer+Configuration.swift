// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension TargetRecognizer {
    /// How carefully is looked. The defaults were chosen by `TargetBenchmarks`.
    public struct Configuration: Hashable, Sendable {
        /// Pictures with a longer side are halved first: what is smaller is not recognised.
        public var longestSide = 900
        /// How many features of a picture are looked up.
        public var featureLimit = 500
        /// How much a feature stands out at least, in grey levels.
        public var leastStrength = 1.2
        /// How many keys are looked up for each feature.
        public var probeCount = 24
        /// In how many of 128 bits features may differ and still be alike.
        public var mostDifferentBits = 26
        /// How many targets are looked at more closely.
        public var candidateLimit = 12
        /// After how many targets that were not there, in one picture, the rest are left alone.
        public var failureLimit = 6
        /// How many features must agree on a place.
        public var leastSupport = 4
        /// The share of a print's parts that the picture must show where they belong.
        public var leastAgreement = 0.76
        /// In how many places a picture may show something else than the print, as clearly as the print; in more where
        /// the print is full of structure.
        public var mostContradictions = 1
        /// Whether prints are recognised whose light and dark have changed places.
        public var findsInverse = true

        public init() {}
    }
}
