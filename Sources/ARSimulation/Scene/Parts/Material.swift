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
        /// The number of the emblem or the face.
        public var number = 0
        /// Whether an emblem is printed in one ink.
        public var isOneInk = false
        /// What is around a face.
        public var surroundings = Face.Surroundings.portrait
        /// What the code says.
        public var payload = ""
        /// How much of the code may be lost.
        public var errorCorrection = QRCode.ErrorCorrection.medium
        /// The card's rank.
        public var rank = PlayingCard.Rank.ace
        /// The card's suit.
        public var suit = PlayingCard.Suit.spades
        /// The colour of the paper under an emblem or a code, sRGB 0…1.
        public var paper = Vector3(0.95, 0.95, 0.94)
        /// How many pixels a generated picture is wide.
        public var pictureWidth = 1024

        /// How glossy it is, 0…1: 0 is matt, 1 is like coated paper.
        public var gloss = 0.0

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
            /// Bricks of one colour in mortar of the other.
            case brick
            /// Tiles of stone with veins of the other colour, which the joints have too.
            case tiles
            /// Cloth in plain weave with checks of two colours.
            case fabric
            /// Paper with fibres and flecks of the other colour, and folds.
            case paper
            /// A picture, stretched over the surface.
            case picture
            /// An ``Emblem``, which is as wide as it is high.
            case emblem
            /// A ``QRCode`` with its quiet zone, as wide as it is high.
            case code
            /// A ``PlayingCard``, 63 × 88 mm.
            case card
            /// A ``Face``, in a picture that is as wide as it is high.
            case face

            /// Whether a picture covers the surface, whatever the surface's size.
            var isPicture: Bool { [.picture, .emblem, .code, .card, .face].contains(self) }
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
        case .checker, .noise, .wood, .carpet, .plaster, .brick, .tiles, .fabric, .paper:
            try fields.triple("color_srgb", &color, in: SceneRange.colors)
            try fields.triple("second_color_srgb", &secondColor, in: SceneRange.colors)
            try fields.number("scale_m", &scaleMeters, in: SceneRange.lengths)
            try fields.number("texel_m", &texelMeters, in: 1e-5...1, isRequired: false)
        case .picture:
            try fields.text("picture", &picture)
        case .emblem:
            try fields.integer("emblem", &number, in: Self.numbers)
            try fields.flag("one_ink", &isOneInk)
            try fields.triple("paper_srgb", &paper, in: SceneRange.colors, isRequired: false)
            try fields.integer("width_px", &pictureWidth, in: Self.pictureWidths, isRequired: false)
        case .code:
            try visitCode(fields)
            try fields.triple("paper_srgb", &paper, in: SceneRange.colors, isRequired: false)
            try fields.integer("width_px", &pictureWidth, in: Self.pictureWidths, isRequired: false)
        case .card:
            try visitCode(fields)
            try fields.choice("rank", &rank, isRequired: false)
            try fields.choice("suit", &suit, isRequired: false)
            try fields.integer("width_px", &pictureWidth, in: Self.pictureWidths, isRequired: false)
        case .face:
            try fields.integer("face", &number, in: Self.numbers)
            try fields.choice("surroundings", &surroundings, isRequired: false)
            try fields.integer("width_px", &pictureWidth, in: Self.pictureWidths, isRequired: false)
        }
        try fields.number("gloss", &gloss, in: 0...1, isRequired: false)
    }

    private mutating func visitCode(_ fields: SceneFields) throws(SceneError) {
        try fields.text("payload", &payload)
        try fields.choice("error_correction", &errorCorrection, isRequired: false)
    }

    private static let numbers = 0...1_000_000
    private static let pictureWidths = 16...4096
}
