// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation

extension Scene {
    /// A phone that is shaken: bursts of fast turns to and fro about the wrist, with calm between them.
    public struct Shake: Hashable, Sendable {
        /// Where the camera is and where it looks when it is calm.
        public var view = Waypoint()
        /// The largest angular velocity, in rad/s.
        public var peakRadiansPerSecond = 6.0
        /// How often it turns to and fro.
        public var shakesInHertz = 2.5
        /// How long a burst lasts.
        public var burstSeconds = 1.5
        /// How long the calm lasts, that at the start too.
        public var calmSeconds = 2.0
        /// How far before the wrist the camera is.
        public var reachMeters = 0.15

        /// A phone at the origin.
        public init() {}
    }
}

extension Scene.Shake: CameraGenerator {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try view.visitLevelView(fields)
        try fields.number("peak_rad_per_s", &peakRadiansPerSecond, in: 0...20, isRequired: false)
        try fields.number("shake_hz", &shakesInHertz, in: 0.2...8, isRequired: false)
        try fields.number("burst_s", &burstSeconds, in: 0.5...3600, isRequired: false)
        try fields.number("calm_s", &calmSeconds, in: 0...3600, isRequired: false)
        try fields.number("reach_m", &reachMeters, in: 0...2, isRequired: false)
    }

    var knotSeconds: Double { 0.02 }

    func makeMotion(_ random: inout SeededRandom) -> (Double) -> RigidTransform {
        let steady = RigidTransform(cameraAt: view.position, lookingAt: view.lookAt, roll: view.rollRadians)
        let wrist = RigidTransform(translation: Vector3(0, 0, reachMeters))
        let rate = 2 * .pi * shakesInHertz
        // Mostly to the sides; the first axis is drawn, and each burst leans a little more from it.
        let lean = random.uniform(0..<2 * .pi)
        return { seconds in
            let round = calmSeconds + burstSeconds
            let number = (seconds / round).rounded(.down)
            let inBurst = seconds - number * round - calmSeconds
            let ease = min(0.25 * burstSeconds, 0.3)
            let envelope =
                FingerTimeline.minimumJerk(min(max(inBurst / ease, 0), 1))
                * FingerTimeline.minimumJerk(min(max((burstSeconds - inBurst) / ease, 0), 1))
            let angle = envelope * peakRadiansPerSecond / rate * sin(rate * inBurst)
            let tilt = 0.6 * sin(lean + 1.3 * number)
            let axis = Vector3(sin(tilt), cos(tilt), 0.15 * sin(lean + number))
            let turn = RigidTransform(rotation: Rotation(rotationVector: (axis.normalized() ?? axis) * angle))
            return steady * wrist * turn * wrist.inverse
        }
    }
}
