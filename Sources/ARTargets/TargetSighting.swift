// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A target seen in a picture.
public struct TargetSighting: Hashable, Sendable {
    /// Which target.
    public var target: TargetIdentity
    /// How surely it is this target and lies there, 0…1: the share of its structure that the picture shows where it must
    /// be.
    public var confidence: Double
    /// Where the print's places are in the picture. The print is the unit square: (0, 0) its upper left corner, (1, 1)
    /// its lower right one, as in ``PixelQuad/pixelFromUnitSquare``.
    public var pixelFromPrint: Matrix3x3
    /// The print's corners in the picture, its own upper left one first.
    public var corners: PixelQuad
    /// By how many features the target was found.
    public var inlierCount: Int
    /// The print's pose in the camera's axes; `nil` where the camera or the print's width is unknown. The print's axes are
    /// those of ARKit's image anchors: origin in its middle, +X to its right, +Y out of it, its top towards −Z.
    public var cameraFromTarget: RigidTransform?
    /// How uncertain the pose is: the covariance of the twist δ in exp(δ) · `cameraFromTarget`, in metres and radians.
    public var covariance: Matrix6x6?
    /// Whether light and dark have changed places.
    public var isInverse: Bool
}
