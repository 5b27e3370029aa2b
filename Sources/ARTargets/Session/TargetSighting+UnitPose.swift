// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension TargetSighting {
    /// The print's pose if it were one metre wide, in the axes of ``cameraFromTarget``; `nil` where its place is no
    /// rectangle's image.
    /// - Parameter aspectRatio: the print's height by its width.
    public func cameraFromUnitTarget(camera: Camera, aspectRatio: Double) -> RigidTransform? {
        // The pixels' deviation weighs in the covariance only, which means nothing before the size is known.
        PrintPose(
            pixelFromPrint: pixelFromPrint, physicalSize: Vector2(1, aspectRatio), camera: camera, deviation: 1,
            partCount: inlierCount)?.cameraFromTarget
    }
}
