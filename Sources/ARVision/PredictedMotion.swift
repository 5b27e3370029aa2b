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
    /// Where points that were lost should be seen again.
    public var returns: [ExpectedReturn]

    /// A motion of which the turn is known, and of some points where they will be seen.
    public init(
        opticalFromPreviousOptical: Rotation, readoutFraction: Double = 0, pixels: [FeatureID: PixelPoint] = [:],
        returns: [ExpectedReturn] = []
    ) {
        self.opticalFromPreviousOptical = opticalFromPreviousOptical
        self.readoutFraction = readoutFraction
        self.pixels = pixels
        self.returns = returns
    }
}

/// Where a point that was lost should be seen again, by who knows its place in the world.
public struct ExpectedReturn: Hashable, Sendable {
    /// The point.
    public var id: FeatureID
    /// Where it should be seen.
    public var pixel: PixelPoint
    /// How well that is known: the standard deviation in pixels, along the direction in which it is known least.
    public var deviationPixels: Double
    /// What a pixel to the right, and one down, from the point where it was last seen have become, in pixels.
    public var acrossColumns, acrossRows: Vector2

    /// A point that should be seen there.
    public init(
        id: FeatureID, pixel: PixelPoint, deviationPixels: Double, acrossColumns: Vector2 = Vector2(1, 0),
        acrossRows: Vector2 = Vector2(0, 1)
    ) {
        self.id = id
        self.pixel = pixel
        self.deviationPixels = deviationPixels
        self.acrossColumns = acrossColumns
        self.acrossRows = acrossRows
    }
}
