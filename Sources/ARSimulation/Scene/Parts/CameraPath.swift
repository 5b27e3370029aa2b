// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// How the camera moves: through waypoints at equal intervals, with a hand's tremor on top.
    public struct CameraPath: Hashable, Sendable {
        /// The time from one waypoint to the next.
        public var intervalSeconds = 1.0
        /// Where the camera is, one after the other.
        public var waypoints: [Waypoint] = []
        /// The standard deviation of the tremor's position, per axis.
        public var tremorMeters = 0.0
        /// The standard deviation of the tremor's rotation, per axis.
        public var tremorRadians = 0.0

        /// A path without waypoints.
        public init() {}
    }

    /// Where the camera is and where it looks.
    public struct Waypoint: Hashable, Sendable {
        /// The centre of projection.
        public var position = Point3.zero
        /// The point in the middle of the picture.
        public var lookAt = Point3.zero
        /// How far the camera is turned about its viewing axis, counter-clockwise seen from behind it.
        public var rollRadians = 0.0

        /// A waypoint at the origin.
        public init() {}
    }
}

extension Scene.CameraPath: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.number("interval_s", &intervalSeconds, in: 0.01...3600)
        try fields.list("waypoints", &waypoints, minimum: 2, isRequired: true)
        try fields.number("tremor_m", &tremorMeters, in: 0...0.1, isRequired: false)
        try fields.number("tremor_rad", &tremorRadians, in: 0...0.2, isRequired: false)
    }
}

extension Scene.Waypoint: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.triple("position_m", &position, in: SceneRange.anywhere)
        try fields.triple("look_at_m", &lookAt, in: SceneRange.anywhere)
        try fields.number("roll_rad", &rollRadians, in: SceneRange.angles, isRequired: false)
    }
}
