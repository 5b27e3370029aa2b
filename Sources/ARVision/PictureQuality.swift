// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CVision

/// What a picture is worth for tracking.
public struct PictureQuality: Hashable, Sendable {
    /// The mean light, 0 (black) … 1 (white).
    public var brightness: Double
    /// The standard deviation of the light, in the same unit.
    public var contrast: Double
    /// The fraction of pixels that are white through and through.
    public var saturatedFraction: Double
    /// How fine the finest details are: the root of the mean squared step between neighbours of the half-sized picture,
    /// over that of the quarter-sized one.
    ///
    /// About 0.5 where all is blurred over several pixels, 0.7 for sharp edges, more for fine texture or noise. It
    /// depends on what is seen: compare it with that of other frames. Law: `PictureQualityTests.blurLowersSharpness`.
    public var sharpness: Double
}

extension PictureQuality {
    init(_ measures: CVisionPictureMeasures) {
        brightness = measures.mean / 255
        contrast = measures.variance.squareRoot() / 255
        saturatedFraction = measures.saturated_fraction
        sharpness =
            measures.quarter_size_step > 0 ? (measures.half_size_step / measures.quarter_size_step).squareRoot() : 0
    }
}
