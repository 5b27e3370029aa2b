// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A flat thing of a scene, with a front: a quad, a print, a flag.
protocol FlatPart: SceneMapping {
    /// Its centre.
    var center: Point3 { get set }
    /// The normal of its front.
    var facing: Vector3 { get set }
    /// How far it is turned about its normal, counter-clockwise seen against it.
    var turnRadians: Double { get set }
    /// Its width and height.
    var size: Vector2 { get set }
}

extension FlatPart {
    /// Passes where it is, and how large, to the fields.
    mutating func visitPlace(_ fields: SceneFields) throws(SceneError) {
        try fields.triple("center_m", &center, in: SceneRange.anywhere)
        try fields.direction("facing", &facing, isRequired: false)
        try fields.number("turn_rad", &turnRadians, in: SceneRange.angles, isRequired: false)
        try fields.pair("size_m", &size, in: SceneRange.lengths)
    }
}
