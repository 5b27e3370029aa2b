// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// An image target that was recognised in a picture.
public struct TargetAnswer: Hashable, Sendable {
    /// What is printed, by the name that the database has for it.
    public var picture: String
    /// The print's corners, in the picture's own order: upper left, upper right, lower right, lower left.
    public var quad: PixelQuad
    /// The print's axes in the camera's, both as ARKit has them; `nil` where the pose is not known.
    public var cameraFromTarget: RigidTransform?

    /// A target in its place.
    public init(picture: String, quad: PixelQuad, cameraFromTarget: RigidTransform? = nil) {
        self.picture = picture
        self.quad = quad
        self.cameraFromTarget = cameraFromTarget
    }
}
