// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// A motion out of a trajectory file, placed in the scene.
    public struct TrajectoryFile: Hashable, Sendable {
        /// The file's path, relative to the scene file.
        public var file = ""
        /// Where in the file the scene begins: seconds after its first pose.
        public var startSeconds = 0.0
        /// What the file's lengths are multiplied by.
        public var scale = 1.0
        /// Which of the file's axes points up.
        public var up = Up.z
        /// Whose poses the file holds.
        public var body = Body.imu
        /// Where the body is when the scene begins; `nil` leaves it where it was recorded.
        public var place: Point3?
        /// How far the motion is turned about the vertical, counter-clockwise seen from above.
        public var turnRadians = 0.0
        /// The frequency from which the position's jitter is taken out; `nil` finds it in the file.
        public var positionCutoffInHertz: Double?
        /// The frequency from which the rotation's jitter is taken out; `nil` finds it in the file.
        public var rotationCutoffInHertz: Double?

        /// The axis that points up.
        public enum Up: String, Hashable, Sendable, CaseIterable {
            /// As in ARKit and here.
            case y
            /// As in EuRoC and motion capture.
            case z
        }

        /// The body that moves.
        public enum Body: String, Hashable, Sendable, CaseIterable {
            /// The device's inertial sensor, as in EuRoC; the camera's optical axes where the scene has no sensor.
            case imu
            /// The camera with ARKit's axes: +X right, +Y up, looking along −Z.
            case camera
            /// The camera with OpenCV's axes, as in TUM's RGB-D benchmark: +X right, +Y down, looking along +Z.
            case optical
        }

        /// No file.
        public init() {}
    }
}

extension Scene.TrajectoryFile: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.text("file", &file)
        try fields.number("start_s", &startSeconds, in: 0...1e6, isRequired: false)
        try fields.number("scale", &scale, in: 1e-3...1e3, isRequired: false)
        try fields.choice("up", &up, isRequired: false)
        try fields.choice("body", &body, isRequired: false)
        try fields.optionalTriple("place_m", &place, in: SceneRange.anywhere)
        try fields.number("turn_rad", &turnRadians, in: SceneRange.angles, isRequired: false)
        try fields.optionalNumber("position_cutoff_hz", &positionCutoffInHertz, in: 0.1...40)
        try fields.optionalNumber("rotation_cutoff_hz", &rotationCutoffInHertz, in: 0.1...40)
    }
}
