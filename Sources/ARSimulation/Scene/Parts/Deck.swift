// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// Emblems in rows and columns, each on its own print.
    ///
    /// It stands for prints whose names end with the emblem's number: `deck-0`, `deck-1`, ….
    public struct Deck: Hashable, Sendable {
        /// The deck's name.
        public var name = ""
        /// The middle of all prints, where their backs lie.
        public var center = Point3.zero
        /// Their normal.
        public var facing = Vector3(0, 0, 1)
        /// How far the deck is turned about its normal, counter-clockwise seen against it.
        public var turnRadians = 0.0
        /// How many prints stand side by side.
        public var columns = 10
        /// How many stand one above the other.
        public var rows = 10
        /// The emblem at the top left; the others follow as one reads.
        public var firstEmblem = 0
        /// The width and height of each emblem.
        public var emblemMeters = 0.1
        /// How far the paper reaches beyond the emblem.
        public var borderMeters = 0.01
        /// The space between neighbouring sheets.
        public var gapMeters = 0.02
        /// How many pixels an emblem's picture is wide.
        public var pictureWidth = 320

        /// A deck of a hundred.
        public init() {}
    }
}

extension Scene.Deck: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try fields.triple("center_m", &center, in: SceneRange.anywhere)
        try fields.direction("facing", &facing, isRequired: false)
        try fields.number("turn_rad", &turnRadians, in: SceneRange.angles, isRequired: false)
        try fields.integer("columns", &columns, in: 1...100, isRequired: false)
        try fields.integer("rows", &rows, in: 1...100, isRequired: false)
        try fields.integer("first_emblem", &firstEmblem, in: 0...1_000_000, isRequired: false)
        try fields.number("emblem_m", &emblemMeters, in: SceneRange.lengths, isRequired: false)
        try fields.number("border_m", &borderMeters, in: 0...10, isRequired: false)
        try fields.number("gap_m", &gapMeters, in: 0...10, isRequired: false)
        try fields.integer("width_px", &pictureWidth, in: 16...4096, isRequired: false)
    }
}

extension Scene.Deck {
    /// The prints for which the deck stands, as one reads them.
    var prints: [Scene.Print] {
        let worldFromDeck = RigidTransform(
            rotation: .facing(facing) * Rotation(rotationVector: Vector3(0, turnRadians, 0)), translation: center)
        let pitch = emblemMeters + 2 * borderMeters + gapMeters
        return (0..<columns * rows).map { index in
            let column = Double(index % columns) - Double(columns - 1) / 2
            let row = Double(index / columns) - Double(rows - 1) / 2
            var print = Scene.Print()
            print.name = name(ofPrint: index)
            print.center = worldFromDeck * Point3(column * pitch, print.thicknessMeters, row * pitch)
            print.facing = facing
            print.turnRadians = turnRadians
            print.size = Vector2(emblemMeters, emblemMeters)
            print.borderMeters = borderMeters
            print.material = print.name
            return print
        }
    }

    /// The materials of ``prints``, which have their names.
    var materials: [Scene.Material] {
        (0..<columns * rows).map { index in
            var material = Scene.Material()
            material.name = name(ofPrint: index)
            material.kind = .emblem
            material.number = firstEmblem + index
            material.pictureWidth = pictureWidth
            return material
        }
    }

    private func name(ofPrint index: Int) -> String { "\(name)-\(firstEmblem + index)" }
}

extension Scene {
    /// The prints of the file, and those of its decks.
    var allPrints: [Print] { prints + decks.flatMap(\.prints) }

    /// The materials of the file, and those of its decks.
    var allMaterials: [Material] { materials + decks.flatMap(\.materials) }
}
