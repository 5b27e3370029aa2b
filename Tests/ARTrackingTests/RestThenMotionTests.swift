// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// What a phone that was held still knows of heading and place when it is moved.
@Suite struct RestThenMotionTests {
    /// A phone that is held still for two seconds, and then moved before a desk.
    private static func session(seed: Int, tremorRadians: Double = 0.001) throws -> PointCloudSession {
        let waypoints = [
            (0.0, "[0, 1.2, 0.9]", "[0, 0.6, -0.5]"), (1.0, "[0, 1.2, 0.9]", "[0, 0.6, -0.5]"),
            (2.0, "[0, 1.2, 0.9]", "[0, 0.6, -0.5]"), (2.6, "[0.25, 1.3, 0.8]", "[0.1, 0.6, -0.5]"),
            (3.2, "[0.1, 1.1, 0.7]", "[0.2, 0.5, -0.5]"), (3.8, "[-0.2, 1.3, 0.8]", "[0, 0.6, -0.5]"),
            (4.4, "[0, 1.2, 0.9]", "[0.1, 0.6, -0.5]"),
        ].map { "{at_s: \($0), position_m: \($1), look_at_m: \($2)}" }.joined(separator: ", ")
        var session = try OdometryTests.session(
            "{kind: waypoints, tremor_m: 0.0005, tremor_rad: \(tremorRadians), waypoints: [\(waypoints)]}", seconds: 4,
            seed: UInt64(seed))
        session.lossProbability = 0.004
        session.pixelNoise = 0.15
        session.pixelDeviation = 0.2
        return session
    }

    private static let pickedUp = "motion/table_02.txt"
    private static let motionsAreMissing: Comment =
        "the recorded motions are not here: set ARSIM_DATA to the folder that holds motion"

    /// A phone that is picked up from a table after a rest, as one was. All eight seconds say where points may be.
    private static func sessionOfPickedUpPhone(seed: Int) throws -> PointCloudSession {
        var session = try OdometryTests.session(
            "{kind: trajectory, file: '\(RealData.url(pickedUp).path)', body: optical}", seconds: 8, seed: UInt64(seed))
        session.lossProbability = 0.004
        session.pixelNoise = 0.15
        session.pixelDeviation = 0.2
        return session
    }

    /// What is told of a camera when its clock is off by 40 ms, to the one side or to the other.
    private static func otherClocks(than camera: CameraCalibration, seed: Int) -> CameraCalibration {
        var told = camera
        told.imuFromCameraTimeOffsetNanoseconds += seed.isMultiple(of: 2) ? 40_000_000 : -40_000_000
        return told
    }

    /// A phone in a hand that sways by four millimetres, up and down, and turns it by 1.5° to both sides has a pose within half a second, and
    /// moves no faster than is said.
    @Test func aSwayingHandIsAtRest() throws {
        let period = 0.6
        let waypoints = (0...9).map { step in
            let side = step.isMultiple(of: 2) ? 1.0 : -1.0
            let (height, aim) = (1.2 + 0.004 * side, 0.04 * side)
            return
                "{at_s: \(period / 2 * Double(step)), position_m: [0, \(height), 0.9], look_at_m: [\(aim), 0.6, -0.5]}"
        }.joined(separator: ", ")
        var mean = 0.0
        let seeds = 1...16
        for seed in seeds {
            let session = try OdometryTests.session(
                "{kind: waypoints, waypoints: [\(waypoints)]}", seconds: 2, seed: UInt64(seed))
            // Another instant of the sway with each seed.
            let begin = 0.07 + period * Double(seed) / Double(seeds.count)
            var run = PointCloudRun(session, from: begin)
            var first: (seconds: Double, velocity: Double)?
            session.forEachFrame { frame, history in
                run.step(frame, history: history)
                guard first == nil, let filter = run.odometry?.filter else { return }
                let error = filter.navigation.velocity.y - session.state(at: frame.seconds).velocity.y
                first = (frame.seconds, error / filter.deviation.velocity)
            }
            let start = try #require(first)
            #expect(start.seconds - begin < 0.5)
            mean += start.velocity * start.velocity / Double(seeds.count)
        }
        #expect(mean < ChiSquare.quantile95(degreesOfFreedom: seeds.count) / Double(seeds.count), "\(mean)")
    }

