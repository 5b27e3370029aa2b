// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What the tracker made of a frame.
public struct FeatureFrame: Sendable {
    /// The number of the frame, counted by the tracker from 0.
    public var number: Int
    /// The points that are seen, by growing number.
    public var observations: [FeaturePoint]
    /// What the picture is worth.
    public var quality: PictureQuality
    /// What became of the points.
    public var counts: Counts

    /// How many points went which way from the last frame to this one.
    public struct Counts: Hashable, Sendable {
        /// Seen in the last frame and in this one.
        public var followed = 0
        /// Seen for the first time.
        public var new = 0
        /// Lost before, and found again.
        public var returned = 0
        /// Lost because nothing like them was found where they should be.
        public var lostByFlow = 0
        /// Lost because the way back did not lead to where they came from.
        public var lostByBackwardCheck = 0
        /// Lost because they moved otherwise than the camera's motion allows.
        public var lostAsOutliers = 0
        /// Lost because they left the picture.
        public var lostAtBorder = 0

        /// Nothing happened yet.
        public init() {}
    }
}
