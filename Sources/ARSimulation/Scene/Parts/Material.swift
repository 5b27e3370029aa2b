// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// What a surface is made of.
    public struct Material: Hashable, Sendable {
        /// The name by which surfaces call it.
        public var name = ""
        /// What it looks like.
        public var kind = Kind.plain
        /// The main colour, sRGB 0…1.
        public var color = Vector3(0.7, 0.7, 0.7)
        /// The other colour, sRGB 0…1.
        public var secondColor = Vector3(0.3, 0.3, 0.3)
        /// The size of what repeats.
        public var scaleMeters = 0.05
        /// The width of a texel.
        public var texelMeters = 0.001
        /// The picture's path, relative to the scene file.
        public var picture = ""

        /// What a material looks like.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// One colour.
            case plain
            /// Squares of two colours.
            case checker
            /// Clouds of two colours.
            case noise
            /// Boards with grain, in shades from one colour to the other.
            case wood
            /// A woven pattern of two colours with a rough pile.
            case carpet
            /// A wall: one colour with trowel marks, specks of the other.
            case plaster
            /// A picture, stretched over the surface.
            case picture
        }

        /// A plain material.
        public init() {}
    }
}

extension Scene.Material: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try fields.choice("kind", &kind)
        switch kind {
        case .plain:
            try fields.triple("color_srgb", &color, in: SceneRange.colors)
        case .checker, .noise, .wood, .carpet, .plaster:
            try fields.triple("color_srgb", &color, in: SceneRange.colors)
            try fields.triple("second_color_srgb", &secondColor, in: SceneRange.colors)
            try fields.number("scale_m", &scaleMeters, in: SceneRange.lengths)
            try fields.number("texel_m", &texelMeters, in: 1e-5...1, isRequired: false)
        case .picture:
            try fields.text("picture", &picture)
        }
    }
}
