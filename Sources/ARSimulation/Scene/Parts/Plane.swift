// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// A plane that the session declares: a surface, or a part of it.
    public struct Plane: Hashable, Sendable {
        /// The plane's name.
        public var name = ""
        /// The quad, or the box or the cylinder whose top is meant.
        public var surface = ""
        /// What it is.
        public var classification = PlaneClassification.none
        /// The outline in the surface's x and z; empty for the whole surface.
        public var outline: [Point2] = []

        /// A plane on nothing.
        public init() {}
    }
}

extension Scene.Plane: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try fields.text("surface", &surface)
        try fields.choice("classification", &classification, isRequired: false)
        try fields.points("outline_m", &outline, minimum: 3, isRequired: false)
    }
}