    /// A phone whose clocks are off by more than a frame is picked up from a table, after a rest: a quarter of a second of that tells its
    /// motion, and its clocks to 8 ms.
    @Test(.enabled(if: RealData.has(pickedUp), motionsAreMissing))
    func wrongClocksAreFoundSoon() throws {
        let settings = InitialisationSettings()
        let (seeds, span) = (1...16, 2.85..<4.85)
        let trusted = try seeds.count { seed in
            let session = try Self.sessionOfPickedUpPhone(seed: seed)
            let (frames, samples) = session.take(during: span)
            let told = Self.otherClocks(than: session.calibration, seed: seed)
            guard
                let found = MotionAlignment(
                    frames: frames, history: samples, calibration: CameraState(told), settings: settings),
                found.isTrusted(by: settings, seconds: 2)
            else { return false }
            #expect(abs(found.motion.calibration.timeOffsetSeconds) < 0.008)
            return true
        }
        #expect(trusted >= 15, "\(trusted)")
    }

    /// A phone whose clocks are off by more than a frame is picked up from a table, and turned: before its motion is known, its clocks are, to
    /// half of that.
    @Test(.enabled(if: RealData.has(pickedUp), motionsAreMissing))
    func theFirstTurnTellsTheClocks() throws {
        var squares = 0.0
        let seeds = 1...4
        for seed in seeds {
            let session = try Self.sessionOfPickedUpPhone(seed: seed)
            var run = PointCloudRun(session, from: 2.85, told: Self.otherClocks(than: session.calibration, seed: seed))
            var offset: Double?
            session.forEachFrame { frame, history in
                run.step(frame, history: history)
                guard let odometry = run.odometry, odometry.isProvisional else { return }
                offset = odometry.filter.calibration.timeOffsetSeconds
            }
            let error = try #require(offset) - CameraState(session.calibration).timeOffsetSeconds
            squares += error * error / Double(seeds.count)
        }
        #expect(squares < 0.02 * 0.02, "\(squares)")
    }

    private static let lifted = "motion/MH_03_medium.txt"

    /// A device with EuRoC's camera that is lifted as its drone was, where things are six metres away and farther.
    private static func sessionInHall(seed: Int) throws -> PointCloudSession {
        var session = try OdometryTests.session(
            "{kind: trajectory, file: '\(RealData.url(lifted).path)', body: imu}", seconds: 3, seed: UInt64(seed),
            imu: "rate_hz: 200, imu_from_optical: [0, -1, 0, -0.022, 1, 0, 0, -0.065, 0, 0, 1, 0.01, 0, 0, 0, 1]",
            camera: "preset: euroc", margin: Vector3(6, 2, 6), pointsPerSquareMeter: 5)
        session.pixelNoise = 0.15
        session.pixelDeviation = 0.2
        return session
    }

    /// Half a second after it is lifted in a hall, just before its motion is known, a device errs by no more than it says, be its clocks
    /// right or off by 40 ms, and by no more than 15 cm: pictures tell with each frame how far it came, and each time as if all were as far
    /// as a table.
    @Test(.enabled(if: RealData.has(lifted), motionsAreMissing), arguments: [false, true])
    func aHallIsNoTable(areClocksWrong: Bool) throws {
        try Self.expectErrorsBeforeMotionIsKnown(below: 0.15) { seed in
            let session = try Self.sessionInHall(seed: seed)
            let told = areClocksWrong ? Self.otherClocks(than: session.calibration, seed: seed) : session.calibration
            return (session, PointCloudRun(session, told: told))
        }
    }

