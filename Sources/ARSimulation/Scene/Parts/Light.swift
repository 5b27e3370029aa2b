// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// Light from all sides and from one.
    public struct Light: Hashable, Sendable {
        /// Where the sun stands, seen from the scene.
        public var direction = Vector3(0.4, 1, 0.3)
        /// The irradiance from the sun on a surface that faces it.
        public var sun = 0.75
        /// The irradiance from everywhere else.
        public var ambient = 0.35
        /// Half the angle that the sun covers: the larger, the softer the shadows.
        public var angularRadius = 0.06
        /// How far away something may be and still throw a shadow.
        public var shadowReachMeters = 1.5
        /// The colour where nothing is.
        public var background = Vector3(0.55, 0.62, 0.70)
        /// How the light changes; it stays the same before the first change and after the last.
        public var changes: [LightChange] = []
        /// How the light flickers, where it does.
        public var flicker: Flicker?

        /// A light with every default.
        public init() {}
    }

    /// How bright the light is at a time, against what ``Light/sun`` and ``Light/ambient`` say. Between two times it
    /// changes evenly; two at the same time are a step.
    public struct LightChange: Hashable, Sendable {
        /// The time.
        public var seconds = 0.0
        /// The factor on the sun.
        public var sun = 1.0
        /// The factor on the light from everywhere else.
        public var ambient = 1.0

        /// The light as it is, at time zero.
        public init() {}
    }

    /// A lamp's flicker: all light is brighter and darker by turns, as a sine.
    public struct Flicker: Hashable, Sendable {
        /// How often; a lamp on the mains flickers at twice their frequency.
        public var rateInHertz = 100.0
        /// The largest change, as a part of the light.
        public var depth = 0.1

        /// A weak flicker at 100 Hz.
        public init() {}
    }
}

extension Scene.Light: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.direction("direction", &direction, isRequired: false)
        try fields.number("sun", &sun, in: 0...100, isRequired: false)
        try fields.number("ambient", &ambient, in: 0...100, isRequired: false)
        try fields.number("angular_radius_rad", &angularRadius, in: 0...0.5, isRequired: false)
        try fields.number("shadow_reach_m", &shadowReachMeters, in: 0...1e4, isRequired: false)
        try fields.triple("background_srgb", &background, in: SceneRange.colors, isRequired: false)
        try fields.list("changes", &changes)
        try fields.optionalPart("flicker", &flicker)
    }
}

extension Scene.LightChange: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.number("at_s", &seconds, in: SceneRange.times)
        try fields.number("sun", &sun, in: 0...1000, isRequired: false)
        try fields.number("ambient", &ambient, in: 0...1000, isRequired: false)
    }
}

extension Scene.Flicker: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.number("rate_hz", &rateInHertz, in: 0.01...10_000)
        try fields.number("depth", &depth, in: 0...1)
    }
}
