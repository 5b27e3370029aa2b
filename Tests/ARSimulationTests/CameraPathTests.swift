// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct CameraPathTests {
    /// A scene whose camera moves in that way, with the keys that the way requires.
    static func scene(
        _ kind: Scene.CameraPath.Kind, seconds: Double = 20, change: (inout Scene) -> Void = { _ in }
    ) throws -> Scene {
        var scene = try Scene(yaml: smallScene, file: "small")
        scene.finger = nil
        scene.durationSeconds = seconds
        scene.cameraPath = Scene.CameraPath(kind)
        scene.cameraPath.walk.points = [Point2(0, 0), Point2(0, -3), Point2(2, -4), Point2(6, -4)]
        scene.cameraPath.standstill.view.position = Point3(0, 1, 1)
        scene.cameraPath.shake.view = scene.cameraPath.standstill.view
        change(&scene)
        return scene
    }

    private static let generated: [Scene.CameraPath.Kind] = [
        .lookAround, .walk, .orbit, .tableTop, .standstill, .shake,
    ]

    private static func states(of motion: PoseSpline, every step: Double = 0.01) -> [MotionState] {
        stride(from: 0, through: 20, by: step).map(motion.state(at:))
    }

    @Test(arguments: generated) func pathsLastAsLongAsTheScene(kind: Scene.CameraPath.Kind) throws {
        for seconds in [0.5, 7.77, 30] {
            let motion = try Self.scene(kind, seconds: seconds).makeDeviceMotion().worldFromImu
            #expect(motion.endSeconds >= seconds && motion.endSeconds <= seconds + 1.001)
        }
    }

    /// Without tremor people start at rest, and their hands stay within what hands do.
    @Test(arguments: generated) func pathsAreWhatPeopleDo(kind: Scene.CameraPath.Kind) throws {
        let motion = try Self.scene(kind) {
            $0.cameraPath.tremorMeters = 0
            $0.cameraPath.tremorRadians = 0
        }.makeDeviceMotion().worldFromImu
        let states = Self.states(of: motion)
        #expect(states[0].velocity.length < 0.01)
        #expect(states[0].angularVelocityInBody.length < 0.01)
        let isShaken = kind == .shake
        #expect(states.allSatisfy { $0.velocity.length < 2 })
        #expect(states.allSatisfy { $0.acceleration.length < (isShaken ? 20 : 8) })
        #expect(states.allSatisfy { $0.angularVelocityInBody.length < (isShaken ? 8 : 2) })
        let travel = states.map { ($0.worldFromBody.translation - states[0].worldFromBody.translation).length }.max()
        #expect(kind == .standstill ? travel == 0 : (travel ?? 0) > 0.05)
    }

    @Test(arguments: generated) func theSeedDecides(kind: Scene.CameraPath.Kind) throws {
        let motion = { (seed: UInt64) in
            try Self.scene(kind, seconds: 5) { $0.seed = seed }.makeDeviceMotion().worldFromImu
        }
        #expect(try motion(1) == motion(1))
        // A circle is a circle.
        if kind != .orbit { #expect(try motion(1) != motion(2)) }
    }

    @Test(arguments: Scene.CameraPath.Kind.allCases) func filesRoundTrip(kind: Scene.CameraPath.Kind) throws {
        let folder = try TemporaryFolder()
        try Self.write(folder)
        for hasTimes in [false, true] {
            var path = Scene.CameraPath(kind)
            path.tremorMeters = 0.0123
            switch kind {
            case .waypoints:
                for index in 0..<3 {
                    var waypoint = Scene.Waypoint()
                    waypoint.position = Point3(1, Double(index) / 3, 0.5)
                    if hasTimes { waypoint.atSeconds = Double(index * index) * 0.7 }
                    path.waypoints.append(waypoint)
                }
                if !hasTimes { path.intervalSeconds = 0.7 }
            case .trajectory:
                path.trajectory.file = "circle.txt"
                path.trajectory.body = .optical
                path.trajectory.place = hasTimes ? Point3(0.1, 0.2, 1.0 / 3) : nil
                path.trajectory.rotationCutoffInHertz = hasTimes ? 1.0 / 3 : nil
            case .lookAround: path.lookAround.sweepRadians = 1.0 / 3
            case .walk: path.walk.points = [Point2(0, 0), Point2(1.0 / 3, 2)]
            case .orbit: path.orbit.rateRadiansPerSecond = -1.0 / 3
            case .tableTop: path.tableTop.center = Point3(1.0 / 3, 0, 0)
            case .standstill: path.standstill.view.position = Point3(0, 1.0 / 3, 1)
            case .shake: path.shake.view.position = Point3(0, 1.0 / 3, 1)
            }
            var scene = try Self.scene(kind, seconds: 1.4)
            scene.cameraPath = path
            scene.folder = folder.url
            #expect(try scene.validated() == scene)
        }
    }

    // MARK: The ways

    @Test func aWalkHasSteps() throws {
        let scene = try Self.scene(.walk) {
            $0.cameraPath.tremorMeters = 0
            $0.cameraPath.tremorRadians = 0
        }
        let settings = scene.cameraPath.walk
        let states = Self.states(of: try scene.makeDeviceMotion().worldFromImu)
        // The middle of the way, at full speed.
        let middle = states[400..<700]
        let heights = middle.map(\.worldFromBody.translation.y)
        let mean = heights.reduce(0, +) / Double(heights.count)
        #expect(abs(mean - settings.heightMeters) < 0.005)
        let range = (heights.max() ?? 0) - (heights.min() ?? 0)
        #expect((1.8...2.6).contains(range / settings.bobMeters))
        // Each step crosses the mean height upwards once.
        let steps = zip(heights, heights.dropFirst()).filter { $0 < mean && $1 >= mean }.count
        #expect(abs(Double(steps) - 3 * settings.stepsInHertz) <= 1)
        let speeds = middle.map { Vector2($0.velocity.x, $0.velocity.z).length }
        #expect(abs(speeds.reduce(0, +) / Double(speeds.count) - settings.speed) < 0.05)
        // It looks where it goes, and ends at rest at the last point.
        for state in middle {
            let view = state.worldFromBody.rotation * (RigidTransform.opticalFromCamera.rotation * Vector3(0, 0, -1))
            let way = Vector3(state.velocity.x, 0, state.velocity.z)
            #expect((way.normalized()?.dot(view) ?? 0) > 0.75)
        }
        #expect((states[states.count - 1].worldFromBody.translation - Point3(6, 1.45, -4)).length < 0.1)
        #expect(states[states.count - 1].velocity.length < 0.01)
    }

    @Test func anOrbitLooksAtItsCenter() throws {
        let scene = try Self.scene(.orbit) { $0.cameraPath.orbit.rateRadiansPerSecond = 3 }
        let states = Self.states(of: try scene.makeDeviceMotion().worldFromImu).dropFirst(200)
        for state in states {
            let center = state.worldFromBody.inverse * Point3.zero
            #expect(center.z > 0 && Vector2(center.x, center.y).length < 1e-4)
            #expect(abs(Vector2(state.velocity.x, state.velocity.z).length - 3) < 1e-3)
            #expect(abs(Vector2(state.acceleration.x, state.acceleration.z).length - 9) < 0.02)
        }
    }

    @Test func aShakeIsAsFastAsAsked() throws {
        let scene = try Self.scene(.shake) { $0.cameraPath.shake.peakRadiansPerSecond = 7 }
        let states = Self.states(of: try scene.makeDeviceMotion().worldFromImu)
        let fastest = states.map(\.angularVelocityInBody.length).max() ?? 0
        #expect((6.3...7.7).contains(fastest))
    }

    @Test func aTableIsSeenFromAllSides() throws {
        let scene = try Self.scene(.tableTop, seconds: 30)
        let states = Self.states(of: try scene.makeDeviceMotion().worldFromImu, every: 0.1)
        let angle = 0.35
        for state in states {
            let center = state.worldFromBody.inverse * Point3.zero
            #expect(center.z > 0.3 && center.z < 1.4)
            #expect(Vector2(center.x, center.y).length < tan(angle) * center.z)
        }
        let azimuths = states.map { atan2($0.worldFromBody.translation.x, $0.worldFromBody.translation.z) }
        #expect((azimuths.max() ?? 0) > 0.8 && (azimuths.min() ?? 0) < -0.7)
    }

    @Test func waypointsWithTimesAreMet() throws {
        let times = [0.0, 0.4, 1.5, 3.7, 4.0]
        let scene = try Self.scene(.waypoints, seconds: 4) { scene in
            scene.cameraPath.waypoints = times.enumerated().map { index, time in
                var waypoint = Scene.Waypoint()
                waypoint.atSeconds = time
                waypoint.position = Point3(Double(index) * 0.2, 1, 1 + Double(index % 2) * 0.1)
                waypoint.lookAt = Point3(0.1 * Double(index), 0, 0)
                return waypoint
            }
        }.validated()
        let motion = try scene.makeDeviceMotion().worldFromImu
        for (waypoint, time) in zip(scene.cameraPath.waypoints, times) {
            let pose = try #require(waypoint.worldFromCamera)
            // Between the knots of the final spline, an eighth of the shortest interval apart.
            expectClose(
                motion.worldFromBody(at: time) * .opticalFromCamera, pose, radians: 2e-4, metres: 1e-4, "at \(time)")
        }
    }

    /// The camera goes the same way, wherever the inertial sensor sits beside it.
    @Test func theCameraDoesNotCareWhereTheSensorIs() throws {
        let without = try Self.scene(.tableTop)
        var with = without
        with.imu = Scene.ImuSettings(.phone)
        with.imu?.imuFromOpticalMatrix[3, 0] = 0.1
        let (plain, sensed) = (try SceneSession(scene: without), try SceneSession(scene: with))
        for time in stride(from: 0.0, through: 20, by: 0.37) {
            expectClose(
                sensed.worldFromCamera(at: time), plain.worldFromCamera(at: time), radians: 1e-9, metres: 1e-6)
        }
    }

    // MARK: Trajectory files

    /// A file with a body that circles, as EuRoC's Z-up poses at 50 Hz.
    private static func write(_ folder: TemporaryFolder) throws {
        let rows = (0...500).map { index -> String in
            let angle = Double(index) / 100
            return
                "\(1000 + Double(index) / 50) \(2 + cos(angle)) \(sin(angle)) 1.5 0 0 \(sin(angle / 2)) \(cos(angle / 2))"
        }
        try folder.write(rows.joined(separator: "\n"), to: "circle.txt")
    }

    private static func recorded(
        _ folder: TemporaryFolder, change: (inout Scene.TrajectoryFile) -> Void = { _ in }
    ) throws -> Scene {
        try scene(.trajectory, seconds: 4) {
            $0.folder = folder.url
            $0.cameraPath.trajectory.file = "circle.txt"
            change(&$0.cameraPath.trajectory)
        }.validated()
    }

    @Test func recordedMotionsArePlaced() throws {
        let folder = try TemporaryFolder()
        try Self.write(folder)
        let asRecorded = try Self.recorded(folder) { $0.startSeconds = 1 }
        // One second into the file the angle is 0.5 rad; the file's y is our −z.
        let pose = try asRecorded.makeDeviceMotion().worldFromImu.worldFromBody(at: 0)
        expectClose(pose.translation, Point3(2 + cos(0.5), 1.5, -sin(0.5)), tolerance: 1e-3)
        expectClose(pose.rotation * Vector3(1, 0, 0), Vector3(cos(0.5), 0, -sin(0.5)), tolerance: 1e-3)
        expectClose(pose.rotation * Vector3(0, 0, 1), Vector3(0, 1, 0), tolerance: 1e-3)

        let placed = try Self.recorded(folder) {
            $0.startSeconds = 1
            $0.scale = 2
            $0.turnRadians = 0.3
            $0.place = Point3(7, 8, 9)
        }.makeDeviceMotion()
        let start = placed.worldFromImu.state(at: 0)
        expectClose(start.worldFromBody.translation, Point3(7, 8, 9), tolerance: 2e-3)
        expectClose(start.worldFromBody.rotation * Vector3(1, 0, 0), Vector3(cos(0.8), 0, -sin(0.8)), tolerance: 1e-3)
        // The speed on the circle is half a metre per second, doubled.
        expectClose(placed.worldFromImu.state(at: 2).velocity.length, 1, tolerance: 1e-3)
        #expect(try #require(placed.fit).positionResidual < 1e-3)
    }

    /// A scene may begin between two rows of the file, here 20 ms apart, and last to just before the file's end.
    @Test func aSceneBeginsBetweenTwoPoses() throws {
        let folder = try TemporaryFolder()
        try Self.write(folder)
        for (start, seconds) in [(1.007, 4.0), (2.0199, 4), (0.001, 9.998)] {
            var scene = try Self.recorded(folder) { $0.startSeconds = start }
            scene.durationSeconds = seconds
            let motion = try scene.makeDeviceMotion().worldFromImu
            #expect(motion.startSeconds <= 0 && motion.endSeconds >= seconds)
            for time in [0, 0.3, 1, seconds / 2] {
                let angle = (start + time) / 2
                // A shift by 7 ms would be 3.5 mm at half a metre a second; the smoothing at the ends costs 0.1 mm.
                expectClose(
                    motion.worldFromBody(at: time).translation, Point3(2 + cos(angle), 1.5, -sin(angle)),
                    tolerance: 5e-4)
            }
            let place = Point3(7, 8, 9)
            scene.cameraPath.trajectory.place = place
            expectClose(
                try scene.makeDeviceMotion().worldFromImu.worldFromBody(at: 0).translation, place, tolerance: 5e-4)
        }
    }

    @Test func theBodyMayBeTheCamera() throws {
        let folder = try TemporaryFolder()
        try Self.write(folder)
        for (body, cameraFromBody) in [
            (Scene.TrajectoryFile.Body.camera, RigidTransform.identity), (.optical, .cameraFromOptical),
        ] {
            var scene = try Self.recorded(folder) { $0.body = body }
            scene.imu = Scene.ImuSettings(.phone)
            let session = try SceneSession(scene: scene)
            expectClose(
                session.worldFromCamera(at: 0) * cameraFromBody,
                .yUpFromZUp * RigidTransform(translation: Point3(3, 0, 1.5)), radians: 2e-3, metres: 2e-3)
        }
    }

    /// Each case: what is written under `camera_path`, and the message after the file's name.
    static let malformed: [(path: String, message: String)] = [
        (
            "kind: fly",
            "12:9: 'kind' is 'fly', expected one of waypoints, trajectory, look_around, walk, orbit, table_top, standstill, shake"
        ),
        (
            "kind: orbit\n  center_m: [0, 0, 0]",
            "12:3: the key 'radius_m' is missing here; add `radius_m:` with a number, 0.01 to 10000.0"
        ),
        (
            "kind: orbit\n  center_m: [0, 0, 0]\n  radius_m: 1\n  waypoints: []",
            "15:3: the key 'waypoints' is unknown here; known are 'kind', 'center_m', 'radius_m', 'height_m', 'start_rad', 'rate_rad_per_s', 'rest_s', 'tremor_m', 'tremor_rad'"
        ),
        (
            "kind: walk\n  points_m: [[0, 0]]",
            "13:13: 'points_m' is a list of 1, expected a list of at least 2 points, each a list of 2 numbers"
        ),
        (
            "kind: walk\n  points_m: [[0, 0], [1, 0], [1, 0]]",
            "13:13: 'points_m' is two points in the same place, the second number 3, expected neighbouring points at least 0.01 m apart"
        ),
        (
            "kind: standstill\n  position_m: [0, 1, 0]\n  look_at_m: [0, 0, 0]",
            "14:14: 'look_at_m' is straight above, below or at the camera, expected a point beside the vertical through the camera"
        ),
        (
            "waypoints:\n  - {at_s: 0, position_m: [0, 1, 1], look_at_m: [0, 0, 0]}\n  - {position_m: [0, 1, 1], look_at_m: [0, 0, 0]}",
            "14:7: 'waypoints' is waypoints with and without at_s, expected at_s in all or in none"
        ),
        (
            "waypoints:\n  - {at_s: 1, position_m: [0, 1, 1], look_at_m: [0, 0, 0]}\n  - {at_s: 2, position_m: [0, 1, 1], look_at_m: [0, 0, 0]}",
            "13:14: 'at_s' is 1.0, expected 0 for the first waypoint"
        ),
        (
            "waypoints:\n  - {at_s: 0, position_m: [0, 1, 1], look_at_m: [0, 0, 0]}\n  - {at_s: 0, position_m: [0, 1, 1], look_at_m: [0, 0, 0]}",
            "14:14: 'at_s' is 0.0, expected at least 0.01 more than the one before"
        ),
        (
            "kind: trajectory\n  file: circle.txt\n  start_s: 9",
            "13:9: 'file' is a trajectory that ends 1.0 s after start_s, expected one that goes on for duration_s, 2.0"
        ),
        (
            "kind: trajectory\n  file: broken.txt",
            "13:9: the trajectory FOLDER/broken.txt cannot be read: broken.txt:2: found"
        ),
        (
            "kind: trajectory\n  file: absent.txt",
            "13:9: the trajectory FOLDER/absent.txt cannot be read: absent.txt: found"
        ),
    ]

    @Test(arguments: malformed) func malformedPathsAreRefused(path: String, message: String) throws {
        let folder = try TemporaryFolder()
        try Self.write(folder)
        try folder.write("1 0 0 0 0 0 0 1\n2 0 0 zero 0 0 0 1\n", to: "broken.txt")
        let start = try #require(smallScene.range(of: "camera_path:\n"))
        let end = try #require(smallScene.range(of: "materials:"))
        let yaml =
            smallScene[..<start.upperBound] + "  \(path)\n".replacingOccurrences(of: "\n  -", with: "\n    -")
            + smallScene[end.lowerBound...]
        try folder.write(String(yaml), to: "s.yaml")
        let error = #expect(throws: SceneError.self) { try Scene(contentsOf: folder("s.yaml")) }
        let text = error.map { "\($0)" }?.replacingOccurrences(of: folder.url.path, with: "FOLDER") ?? ""
        #expect(text.hasPrefix("FOLDER/s.yaml:" + message), "\(text)")
    }
}

