// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// A cylinder, closed at both ends.
    public struct Cylinder: Hashable, Sendable {
        /// The cylinder's name.
        public var name = ""
        /// Its centre.
        public var center = Point3.zero
        /// The direction of its axis, from its bottom to its top.
        public var axis = Vector3(0, 1, 0)
        /// How far it is turned about its axis.
        public var turnRadians = 0.0
        /// Its radius.
        public var radius = 0.1
        /// Its length along the axis.
        public var height = 0.2
        /// What it is made of.
        public var material = ""
        /// How it moves, where it does.
        public var motion: Motion?

        /// A cylinder without a material.
        public init() {}
    }
}

extension Scene.Cylinder: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try fields.triple("center_m", &center, in: SceneRange.anywhere)
        try fields.direction("axis", &axis, isRequired: false)
        try fields.number("turn_rad", &turnRadians, in: SceneRange.angles, isRequired: false)
        try fields.number("radius_m", &radius, in: SceneRange.lengths)
        try fields.number("height_m", &height, in: SceneRange.lengths)
        try fields.text("material", &material)
        try fields.optionalPart("motion", &motion)
    }
}
