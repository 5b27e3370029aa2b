// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation

extension Scene {
    /// Someone who stands and looks around, the phone held before the body.
    public struct LookAround: Hashable, Sendable {
        /// Where the camera is at the start.
        public var position = Point3(0, 1.5, 0)
        /// Where it looks at the start: 0 along −z, counter-clockwise seen from above.
        public var headingRadians = 0.0
        /// How far it is tilted up on average.
        public var pitchRadians = -0.2
        /// How far it turns to either side.
        public var sweepRadians = 0.9
        /// How far it tilts up and down.
        public var tiltRadians = 0.2
        /// How long it takes to look to one side, to the other, and back.
        public var periodSeconds = 8.0
        /// How far before the body's axis, about which it turns, the phone is held.
        public var reachMeters = 0.4
        /// How long it rests at the start.
        public var restSeconds = 1.0

        /// Someone at the origin.
        public init() {}
    }
}

extension Scene.LookAround: CameraGenerator {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.triple("position_m", &position, in: SceneRange.anywhere)
        try fields.number("heading_rad", &headingRadians, in: SceneRange.angles, isRequired: false)
        try fields.number("pitch_rad", &pitchRadians, in: -1.5...1.5, isRequired: false)
        try fields.number("sweep_rad", &sweepRadians, in: 0...10, isRequired: false)
        try fields.number("tilt_rad", &tiltRadians, in: 0...1.5, isRequired: false)
        try fields.number("period_s", &periodSeconds, in: 0.5...3600, isRequired: false)
        try fields.number("reach_m", &reachMeters, in: 0...2, isRequired: false)
        try fields.number("rest_s", &restSeconds, in: 0...3600, isRequired: false)
    }

    var knotSeconds: Double { 0.05 }

    func makeMotion(_ random: inout SeededRandom) -> (Double) -> RigidTransform {
        let start = EasedStart(restSeconds: restSeconds, rampSeconds: 1)
        let rate = 2 * .pi / periodSeconds
        // Nobody looks around like clockwork: the side sweeps come with slower and faster ones, the tilt in its own time.
        let (unevenness, tiltPace) = (random.uniform(0.15..<0.35), random.uniform(1.4..<1.9))
        let tiltPhase = random.uniform(0..<2 * .pi)
        let axis = position - reachMeters * Self.direction(headingRadians)
        return { seconds in
            let time = rate * start.progress(at: seconds)
            let turn = sweepRadians * (sin(time) + unevenness * sin(0.37 * time)) / (1 + unevenness)
            let tilt = tiltRadians * (sin(tiltPace * time + tiltPhase) - sin(tiltPhase))
            let heading = headingRadians + turn
            let pitch = pitchRadians + min(max(tilt, -1.5), 1.5)
            return RigidTransform(
                cameraAt: axis + reachMeters * Self.direction(heading) + Vector3(0, 0.1 * sin(tilt), 0),
                heading: heading, pitch: pitch, roll: 0.1 * turn * sin(time / 3))
        }
    }

    private static func direction(_ heading: Double) -> Vector3 { Vector3(-sin(heading), 0, -cos(heading)) }
}
