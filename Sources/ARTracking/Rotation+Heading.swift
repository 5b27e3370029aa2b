// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

extension Rotation {
    /// The turn about +Y of a camera (ARKit's axes) with this attitude: to where it looks, or, where it looks straight up or
    /// down, to where its top, seen along that, points. The identity looks along −Z.
    ///
    /// Law: `RotationHeadingTests.headingFollowsTurnsAboutUp`.
    var heading: Rotation {
        var forward = self * Vector3(0, 0, -1)
        if abs(forward.y) > 0.996 { forward = (forward.y < 0 ? 1 : -1) * (self * Vector3(0, 1, 0)) }
        return Rotation(rotationVector: Vector3(0, atan2(-forward.x, -forward.z), 0))
    }

    /// The rotation's part about +Y: of all turns about it, the one that comes nearest.
    ///
    /// Law: `RotationHeadingTests.partAboutUpComesNearest`.
    var partAboutUp: Rotation {
        let q = coefficients
        return Rotation(rotationVector: Vector3(0, 2 * atan2(q.y, q.w), 0))
    }

    /// The attitude whose heading is this one's and for which a direction of the body is up: the shortest turn that
    /// brings it there.
    func withUp(_ upInBody: Vector3) -> Rotation {
        let up = self * upInBody
        let axis = up.cross(Vector3(0, 1, 0))
        let angle = atan2(axis.length, up.y)
        guard let unit = axis.normalized(), let turn = Rotation(angle: angle, axis: unit) else {
            return up.y >= 0 ? self : Rotation(angle: .pi, axis: Vector3(1, 0, 0))! * self
        }
        return (turn * self).normalized
    }
}
