// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation

extension Scene {
    /// A camera that goes around a point and looks at it.
    public struct Orbit: Hashable, Sendable {
        /// The point.
        public var center = Point3.zero
        /// The circle's radius.
        public var radiusMeters = 1.0
        /// How high the circle lies above the point.
        public var heightMeters = 0.5
        /// Where on the circle it starts: 0 at +z, counter-clockwise seen from above.
        public var startRadians = 0.0
        /// How fast it goes: positive counter-clockwise seen from above.
        public var rateRadiansPerSecond = 0.4
        /// How long it rests at the start.
        public var restSeconds = 0.5

        /// An orbit about the origin.
        public init() {}
    }
}

extension Scene.Orbit: CameraGenerator {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.triple("center_m", &center, in: SceneRange.anywhere)
        try fields.number("radius_m", &radiusMeters, in: 0.01...1e4)
        try fields.number("height_m", &heightMeters, in: SceneRange.anywhere, isRequired: false)
        try fields.number("start_rad", &startRadians, in: SceneRange.angles, isRequired: false)
        try fields.number("rate_rad_per_s", &rateRadiansPerSecond, in: -20...20, isRequired: false)
        try fields.number("rest_s", &restSeconds, in: 0...3600, isRequired: false)
    }

    var knotSeconds: Double { min(0.05, 0.1 / max(abs(rateRadiansPerSecond), 1)) }

    func makeMotion(_ random: inout SeededRandom) -> (Double) -> RigidTransform {
        let start = EasedStart(restSeconds: restSeconds, rampSeconds: 1)
        return { seconds in
            let angle = startRadians + rateRadiansPerSecond * start.progress(at: seconds)
            let spoke = Vector3(radiusMeters * sin(angle), heightMeters, radiusMeters * cos(angle))
            return RigidTransform(cameraAt: center + spoke, lookingAt: center)
        }
    }
}