@Suite struct HandTremorTests {
    /// Deviations as asked, a steep fall, and the physiological tremor's hill around 10 Hz; all of it carried by the knots.
    @Test func spectrum() throws {
        let scene = try CameraPathTests.scene(.standstill, seconds: 120)
        let motion = try scene.makeDeviceMotion().worldFromImu
        let states = stride(from: 0.0, to: 120, by: 0.005).map(motion.state(at:))
        let first = states[0].worldFromBody
        let positions = states.map { $0.worldFromBody.translation }
        let turns = states.map { (first.rotation.inverse * $0.worldFromBody.rotation).rotationVector }
        for (values, deviation) in [(positions, 0.002), (turns, 0.004)] {
            let all = values.deviation(between: 0.1, and: 20) / 3.0.squareRoot()
            // Welch's pieces of four seconds miss some of the slow sway.
            #expect((0.5...1.3).contains(all / deviation))
            let density = { (low: Double, high: Double) in
                values.deviation(between: low, and: high) / (high - low).squareRoot()
            }
            #expect(density(2, 4) / density(4, 8) > 2.5)
            #expect(density(4, 8) / density(8, 12) < 4.5)
            #expect(density(8, 12) / density(12, 14) > 2)
            #expect(density(15, 30) < 0.02 * density(8, 12))
        }
        // In the bands of the recorded table-tops, within a factor of two and a half of the calmest, table_03.
        let accelerations = states.map(\.acceleration)
        let rates = states.map(\.angularVelocityInBody)
        for (values, low, high, recorded) in [
            (accelerations, 4.0, 8.0, 0.32), (accelerations, 8, 12, 0.31), (rates, 4, 8, 0.046), (rates, 8, 12, 0.034),
        ] {
            #expect((0.4...2.5).contains(values.deviation(between: low, and: high) / recorded))
        }
    }