    /// Expects of eight sessions that the last third of a second before their motion is known errs by no more than is said, and by less than so many
    /// metres: means over the sessions, of their largest error.
    private static func expectErrorsBeforeMotionIsKnown(
        below meters: Double, sourceLocation: SourceLocation = #_sourceLocation,
        of makeRun: (_ seed: Int) throws -> (session: PointCloudSession, run: PointCloudRun)
    ) throws {
        var (position, normalized) = (0.0, 0.0)
        let seeds = 1...8
        for seed in seeds {
            let made = try makeRun(seed)
            var run = made.run
            made.session.forEachFrame { run.step($0, history: $1) }
            let errors = run.provisionalErrors.suffix(10)
            position += try #require(errors.map { $0.position.length }.max()) / Double(seeds.count)
            normalized += errors.reduce(0) { $0 + $1.normalized } / Double(errors.count * seeds.count)
        }
        #expect(position < meters, "\(position)", sourceLocation: sourceLocation)
        #expect(
            normalized < ChiSquare.quantile95(degreesOfFreedom: 6), "\(normalized)", sourceLocation: sourceLocation)
    }

    /// Somebody who stood still sets out to walk through a hall, whose walls ahead grow little at first: just before the motion is known, the
    /// phone errs by no more than it says, and by no more than 4 cm.
    @Test func whoSetsOutIsNotHeldBack() throws {
        let walk = """
            {kind: walk, points_m: [[1.35, 1.5], [-0.2, 1.35], [-1.5, 0.9]], height_m: 1.45, speed_m_per_s: 0.8,
            pitch_rad: -0.3}
            """
        try Self.expectErrorsBeforeMotionIsKnown(below: 0.04) { seed in
            let session = try OdometryTests.session(
                walk, seconds: 3, seed: UInt64(seed), margin: Vector3(4, 2, 4), pointsPerSquareMeter: 20)
            // Another instant of the walk with each seed.
            return (session, PointCloudRun(session, from: 0.27 * Double(seed) / 8))
        }
    }

    /// How far off the heading is in the so-manieth frame since the motion was found, and the variance that is said of it.
    private static func heading(
        of session: PointCloudSession, told: CameraCalibration? = nil, inFrame count: Int
    ) throws -> (error: Double, variance: Double) {
        var run = PointCloudRun(session, told: told)
        var variance: Double?
        session.forEachFrame { frame, history in
            guard run.errors.count < count else { return }
            run.step(frame, history: history)
            variance = run.odometry?.filter.poseCovariance.rotationByRotation[1].y
        }
        return try (#require(run.errors.last).rotation.y, #require(variance))
    }

    /// Twenty frames after its motion was found, the heading is known to half a milliradian, and errs by no more than is said.
    @Test(.tags(.slow), .whenSlowTestsRun) func headingIsKnownThroughARest() throws {
        let seeds = 1...12
        let headings = try seeds.map { try Self.heading(of: Self.session(seed: $0), inFrame: 20) }
        let square = headings.reduce(0) { $0 + $1.error * $1.error } / Double(seeds.count)
        let normalised = headings.reduce(0) { $0 + $1.error * $1.error / $1.variance } / Double(seeds.count)
        #expect(square < 0.0005 * 0.0005)
        #expect(normalised < 2, "\(normalised)")
    }

    /// A phone in a hand that trembles, whose clocks are off by more than a frame, is headed for what its first pose said, when its motion is
    /// known, by no more than is said: how it turned between when that frame was taken and when that was believed to be is found with the clocks.
    @Test(.tags(.slow), .whenSlowTestsRun) func theFirstPoseNamesTheHeading() throws {
        let seeds = 1...12
        let headings = try seeds.map { seed in
            let session = try Self.session(seed: seed, tremorRadians: 0.004)
            return try Self.heading(
                of: session, told: Self.otherClocks(than: session.calibration, seed: seed), inFrame: 1)
        }
        let normalised = headings.reduce(0) { $0 + $1.error * $1.error / $1.variance } / Double(seeds.count)
        #expect(normalised < 2, "\(normalised)")
    }

    /// A phone whose clocks are believed to agree, and are off by more than a frame, knows how wrong it may be: the heading was what it
    /// was when a frame was taken, not when that was believed to be.
    @Test(.tags(.slow), .whenSlowTestsRun) func wrongClocksMakeNobodySure() throws {
        var mean = 0.0
        let seeds = 1...16
        for seed in seeds {
            let session = try Self.session(seed: seed, tremorRadians: 0.004)
            var run = PointCloudRun(session, told: Self.otherClocks(than: session.calibration, seed: seed))
            session.forEachFrame { run.step($0, history: $1) }
            let errors = run.errors.dropFirst(10)
            try #require(!errors.isEmpty)
            mean += errors.reduce(0) { $0 + $1.normalized } / Double(errors.count * seeds.count)
        }
        #expect(mean < ChiSquare.quantile95(degreesOfFreedom: 6 * seeds.count) / Double(seeds.count), "\(mean)")
    }
}
