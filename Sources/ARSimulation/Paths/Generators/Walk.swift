// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation

extension Scene {
    /// Someone who walks along a path, the phone held in front.
    ///
    /// Each step lifts the body once and each second step moves it to the same side, by some centimetres.
    /// - Reference: Pachi, Ji 2005, "Frequency and velocity of people walking": 1.8 steps a second; Gard, Miff, Kuo 2004,
    ///   "Comparison of kinematic and kinetic methods for computing the vertical motion of the body center of mass
    ///   during walking": 3 to 5 cm from the lowest point to the highest.
    public struct Walk: Hashable, Sendable {
        /// The way: points in the world's x and z, joined by a smooth curve.
        public var points: [Point2] = []
        /// The camera's mean height: the world's y.
        public var heightMeters = 1.45
        /// How fast it goes once it goes.
        public var speed = 1.1
        /// Steps a second at that speed.
        public var stepsInHertz = 1.8
        /// The height's amplitude: half the way from the lowest point to the highest.
        public var bobMeters = 0.02
        /// The amplitude to either side.
        public var swayMeters = 0.02
        /// How far the camera is tilted up.
        public var pitchRadians = -0.15
        /// How long the walker rests at the start.
        public var restSeconds = 1.0

        /// A walker without a way.
        public init() {}
    }
}

extension Scene.Walk: CameraGenerator {
    mutating func visit(_ fields: SceneFields) throws(SceneError) {
        try fields.points("points_m", &points, minimum: 2)
        try fields.number("height_m", &heightMeters, in: SceneRange.anywhere, isRequired: false)
        try fields.number("speed_m_per_s", &speed, in: 0.01...10, isRequired: false)
        try fields.number("step_hz", &stepsInHertz, in: 0.1...10, isRequired: false)
        try fields.number("bob_m", &bobMeters, in: 0...0.5, isRequired: false)
        try fields.number("sway_m", &swayMeters, in: 0...0.5, isRequired: false)
        try fields.number("pitch_rad", &pitchRadians, in: -1.5...1.5, isRequired: false)
        try fields.number("rest_s", &restSeconds, in: 0...3600, isRequired: false)
        for (index, pair) in zip(points, points.dropFirst()).enumerated() where (pair.1 - pair.0).length < 0.01 {
            throw fields.outOfRange(
                "points_m", found: "two points in the same place, the second number \(index + 2)",
                expected: "neighbouring points at least 0.01 m apart")
        }
    }

    var knotSeconds: Double { 0.025 }

    func makeMotion(_ random: inout SeededRandom) -> (Double) -> RigidTransform {
        let start = EasedStart(restSeconds: restSeconds, rampSeconds: 1.5)
        let route = Route(through: points)
        // The harmonics of a step differ from person to person.
        let heel = random.uniform(0.1..<0.25)
        let phase = random.uniform(0..<2 * .pi)
        // The last metre is walked ever more slowly, so that the walker comes to rest at the end.
        let braking = min(1, route.length / 2)
        return { seconds in
            let free = speed * start.progress(at: seconds)
            let overrun = max(0, free - (route.length - braking))
            let distance = min(free, route.length - braking) + braking * (1 - exp(-overrun / braking))
            let pace = start.speed(at: seconds) * exp(-overrun / braking)
            // The phase follows the way: who walks slowly takes slow steps, and who stands takes none.
            let step = 2 * .pi * stepsInHertz * distance / speed
            let (position, heading) = route.place(at: distance)
            let right = Vector3(cos(heading), 0, -sin(heading))
            let bob = -cos(step) + heel * cos(2 * step + phase)
            let sway = sin(step / 2)
            return RigidTransform(
                cameraAt: Point3(position.x, heightMeters + pace * bobMeters * bob, position.y)
                    + right * (pace * swayMeters * sway),
                heading: heading + 0.5 * pace * swayMeters * cos(step / 2),
                pitch: pitchRadians + 0.4 * pace * bobMeters * sin(step),
                roll: 0.6 * pace * swayMeters * sway)
        }
    }
}

/// A way over the ground, by distance.
private struct Route {
    private let points: [Point2]
    private let distances: [Double]

    var length: Double { distances[distances.count - 1] }

    /// A smooth way through the points.
    init(through waypoints: [Point2]) {
        let curve = UniformCubicSpline(through: waypoints)
        var points = [waypoints[0]]
        var distances = [0.0]
        for segment in 0..<(waypoints.count - 1) {
            let count = max(8, Int(((waypoints[segment + 1] - waypoints[segment]).length / 0.02).rounded(.up)))
            for step in 1...count {
                let point = curve.value(at: Double(segment) + Double(step) / Double(count))
                distances.append(distances[distances.count - 1] + (point - points[points.count - 1]).length)
                points.append(point)
            }
        }
        self.points = points
        self.distances = distances
    }

    /// Where the walker is, and the heading to where the way is a little later: people look into a bend.
    func place(at distance: Double) -> (position: Point2, heading: Double) {
        let ahead = mean(around: distance + 0.6, reach: 0.5) - mean(around: distance - 0.2, reach: 0.5)
        return (mean(around: distance, reach: 0.1), atan2(-ahead.x, -ahead.y))
    }

    /// The mean of the way's points nearby, which has no corners; beyond its ends the way goes straight on.
    private func mean(around distance: Double, reach: Double) -> Point2 {
        let offsets = stride(from: -0.8, through: 0.8, by: 0.4)
        return offsets.reduce(Point2.zero) { $0 + point(at: distance + $1 * reach) } / 5
    }

    private func point(at distance: Double) -> Point2 {
        let next = min(max(distances.partitioningIndex { $0 >= distance }, 1), distances.count - 1)
        let span = max(distances[next] - distances[next - 1], 1e-12)
        return points[next - 1] + (points[next] - points[next - 1]) * ((distance - distances[next - 1]) / span)
    }
}

extension Array {
    /// The index of the first element for which an increasing condition holds, or the count.
    fileprivate func partitioningIndex(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
