// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// A picture on cloth that waves from a pole.
    public struct Flag: Hashable, Sendable {
        /// The flag's name.
        public var name = ""
        /// The centre of the cloth when no wind blows it out of its plane.
        public var center = Point3.zero
        /// The normal of that plane, out of the picture.
        public var facing = Vector3(0, 0, 1)
        /// How far it is turned about its normal, counter-clockwise seen against it.
        public var turnRadians = 0.0
        /// The cloth's width, from the pole to its free end, and its height.
        public var size = Vector2(0.9, 0.6)
        /// What is on it.
        public var material = ""
        /// How far the waves reach to one side at the free end.
        public var amplitudeMeters = 0.06
        /// The length of the waves.
        public var wavelengthMeters = 0.5
        /// How fast they run from the pole to the free end.
        public var waveSpeed = 1.2
        /// How much the wind changes, 0…1.
        public var gusts = 0.4
        /// How far the pole reaches down from the cloth's lower edge; 0 for a flag without a pole.
        public var poleMeters = 1.0

        /// A flag without a picture.
        public init() {}
    }
}

extension Scene.Flag: FlatPart {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("name", &name)
        try visitPlace(fields)
        try fields.text("material", &material)
        try fields.number("amplitude_m", &amplitudeMeters, in: 0...100, isRequired: false)
        try fields.number("wavelength_m", &wavelengthMeters, in: 1e-3...1e3, isRequired: false)
        try fields.number("wave_speed_m_per_s", &waveSpeed, in: 0...100, isRequired: false)
        try fields.number("gusts", &gusts, in: 0...1, isRequired: false)
        try fields.number("pole_m", &poleMeters, in: 0...100, isRequired: false)
    }
}
