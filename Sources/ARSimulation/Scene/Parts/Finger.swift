// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// A hand whose finger writes on a plane.
    public struct Finger: Hashable, Sendable {
        /// The declared plane that it writes on.
        public var plane = ""
        /// Where the finger points, about the plane's normal: 0 along −z, counter-clockwise seen from above.
        public var headingRadians = 0.0
        /// The strokes, each through points in the plane's x and z.
        public var strokes: [[Point2]] = []
        /// Whether the strokes, or the ways between recorded samples, are smooth curves; else they are straight lines.
        public var isSmooth = true
        /// A text that is written with single strokes, from left to right along the plane's x.
        public var text = ""
        /// How high capitals are.
        public var letterHeightMeters = 0.06
        /// Where the text's baseline starts, in the plane's x and z.
        public var textPosition = Point2.zero
        /// Strokes of cubic Béziers: for each the start, and then two control points and an end for each piece.
        public var beziers: [[Point2]] = []
        /// The file of a recorded path, relative to the scene file.
        public var csv = ""
        /// When the finger starts to come down.
        public var startSeconds = 0.5
        /// The mean speed while it draws.
        public var speed = 0.1
        /// How high it lifts between strokes.
        public var liftMeters = 0.03
        /// How long it takes to come down, to go from one stroke to the next, and to lift at the end.
        public var liftSeconds = 0.6
        /// How long it rests on the plane before and after each stroke.
        public var restSeconds = 0.1
        /// The skin's colour, sRGB 0…1.
        public var skinColor = Vector3(0.80, 0.58, 0.46)
        /// The nail's colour, sRGB 0…1.
        public var nailColor = Vector3(0.93, 0.72, 0.68)
        /// The sleeve's colour, sRGB 0…1.
        public var sleeveColor = Vector3(0.20, 0.29, 0.45)

        /// A finger without strokes.
        public init() {}
    }
}

extension Scene.Finger: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("plane", &plane)
        try fields.number("heading_rad", &headingRadians, in: SceneRange.angles, isRequired: false)
        try visitWriting(fields)
        try fields.number("start_s", &startSeconds, in: 0...86_400, isRequired: false)
        try fields.number("lift_m", &liftMeters, in: 0...1, isRequired: false)
        try fields.number("lift_s", &liftSeconds, in: 0.01...60, isRequired: false)
        try fields.triple("skin_srgb", &skinColor, in: SceneRange.colors, isRequired: false)
        try fields.triple("nail_srgb", &nailColor, in: SceneRange.colors, isRequired: false)
        try fields.triple("sleeve_srgb", &sleeveColor, in: SceneRange.colors, isRequired: false)
    }

    /// What is written; which of the ways is given, and that only one is, is checked with the whole scene.
    private mutating func visitWriting(_ fields: SceneFields) throws(SceneError) {
        try fields.pointLists("strokes_m", &strokes, minimum: 2)
        try fields.optionalText("text", &text)
        if !text.isEmpty {
            try fields.number("letter_height_m", &letterHeightMeters, in: 1e-3...10, isRequired: false)
            try fields.pair("position_m", &textPosition, in: SceneRange.anywhere, isRequired: false)
        }
        try fields.pointLists("beziers_m", &beziers, minimum: 4)
        try fields.optionalText("csv", &csv)
        if !strokes.isEmpty || !csv.isEmpty { try fields.flag("smooth", &isSmooth) }
        if csv.isEmpty {
            try fields.number("speed_m_per_s", &speed, in: 1e-3...10, isRequired: false)
            try fields.number("rest_s", &restSeconds, in: 0...60, isRequired: false)
        }
    }
}
