// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// A picture of a face on a head, on a neck and shoulders.
    ///
    /// The head's own axes: the origin is its middle, between the ears; +X to its left, +Y to its crown, +Z out of its face.
    public struct Head: Hashable, Sendable {
        /// The head's name.
        public var name = ""
        /// Where its origin is.
        public var position = Point3.zero
        /// Where the face looks when yaw, pitch and roll are zero: a direction that is not vertical.
        public var facing = Vector3(0, 0, 1)
        /// From the chin to the crown.
        public var heightMeters = 0.23
        /// The face's picture.
        public var material = ""
        /// Where in the picture the face's box is (brows to chin, cheek to cheek): left, top, right and bottom as fractions of
        /// its width and height.
        public var faceBox = [0.225, 0.395, 0.775, 0.885]
        /// The hair's colour, sRGB 0…1.
        public var hairColor = Vector3(0.16, 0.11, 0.08)
        /// The clothes' colour, sRGB 0…1.
        public var clothesColor = Vector3(0.22, 0.27, 0.36)
        /// How the head turns and where it goes; it rests before the first and after the last.
        public var poses: [HeadPose] = []

        /// A head without a face.
        public init() {}
    }

    /// Where a head is at a time, and where it looks. Angles apply as R_y(yaw) · R_x(pitch) · R_z(roll) in the head's
    /// axes.
    public struct HeadPose: Hashable, Sendable {
        /// The time.
        public var seconds = 0.0
        /// How far the head is from where it stands, along the world's axes.
        public var offset = Vector3.zero
        /// The turn about +Y: positive to the head's own left.
        public var yawRadians = 0.0
        /// The turn about +X: positive is a nod, down.
        public var pitchRadians = 0.0
        /// The turn about +Z: counter-clockwise for who faces the head.
        public var rollRadians = 0.0

        /// A head that looks ahead, at time zero.
        public init() {}
    }
}

extension Scene.Head: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try fields.triple("position_m", &position, in: SceneRange.anywhere)
        try fields.direction("facing", &facing, isRequired: false)
        try fields.number("height_m", &heightMeters, in: 1e-3...100, isRequired: false)
        try fields.text("material", &material)
        try fields.numbers("face_box", &faceBox, count: 4, in: -10...10, isRequired: false)
        try fields.triple("hair_srgb", &hairColor, in: SceneRange.colors, isRequired: false)
        try fields.triple("clothes_srgb", &clothesColor, in: SceneRange.colors, isRequired: false)
        try fields.list("poses", &poses)
    }
}

extension Scene.HeadPose: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.number("at_s", &seconds, in: SceneRange.times)
        try fields.triple("offset_m", &offset, in: SceneRange.anywhere, isRequired: false)
        try fields.number("yaw_rad", &yawRadians, in: SceneRange.angles, isRequired: false)
        try fields.number("pitch_rad", &pitchRadians, in: SceneRange.angles, isRequired: false)
        try fields.number("roll_rad", &rollRadians, in: SceneRange.angles, isRequired: false)
    }
}