    /// Tremor is noise: in a minute no frequency stands out of its neighbours, and the axes have little in common, as in the
    /// recorded table-tops.
    @Test func hasNoLines() throws {
        let motion = try CameraPathTests.scene(.standstill, seconds: 60).makeDeviceMotion().worldFromImu
        let states = stride(from: 0.0, to: 60, by: 1 / Self.rate).map(motion.state(at:))
        for values in [states.map(\.acceleration), states.map(\.angularVelocityInBody)] {
            let powers = (240..<780).map { values[...].wave(inHertz: Double($0) / 60, rate: Self.rate).power }
            let reach = 30
            for index in reach..<powers.count - reach {
                let mean = powers[index - reach...index + reach].reduce(.zero, +) / Double(2 * reach + 1)
                #expect((powers[index] / mean).max() < 16, "at \(Double(240 + index) / 60) Hz")
            }
            #expect(Self.meanCoherence(of: values) < 0.15)
        }
    }

    /// In hertz; the motion has nothing above half of it.
    private static let rate = 40.0

    /// What two axes each have in common from 6 to 13 Hz.
    private static func meanCoherence(of values: [Vector3]) -> Double {
        let length = Int(4 * rate)
        let coherences = (24..<52).flatMap { bin in
            let waves = stride(from: 0, through: values.count - length, by: length / 2).map {
                values[$0..<$0 + length].wave(inHertz: Double(bin) / 4, rate: rate)
            }
            let powers = waves.reduce(Vector3.zero) { $0 + $1.power }
            return [(0, 1), (1, 2), (2, 0)].map { one, other in
                let real = waves.reduce(0) {
                    $0 + $1.cosines[one] * $1.cosines[other] + $1.sines[one] * $1.sines[other]
                }
                let imaginary = waves.reduce(0) {
                    $0 + $1.cosines[one] * $1.sines[other] - $1.sines[one] * $1.cosines[other]
                }
                return (real * real + imaginary * imaginary) / (powers[one] * powers[other])
            }
        }
        return coherences.reduce(0, +) / Double(coherences.count)
    }
}

extension ArraySlice<Vector3> {
    /// The wave of a frequency in numbers under Hann's window.
    fileprivate func wave(inHertz frequency: Double, rate: Double) -> Wave {
        var wave = Wave()
        for (index, value) in enumerated() {
            let window = 1 - cos(2 * .pi * (Double(index) + 0.5) / Double(count))
            let angle = 2 * .pi * frequency / rate * Double(index)
            wave.cosines += value * (window * cos(angle))
            wave.sines += value * (window * sin(angle))
        }
        return wave
    }
}

private struct Wave {
    var cosines = Vector3.zero
    var sines = Vector3.zero

    var power: Vector3 { cosines * cosines + sines * sines }
}
