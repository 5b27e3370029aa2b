// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// A flat rectangle, seen from both sides.
    public struct Quad: Hashable, Sendable {
        /// The name by which planes call it.
        public var name = ""
        /// Its centre.
        public var center = Point3.zero
        /// Its normal.
        public var facing = Vector3(0, 1, 0)
        /// How far it is turned about its normal, counter-clockwise seen against it.
        public var turnRadians = 0.0
        /// Its extent along its own x and z.
        public var size = Vector2(1, 1)
        /// What it is made of.
        public var material = ""

        /// How it moves, where it does.
        public var motion: Motion?

        /// A rectangle of one square metre.
        public init() {}
    }
}

extension Scene.Quad: FlatPart {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try visitPlace(fields)
        try fields.text("material", &material)
        try fields.optionalPart("motion", &motion)
    }
}
