// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A point in a picture.
struct SeenPoint: Hashable, Sendable {
    /// Who it is: the same number for the same point, and never used again.
    var id: UInt64
    /// Where it is seen.
    var pixel: PixelPoint
    /// The standard deviation of that place, in pixels, along each axis, whatever it is seen from.
    var deviationPixels: Double
    /// How the place wanders when it is seen from elsewhere: its variance for each pixel of parallax.
    var slide = PixelCovariance.zero
}
