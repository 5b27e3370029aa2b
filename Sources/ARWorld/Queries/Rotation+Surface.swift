// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Rotation {
    /// The axes of a hit on a surface that has none of its own: +Y is the normal, and −Z leads up along the surface, as the
    /// top of a picture that hangs there; on a level surface, within 2°, −Z is as near to the world's as it can be.
    ///
    /// - Parameter normal: of length one.
    init(surfaceNormal normal: Vector3) {
        let bottom = abs(normal.y) > 0.9994 ? Vector3(0, 0, 1) : Vector3(0, -1, 0)
        let z = (bottom - bottom.dot(normal) * normal).normalized() ?? bottom
        self = Rotation(Matrix3x3(normal.cross(z), normal, z)) ?? .identity
    }
}
