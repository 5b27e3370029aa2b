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

        /// A light with every default.
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
    }
}
