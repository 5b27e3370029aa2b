// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A point that is followed through the pictures, as the clones of the window saw it.
struct FeatureTrack: Sendable {
    /// The point's identity in the pictures.
    let id: UInt64
    /// What was seen, oldest first.
    var observations: [Observation]
    /// Whether the newest picture no longer shows it.
    var isLost = false

    /// How its place wanders: as it does most in any of its sights.
    var slide: PixelCovariance { observations.lazy.map(\.slide).max { $0.trace < $1.trace } ?? .zero }

    /// A sight of the point.
    struct Observation: Sendable {
        /// The slot of the clone that saw it.
        var clone: Int
        /// Where.
        var pixel: PixelPoint
        /// The standard deviation of that place, in pixels, along each axis.
        var deviationPixels: Double
        /// How the place wanders when it is seen from elsewhere: its variance for each pixel of parallax.
        var slide = PixelCovariance.zero
        /// How its light is spread by its way during the exposure: a covariance, in pixels².
        var blur = PixelCovariance.zero
    }
}
