// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// A triangle mesh from an OBJ file.
    public struct Mesh: Hashable, Sendable {
        /// The mesh's name.
        public var name = ""
        /// The file's path, relative to the scene file.
        public var file = ""
        /// Where the file's origin lies.
        public var position = Point3.zero
        /// How the mesh is turned about its origin: the axis times the angle.
        public var turnRadians = Vector3.zero
        /// How many metres the file's unit is.
        public var scale = 1.0
        /// What it is made of.
        public var material = ""
        /// How it moves, where it does.
        public var motion: Motion?

        /// A mesh without a file.
        public init() {}
    }
}

extension Scene.Mesh: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try fields.text("file", &file)
        try fields.triple("position_m", &position, in: SceneRange.anywhere, isRequired: false)
        try fields.triple("turn_rad", &turnRadians, in: SceneRange.angles, isRequired: false)
        try fields.number("scale", &scale, in: 1e-6...1e6, isRequired: false)
        try fields.text("material", &material)
        try fields.optionalPart("motion", &motion)
    }
}
