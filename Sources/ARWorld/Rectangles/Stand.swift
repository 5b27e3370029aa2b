// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// From where a thing is seen.
struct Stand: Sendable {
    /// From the thing's middle to the camera, in the world's axes.
    var offset: Vector3

    init(offset: Vector3) { self.offset = offset }

    init(of view: RectangleView, at shape: RectangleShape) {
        offset = view.worldFromOptical.translation - shape.worldFromRectangle.translation
    }

    /// The angle between the directions, in radians, and the logarithm of the distances' ratio: the root of the sum of squares.
    func difference(from other: Stand) -> Double {
        let turn = atan2(offset.cross(other.offset).length, offset.dot(other.offset))
        return hypot(turn, log(max(offset.length, 1e-3) / max(other.offset.length, 1e-3)))
    }
}
