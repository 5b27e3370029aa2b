// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// A ball.
    public struct Sphere: Hashable, Sendable {
        /// The sphere's name.
        public var name = ""
        /// Its centre.
        public var center = Point3.zero
        /// How far it is turned about +Y.
        public var turnRadians = 0.0
        /// Its radius.
        public var radius = 0.1
        /// What it is made of.
        public var material = ""
        /// How it moves, where it does.
        public var motion: Motion?

        /// A sphere without a material.
        public init() {}
    }
}

extension Scene.Sphere: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try fields.triple("center_m", &center, in: SceneRange.anywhere)
        try fields.number("turn_rad", &turnRadians, in: SceneRange.angles, isRequired: false)
        try fields.number("radius_m", &radius, in: SceneRange.lengths)
        try fields.text("material", &material)
        try fields.optionalPart("motion", &motion)
    }
}
