// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation

extension Scene {
    /// Someone who inspects what lies on a table: comes near, goes around it to either side, looks down on it, steps back,
    /// and begins anew.
    public struct TableTop: Hashable, Sendable {
        /// What is looked at.
        public var center = Point3.zero
        /// From where: 0 from +z, counter-clockwise seen from above.
        public var azimuthRadians = 0.0
        /// How far away the camera mostly is; it starts at twice that.
        public var distanceMeters = 0.6
        /// How far around the table it goes to either side.
        public var sweepRadians = 1.0
        /// The time from one view to the next; a round has nine.
        public var intervalSeconds = 1.7

        /// A table at the origin.
        public init() {}
    }
}

extension Scene.TableTop: CameraGenerator {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.triple("center_m", &center, in: SceneRange.anywhere)
        try fields.number("azimuth_rad", &azimuthRadians, in: SceneRange.angles, isRequired: false)
        try fields.number("distance_m", &distanceMeters, in: 0.05...100, isRequired: false)
        try fields.number("sweep_rad", &sweepRadians, in: 0...6, isRequired: false)
        try fields.number("interval_s", &intervalSeconds, in: 0.2...60, isRequired: false)
    }

    var knotSeconds: Double { 0.05 }

    func makeMotion(_ random: inout SeededRandom) -> (Double) -> RigidTransform {
        let round = Self.makeRound(&random)
        let start = EasedStart(restSeconds: 0.5, rampSeconds: 1)
        return { seconds in
            let views = start.progress(at: seconds) / intervalSeconds
            let view = round.value(at: views.truncatingRemainder(dividingBy: Double(Self.views.count)))
            let (azimuth, elevation) = (azimuthRadians + sweepRadians * view.x, view.y)
            let distance = distanceMeters * exp(view.z)
            let spoke = Vector3(
                sin(azimuth) * cos(elevation), sin(elevation), cos(azimuth) * cos(elevation))
            // Nobody aims at a point all the time: the middle of the picture wanders by some centimetres.
            let aim = Vector3(sin(2.1 * views), 0, sin(1.3 * views)) * (0.06 * distanceMeters)
            return RigidTransform(cameraAt: center + spoke * distance, lookingAt: center + aim)
        }
    }

    /// The views of a round: the azimuth in sweeps, the elevation in radians, the logarithm of the distance.
    private static let views = [
        Vector3(0, 0.55, log(2)), Vector3(0.05, 0.65, log(1.3)), Vector3(0.35, 0.75, 0), Vector3(1, 0.6, log(0.85)),
        Vector3(0.6, 0.95, log(0.8)), Vector3(-0.1, 0.8, log(0.7)), Vector3(-0.9, 0.55, log(0.9)),
        Vector3(-0.6, 0.85, log(0.75)), Vector3(-0.1, 0.7, log(1.2)),
    ]

    /// A round through the views, each a little off; it ends as it began.
    private static func makeRound(_ random: inout SeededRandom) -> ClosedCurve {
        ClosedCurve(
            through: views.map {
                $0 + Vector3(random.uniform(-0.1..<0.1), random.uniform(-0.06..<0.06), random.uniform(-0.08..<0.08))
            })
    }
}

/// A C² curve through points at whole parameters that ends where it begins.
private struct ClosedCurve {
    private let curve: UniformCubicSpline<Vector3>
    /// Points of the neighbouring rounds, enough for the ends' conditions to be forgotten.
    private static let margin = 8

    init(through points: [Vector3]) {
        let extended = (-Self.margin...points.count + Self.margin).map {
            points[($0 % points.count + points.count) % points.count]
        }
        curve = UniformCubicSpline(through: extended)
    }

    func value(at parameter: Double) -> Vector3 { curve.value(at: parameter + Double(Self.margin)) }
}
