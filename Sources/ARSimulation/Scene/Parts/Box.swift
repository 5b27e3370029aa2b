// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// A box that stands upright.
    public struct Box: Hashable, Sendable {
        /// The name by which planes call its top.
        public var name = ""
        /// Its centre.
        public var center = Point3.zero
        /// How far it is turned about +Y.
        public var turnRadians = 0.0
        /// Its extent along its own axes.
        public var size = Vector3(1, 1, 1)
        /// What it is made of.
        public var material = ""

        /// How it moves, where it does.
        public var motion: Motion?

        /// A box of one cubic metre.
        public init() {}
    }
}

extension Scene.Box: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try fields.triple("center_m", &center, in: SceneRange.anywhere)
        try fields.number("turn_rad", &turnRadians, in: SceneRange.angles, isRequired: false)
        try fields.triple("size_m", &size, in: SceneRange.lengths)
        try fields.text("material", &material)
        try fields.optionalPart("motion", &motion)
    }
}
