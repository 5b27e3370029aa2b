// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// How a thing moves: away from where it stands through keyframes, turning steadily, swinging to and fro. All three
    /// add up.
    public struct Motion: Hashable, Sendable {
        /// Where the thing is at certain times; it rests before the first and after the last.
        public var keyframes: [MotionKeyframe] = []
        /// How fast it turns about its own axes: the axis times radians a second.
        public var spinRadiansPerSecond = Vector3.zero
        /// How it swings, where it does.
        public var swing: Swing?

        /// A thing that stays where it is.
        public init() {}
    }

    /// Where a moving thing is at a time.
    public struct MotionKeyframe: Hashable, Sendable {
        /// The time.
        public var seconds = 0.0
        /// How far it is from where it stands, along the world's axes.
        public var offset = Vector3.zero
        /// How it is turned about its own axes: the axis times the angle.
        public var turnRadians = Vector3.zero

        /// A thing where it stands, at time zero.
        public init() {}
    }

    /// A sine.
    public struct Swing: Hashable, Sendable {
        /// The largest way to one side, along the world's axes.
        public var offset = Vector3.zero
        /// The largest turn to one side, about the thing's own axes: the axis times the angle.
        public var turnRadians = Vector3.zero
        /// The time of a whole swing.
        public var periodSeconds = 1.0
        /// Where in the swing the scene begins: 0 in the middle, π/2 at the largest.
        public var phaseRadians = 0.0

        /// A swing of no width.
        public init() {}
    }
}

extension Scene.Motion: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.list("keyframes", &keyframes)
        try fields.triple("spin_rad_per_s", &spinRadiansPerSecond, in: -1000...1000, isRequired: false)
        try fields.optionalPart("swing", &swing)
    }
}

extension Scene.MotionKeyframe: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.number("at_s", &seconds, in: SceneRange.times)
        try fields.triple("offset_m", &offset, in: SceneRange.anywhere, isRequired: false)
        try fields.triple("turn_rad", &turnRadians, in: -1000...1000, isRequired: false)
    }
}

extension Scene.Swing: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.triple("offset_m", &offset, in: SceneRange.anywhere, isRequired: false)
        try fields.triple("turn_rad", &turnRadians, in: SceneRange.angles, isRequired: false)
        try fields.number("period_s", &periodSeconds, in: 0.01...3600)
        try fields.number("phase_rad", &phaseRadians, in: SceneRange.angles, isRequired: false)
    }
}
