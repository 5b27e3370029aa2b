// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension FeatureTracker {
    /// How the tracker works. The defaults are for pictures of about 640×480.
    public struct Configuration: Hashable, Sendable {
        /// How many points are followed at a time, where the picture holds so many.
        public var pointCount = 150
        /// How uncertain a point's place may be, in pixels: the standard deviation along the worst direction that noise of
        /// 2 grey levels, half as much on each coarser level, gives to a new point, and what is left unexplained to one that is
        /// followed. This, and the next ones, on coarser levels in pixels of the level.
        public var deviationLimitPixels = 0.15
        /// How uncertain it may be where a blurred or dark picture holds few places that are better known. Law:
        /// `FeatureTrackerTests.whereCertainPointsAreScarceOthersAreFollowed`.
        public var scarceDeviationLimitPixels = 0.5
        /// How many levels the pyramid has, at most; each doubles how far a point may move without being predicted.
        public var pyramidLevelCount = 4
        /// How far from where it came from a point may be led back, in pixels.
        public var backwardLimitPixels = 0.5
        /// How far a point may be from where the camera's motion allows it, in pixels, beside what all points show.
        public var outlierLimitPixels = 1.0
        /// The seed of the random choices in finding outliers.
        public var seed: UInt64 = 0

        /// The defaults.
        public init() {}

        /// Fewer certain points than this are few.
        var scarceCount: Int { pointCount / 3 }
    }
}
