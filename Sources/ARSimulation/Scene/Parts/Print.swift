// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// A picture printed on a thin sheet, with a border of bare paper.
    public struct Print: Hashable, Sendable {
        /// The print's name.
        public var name = ""
        /// The centre of the picture, on the sheet's front.
        public var center = Point3.zero
        /// The sheet's normal, out of the print.
        public var facing = Vector3(0, 1, 0)
        /// How far it is turned about its normal, counter-clockwise seen against it.
        public var turnRadians = 0.0
        /// The picture's width and height, without the border.
        public var size = Vector2(0.15, 0.2)
        /// How far the paper reaches beyond the picture.
        public var borderMeters = 0.01
        /// How thick the sheet is; it lies behind its front.
        public var thicknessMeters = 0.0003
        /// The paper's colour, sRGB 0…1.
        public var paperColor = Vector3(0.94, 0.94, 0.92)
        /// The picture's material; its gloss is the whole sheet's.
        public var material = ""
        /// How it moves, where it does.
        public var motion: Motion?

        /// A print without a picture.
        public init() {}
    }
}

extension Scene.Print: FlatPart {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try visitPlace(fields)
        try fields.number("border_m", &borderMeters, in: 0...10, isRequired: false)
        try fields.number("thickness_m", &thicknessMeters, in: 1e-5...1, isRequired: false)
        try fields.triple("paper_srgb", &paperColor, in: SceneRange.colors, isRequired: false)
        try fields.text("material", &material)
        try fields.optionalPart("motion", &motion)
    }
}
