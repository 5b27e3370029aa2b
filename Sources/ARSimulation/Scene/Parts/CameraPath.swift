// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Scene {
    /// How the camera moves: one of several ways, with a hand's tremor on top.
    public struct CameraPath: Hashable, Sendable {
        /// Which of the ways; the other ways' properties mean nothing then, and are not written.
        public private(set) var kind = Kind.waypoints
        /// The time from one waypoint to the next, where they have no times of their own.
        public var intervalSeconds = 1.0
        /// Where the camera is, one after the other.
        public var waypoints: [Waypoint] = []
        /// A motion that was recorded.
        public var trajectory = TrajectoryFile()
        /// Someone who stands and looks around.
        public var lookAround = LookAround()
        /// Someone who walks.
        public var walk = Walk()
        /// A circle around a point.
        public var orbit = Orbit()
        /// Someone who inspects a table.
        public var tableTop = TableTop()
        /// A camera that stays where it is.
        public var standstill = Standstill()
        /// A phone that is shaken.
        public var shake = Shake()
        /// The standard deviation of the tremor's position, per axis.
        public var tremorMeters = 0.0
        /// The standard deviation of the tremor's rotation, per axis.
        public var tremorRadians = 0.0

        /// The ways to move.
        public enum Kind: String, Hashable, Sendable, CaseIterable {
            /// Through waypoints.
            case waypoints
            /// As a trajectory file says.
            case trajectory
            /// Standing and looking around.
            case lookAround = "look_around"
            /// Walking along a way.
            case walk
            /// Around a point.
            case orbit
            /// Around a table and over it, as with an AR app.
            case tableTop = "table_top"
            /// Not at all.
            case standstill
            /// To and fro, fast.
            case shake
        }

        /// A path of that kind with its defaults; what people hold trembles.
        public init(_ kind: Kind = .waypoints) {
            self.kind = kind
            switch kind {
            case .waypoints, .trajectory, .orbit: break
            case .lookAround, .walk, .tableTop, .standstill, .shake:
                tremorMeters = 0.002
                tremorRadians = 0.004
            }
        }
    }

    /// Where the camera is and where it looks.
    public struct Waypoint: Hashable, Sendable {
        /// When the camera is there; `nil` in a path with equal intervals.
        public var atSeconds: Double?
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

extension Scene.CameraPath {
    /// The generator of the path, for kinds that have one.
    var generator: (any CameraGenerator)? {
        switch kind {
        case .waypoints, .trajectory: nil
        case .lookAround: lookAround
        case .walk: walk
        case .orbit: orbit
        case .tableTop: tableTop
        case .standstill: standstill
        case .shake: shake
        }
    }

    /// When the camera is at each waypoint; with equal intervals the first is at zero.
    var waypointTimes: [Double] {
        waypoints.enumerated().map { $1.atSeconds ?? Double($0) * intervalSeconds }
    }
}

extension Scene.CameraPath: SceneMapping {
    public init() { self.init(.waypoints) }

    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        var chosen = kind
        try fields.choice("kind", &chosen, isRequired: false)
        if chosen != kind { self = Scene.CameraPath(chosen) }
        switch kind {
        case .waypoints:
            try fields.list("waypoints", &waypoints, minimum: 2, isRequired: true)
            if waypoints.allSatisfy({ $0.atSeconds == nil }) {
                try fields.number("interval_s", &intervalSeconds, in: 0.01...3600)
            }
        case .trajectory: try trajectory.visit(fields)
        case .lookAround: try lookAround.visit(fields)
        case .walk: try walk.visit(fields)
        case .orbit: try orbit.visit(fields)
        case .tableTop: try tableTop.visit(fields)
        case .standstill: try standstill.visit(fields)
        case .shake: try shake.visit(fields)
        }
        try fields.number("tremor_m", &tremorMeters, in: 0...0.1, isRequired: false)
        try fields.number("tremor_rad", &tremorRadians, in: 0...0.2, isRequired: false)
    }
}

extension Scene.Waypoint: SceneMapping {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.optionalNumber("at_s", &atSeconds, in: 0...86_400)
        try visitView(fields)
    }

    /// The keys of a view without a time.
    mutating func visitView(_ fields: SceneFields) throws(SceneError) {
        try fields.triple("position_m", &position, in: SceneRange.anywhere)
        try fields.triple("look_at_m", &lookAt, in: SceneRange.anywhere)
        try fields.number("roll_rad", &rollRadians, in: SceneRange.angles, isRequired: false)
    }

    /// The keys of a view that is used as it is: one that has a horizon.
    mutating func visitLevelView(_ fields: SceneFields) throws(SceneError) {
        try visitView(fields)
        if worldFromCamera == nil { throw fields.outOfRange("look_at_m", Self.verticalView) }
    }

    /// What is wrong with a view that has no horizon.
    static let verticalView = (
        found: "straight above, below or at the camera", expected: "a point beside the vertical through the camera"
    )
}
