// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// A scanned room: a mesh with labelled planes and boxes, read from a file.
    ///
    /// Each of its planes is declared; their names begin with the scan's: `office.floor`, `office.wall-1`.
    public struct Scan: Hashable, Sendable {
        /// The scan's name.
        public var name = ""
        /// The file's path, relative to the scene file.
        public var file = ""
        /// Where the file's origin lies.
        public var position = Point3.zero
        /// How far the room is turned about +Y.
        public var turnRadians = 0.0

        /// A scan without a file.
        public init() {}
    }
}

extension Scene.Scan: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try fields.text("file", &file)
        try fields.triple("position_m", &position, in: SceneRange.anywhere, isRequired: false)
        try fields.number("turn_rad", &turnRadians, in: SceneRange.angles, isRequired: false)
    }
}
