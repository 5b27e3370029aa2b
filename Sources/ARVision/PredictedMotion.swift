// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What is known of the camera's motion from the last frame to the next, before the next is looked at.
public struct PredictedMotion: Sendable {
    /// The turn of the camera between the instants of the two frames, by the gyroscope.
    public var opticalFromPreviousOptical: Rotation
    /// The time from the first row to the last, as a fraction of the time between the two frames; zero for a global
    /// shutter. A point that comes to lie in a lower row is seen later, after more of the turn.
    public var readoutFraction: Double
    /// Where points will be whose place in space is known; the others are predicted by the turn alone.
    public var pixels: [FeatureID: PixelPoint]

    /// A motion of which the turn is known, and of some points where they will be seen.
    public init(
        opticalFromPreviousOptical: Rotation, readoutFraction: Double = 0, pixels: [FeatureID: PixelPoint] = [:]
    ) {
        self.opticalFromPreviousOptical = opticalFromPreviousOptical
        self.readoutFraction = readoutFraction
        self.pixels = pixels
    }
}
