// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// How the tracker works. The defaults serve every scene; there is nothing to be tuned for one. Pixels are those in which pictures are
/// tracked: the camera's own, or, of cameras with a focal length of more than 720 pixels, squares of them that come next to 480.
public struct TrackerConfiguration: Hashable, Sendable {
    /// How many points are followed in the picture.
    public var pointCount = 150
    /// How many past poses are estimated with the present one.
    public var cloneCount = 11
    /// How many points have a place in the state.
    public var landmarkCount = 30
    /// What a point's place in the picture is uncertain by whatever its surroundings are, in pixels: calibration, shading,
    /// blur; √2 times as much for each coarser level of the picture on which it is followed.
    public var pixelDeviation = 0.07
    /// How many times as uncertain a point's place is as its surroundings say: they know noise, but neither that neighbouring
    /// pixels share it after interpolation and blur, nor that the patch is searched in steps.
    public var deviationFactor = 1.4
    /// What a point's slide is multiplied by to be the variance of its place for each pixel by which the camera's way shifts it,
    /// while that is little; after hundreds of pixels it is that of fifty. More than half of the points of rendered scenes with
    /// true depth slide by less, some by many times as much. Zero if nothing slides.
    public var slideFactor = 3.0
    /// How far points move, rotation aside, until a frame is worth keeping, in pixels.
    public var keyframeParallaxPixels = 8.0
    /// When a pose is called `normal`.
    public var thresholds = TrackingThresholds()
    /// The strength of gravity, in m/s².
    public var gravity = 9.81
    /// For the choice of what is compared when outliers are looked for.
    public var seed: UInt64 = 0

    /// The defaults.
    public init() {}
}
