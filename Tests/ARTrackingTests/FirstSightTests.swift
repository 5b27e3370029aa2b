// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// What the frame that names heading and place tells a motion that is found later.
@Suite struct FirstSightTests {
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

    /// How wrong the heading is, in radians, and what is said of it, twenty frames after the motion was found.
    private static func heading(seed: Int, isFirstSightUsed: Bool) throws -> (error: Double, deviation: Double) {
        let session = try session(seed: seed)
        var run = PointCloudRun(session, isFirstSightUsed: isFirstSightUsed)
        var deviation: Double?
        session.forEachFrame { frame, history in
            guard run.errors.count < 20 else { return }
            run.step(frame, history: history)
            deviation = run.odometry?.filter.poseCovariance.rotationByRotation[1].y.squareRoot()
        }
        return try (#require(run.errors.last).rotation.y, #require(deviation))
    }

    /// With what that frame showed, the heading is known half as uncertainly, errs by as much less over two dozen
    /// sessions (eight are too few to tell), and by no more than is said, although all starts learn that the camera sits
    /// otherwise on the device than was believed.
    @Test(.tags(.slow), .whenSlowTestsRun) func headingIsKnownFromTheFirstSight() throws {
        var (squares, without, normalised, shares) = (0.0, 0.0, 0.0, 0.0)
        let seeds = 1...24
        for seed in seeds {
            let known = try Self.heading(seed: seed, isFirstSightUsed: true)
            let other = try Self.heading(seed: seed, isFirstSightUsed: false)
            squares += known.error * known.error
            without += other.error * other.error
            normalised += pow(known.error / known.deviation, 2) / Double(seeds.count)
            shares += known.deviation / other.deviation / Double(seeds.count)
        }
        #expect(shares < 0.6)
        #expect(squares < 0.6 * without, "\(squares) and \(without)")
        #expect(normalised < 3)
    }

    /// An estimator's first frame, as it is kept.
    private static let sight = Result { try makeFirstSight() }
    /// The camera as the session has it, but sitting on the device as it is said to.
    private static func camera(mountedAs imuFromOptical: RigidTransform) throws -> CameraState {
        var calibration = try CameraState(session(seed: 1).calibration)
        calibration.imuFromOptical = imuFromOptical
        return calibration
    }

    private static func makeFirstSight() throws -> FirstSight {
        let session = try session(seed: 1)
        var run = PointCloudRun(session)
        var first: FirstSight?
        session.forEachFrame { frame, history in
            guard first == nil else { return }
            run.step(frame, history: history)
            first = run.odometry.flatMap { FirstSight($0, points: frame.points, history: history) }
        }
        return try #require(first)
    }

    /// Whatever the resting estimator makes of that frame later: the camera's heading and place there are what they were called
    /// when it was new, and with its next estimate of the frame the heading would be another by a tenth of a milliradian.
    @Test func whatIsLearnedLaterIsNoNewsOfTheHeading() throws {
        let session = try Self.session(seed: 1)
        var run = PointCloudRun(session)
        var (first, called): (FirstSight?, RigidTransform?) = (nil, nil)
        var mostLearned = 0.0
        try session.forEachFrame { frame, history in
            run.step(frame, history: history)
            guard let odometry = run.odometry, odometry.isProvisional else { return }
            let calibration = odometry.filter.calibration
            let mounting = calibration.imuFromOptical
            guard let called else {
                first = FirstSight(odometry, points: frame.points, history: history)
                called = first.map { $0.clone.worldFromImu * mounting }
                return
            }
            first?.learn(from: odometry, history: history)
            let sight = try #require(first)
            let camera =
                sight.clone(errors: odometry.filter.navigation.errors, calibration: calibration)
                .worldFromImu * mounting
            #expect((camera.rotation * called.rotation.inverse).partAboutUp.rotationVector.length < 1e-9)
            #expect((camera.translation - called.translation).length < 1e-12)
            let learned = sight.clone.worldFromImu.rotation * mounting.rotation * called.rotation.inverse
            mostLearned = max(mostLearned, learned.partAboutUp.rotationVector.length)
        }
        #expect(mostLearned > 1e-4)
    }

    /// However the camera is found to sit on the device: its place and its heading stay, and so does what is up for the device.
    @Test(arguments: 0..<10) func anotherMountingTurnsTheDevice(number: Int) throws {
        var random = TestRandom(case: number)
        let first = try Self.sight.get()
        let believed = first.clone.worldFromImu.inverse * first.worldFromOptical
        let mounting = RigidTransform(
            rotation: believed.rotation * Rotation(rotationVector: 0.05 * random.vector3()),
            translation: believed.translation + 0.02 * random.vector3())
        let clone = try first.clone(errors: ImuErrors(), calibration: Self.camera(mountedAs: mounting))
        let camera = clone.worldFromImu * mounting
        #expect((camera.translation - first.worldFromOptical.translation).length < 1e-12)
        let turned = camera.rotation * first.worldFromOptical.rotation.inverse
        #expect(turned.partAboutUp.rotationVector.length < 1e-9)
        let up = Vector3(0, 1, 0)
        let (upInDevice, before) = (
            clone.worldFromImu.rotation.inverse * up, first.clone.worldFromImu.rotation.inverse * up
        )
        #expect((upInDevice - before).length < 1e-12)
        #expect(clone.isAtRest && clone.velocity == .zero)
    }

    /// Whenever the frame is found to have been taken: the device had the attitude and the motion that the samples tell of that instant,
    /// and the camera's heading and place are what they are called.
    @Test(arguments: 0..<10) func anotherInstantIsAnotherAttitude(number: Int) throws {
        var random = TestRandom(case: number)
        let seconds = random.uniform(-0.055...0.055)
        var run = try PointCloudRun(Self.session(seed: 1))
        var (sight, samples): (FirstSight?, ImuHistory?) = (nil, nil)
        run.session.forEachFrame { frame, history in
            run.step(frame, history: history)
            guard let odometry = run.odometry, odometry.isProvisional else { return }
            sight = sight ?? FirstSight(odometry, points: frame.points, history: history)
            sight?.learn(from: odometry, history: history)
            samples = history
        }
        let (first, history) = try (#require(sight), #require(samples))
        let odometry = try #require(run.odometry)
        let errors = odometry.filter.navigation.errors
        var calibration = CameraState(run.session.calibration)
        let before = first.clone(errors: errors, calibration: calibration)
        calibration.timeOffsetSeconds += seconds
        let clone = first.clone(errors: errors, calibration: calibration)
        #expect(abs(clone.instant.seconds(since: before.instant) - seconds) < 1e-9)

        let (from, to) = (min(before.instant, clone.instant), max(before.instant, clone.instant))
        let turn = history.motion(from: from, to: to, errors: errors).rotation
        let up = Vector3(0, 1, 0)
        let turned = (seconds > 0 ? turn.inverse : turn) * (before.worldFromImu.rotation.inverse * up)
        #expect((clone.worldFromImu.rotation.inverse * up - turned).length < 1e-9)

        let camera = clone.worldFromImu * calibration.imuFromOptical
        #expect((camera.translation - first.worldFromOptical.translation).length < 1e-12)
        let heading = (camera.rotation * first.worldFromOptical.rotation.inverse).partAboutUp
        #expect(heading.rotationVector.length < 1e-9)

        let readout = ReadoutMotion(
            about: clone.instant, readoutNanoseconds: calibration.readoutNanoseconds, history: history, errors: errors)
        let late = 0.4e-9 * Double(calibration.readoutNanoseconds)
        #expect(calibration.readoutNanoseconds > 10_000_000)
        let difference = readout.motion(at: late).rotation.inverse * clone.readout.motion(at: late).rotation
        #expect(difference.rotationVector.length < 1e-12)
    }

    /// A phone whose clocks are believed to agree, and are off by more than a frame, knows how wrong it may be: it is the frame's own
    /// instant at which the resting device had the attitude that its samples tell.
    @Test(.tags(.slow), .whenSlowTestsRun) func wrongClocksMakeNobodySure() throws {
        var mean = 0.0
        let seeds = 1...16
        for seed in seeds {
            let session = try Self.session(seed: seed, tremorRadians: 0.004)
            var told = session.calibration
            told.imuFromCameraTimeOffsetNanoseconds += seed.isMultiple(of: 2) ? 40_000_000 : -40_000_000
            var run = PointCloudRun(session, told: told)
            session.forEachFrame { run.step($0, history: $1) }
            let errors = run.errors.dropFirst(10)
            try #require(!errors.isEmpty)
            mean += errors.reduce(0) { $0 + $1.normalized } / Double(errors.count * seeds.count)
        }
        #expect(mean < 6)
    }

    /// Whatever is learned of the accelerometer: a device that rests feels what it felt, so that its attitude is another. Gravity's
    /// strength says nothing of that.
    @Test(arguments: 0..<10) func anotherAccelerometerTurnsTheRest(number: Int) throws {
        var random = TestRandom(case: number)
        let first = try Self.sight.get()
        let mounting = first.clone.worldFromImu.inverse * first.worldFromOptical
        let (up, before) = (Vector3(0, 1, 0), ImuErrors())
        var after = ImuErrors(accelerometerBias: 0.02 * random.vector3())
        for column in 0..<3 { after.accelerometerDistortion[column] = 0.002 * random.vector3() }
        let calibration = try Self.camera(mountedAs: mounting)
        func felt(_ errors: ImuErrors) -> Vector3 {
            let worldFromImu = first.clone(errors: errors, calibration: calibration).worldFromImu.rotation
            let force = 9.81 * (worldFromImu.inverse * up)
            return force + errors.accelerometerBias + errors.accelerometerDistortion * force
        }
        let (was, now) = (felt(before), felt(after))
        // A step of 0.03 m/s² turns by 3 mrad, of which squares and the estimator's own errors leave little.
        let change = after.accelerometerBias + after.accelerometerDistortion * was
        let level = was.normalized()!
        let left = (now - was) - level.dot(now - was) * level
        #expect(change.length > 0.002)
        #expect(left.length < 0.02 * change.length + 1e-4)
    }

    /// Heading and place of the camera have no error there, however little is known of how it sits on the device; which way is up has
    /// the one that it is said to have.
    @Test(arguments: 0..<10) func theCameraIsWhatItIsCalled(number: Int) throws {
        var random = TestRandom(case: number)
        let first = try Self.sight.get()
        let session = try Self.session(seed: 1)
        var calibration = CameraState(session.calibration)
        calibration.imuFromOptical = RigidTransform(
            rotation: random.rotation(), translation: 0.05 * random.vector3())
        var start = DenseMatrix(rows: StartLayout.count, columns: StartLayout.count)
        for variable in 0..<StartLayout.count { start[variable, variable] = pow(random.uniform(0.01...0.02), 2) }
        let layout = StateLayout(cloneCapacity: 3, landmarkCapacity: 1)
        var filter = VisualInertialFilter(
            navigation: NavigationState(
                timestamp: Timestamp(nanoseconds: 0), worldFromImu: random.rigidTransform(), velocity: .zero,
                errors: ImuErrors()),
            covariance: start, calibration: calibration,
            uncertainty: CalibrationUncertainty(exposureVariance: 0, ownFocal: 0.002, principalPoint: 1),
            layout: layout,
            gravity: Vector3(0, -9.81, 0), measurementCapacity: layout.count)
        let clone = first.clone(errors: ImuErrors(), calibration: calibration)
        let byForce = Matrix3x3(0.1 * random.vector3(), 0.1 * random.vector3(), 0.1 * random.vector3())
        let felt = 9.81 * random.vector3()
        filter.addClone(
            1, clone,
            tilt: RestTilt(
                byForce: byForce, felt: felt, covariance: Matrix3x3(diagonal: Vector3(0.01, 0.02, 0.03))))

        // The camera's turn is θ + R Rc φ, and its shift ρ + R δt, where it is at the origin.
        let rotation = clone.worldFromImu.rotation.matrix
        let byMounting = rotation * calibration.imuFromOptical.rotation.matrix
        func variance(_ row: [(first: Int, factors: Vector3)]) -> Double {
            var sum = 0.0
            for a in row {
                for b in row {
                    for i in 0..<3 {
                        for j in 0..<3 {
                            sum += a.factors[i] * filter.covariance[a.first + i, b.first + j] * b.factors[j]
                        }
                    }
                }
            }
            return sum
        }
        let (turn, shift) = (layout.clone(1), layout.clone(1) + 3)
        let up = Vector3(0, 1, 0)
        #expect(
            abs(variance([(turn, up), (StateLayout.extrinsicRotation, byMounting.transpose * up)])) < 1e-15)
        for (axis, tilt) in [(Vector3(1, 0, 0), 0.01), (up, 0.0), (Vector3(0, 0, 1), 0.03)] {
            #expect(
                abs(variance([(shift, axis), (StateLayout.extrinsicTranslation, rotation.transpose * axis)])) < 1e-15)
            guard tilt > 0 else { continue }
            // What the accelerometer's errors do not tell.
            let byAccelerometer = -1 * (byForce.transpose * axis)
            let row =
                [(turn, axis), (StateLayout.accelerometerBias, byAccelerometer)]
                + (0..<3).map { (StateLayout.accelerometerDistortion + 3 * $0, felt[$0] * byAccelerometer) }
            #expect(abs(variance(row.map { (first: $0.0, factors: $0.1) }) - tilt) < 1e-12)
        }
    }
}
