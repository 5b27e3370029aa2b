// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import ARSimulation
import TestSupport
import Testing

@testable import ARTracking

@Suite struct MotionAlignmentTests {
    /// Windows of a second and a half from a walk: those that are believed have their scale right within 10 %, nearly all within
    /// 5 %, and most are believed.
    @Test(.tags(.slow), .whenSlowTestsRun) func tellsScaleAndHowWell() throws {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 9, seed: 5)
        let (frames, samples) = session.take()
        let settings = InitialisationSettings()
        var (tried, errors) = (0, [Double]())
        for start in stride(from: 15, to: frames.count - 45, by: 10) {
            let window = Array(frames[start..<(start + 45)])
            tried += 1
            guard
                let found = MotionAlignment(
                    frames: window, history: samples, calibration: CameraState(session.calibration), settings: settings),
                found.isTrusted(by: settings, seconds: 1.5)
            else { continue }
            let (first, last) = (found.timestamp, window[44].timestamp)
            let motion = samples.motion(from: first, to: last, errors: found.motion.errors)
            let t = motion.seconds
            let way = found.motion.velocity * t + found.motion.gravity * (0.5 * t * t) + motion.position
            let truth = [first, last].map {
                session.state(at: $0.seconds(since: SceneSession.start)).worldFromBody.translation
            }
            errors.append(abs(way.length / (truth[1] - truth[0]).length - 1))
            #expect(abs(found.motion.gravity.length - 9.81) < 0.1)
        }
        #expect(errors.count * 10 >= tried * 7)
        #expect(errors.allSatisfy { $0 < 0.1 })
        #expect(errors.count { $0 < 0.05 } * 10 >= errors.count * 9)
    }

    /// A phone whose accelerometer is three times as noisy as others: where the scale is believed, the velocity is as good as
    /// its covariance says, or better, because rays are taken to be worse than they seem.
    @Test(.tags(.slow), .whenSlowTestsRun) func noisySamplesAreNotOverrated() throws {
        let settings = InitialisationSettings()
        var (squares, count) = (0.0, 0)
        for seed in 1...4 as ClosedRange<UInt64> {
            let session = try OdometryTests.session(
                OdometryTests.paths[0], seconds: 8, seed: seed,
                imu: "rate_hz: 200, accelerometer_noise_density_m_per_s2_per_sqrt_hz: 0.004")
            let (frames, samples) = session.take()
            for start in stride(from: 15, to: frames.count - 60, by: 30) {
                guard
                    let found = MotionAlignment(
                        frames: Array(frames[start..<(start + 60)]), history: samples,
                        calibration: CameraState(session.calibration), settings: settings),
                    found.isTrusted(by: settings, seconds: 2)
                else { continue }
                let truth = session.state(at: found.timestamp.seconds(since: SceneSession.start))
                let error = found.motion.velocity - truth.worldFromBody.rotation.inverse * truth.velocity
                let covariance = found.motion.covariance.block(StartLayout.velocity, StartLayout.velocity)
                squares += try error.dot(#require(covariance.inverse) * error)
                count += 1
            }
        }
        #expect(count >= 4)
        #expect(squares < ChiSquare.quantile95(degreesOfFreedom: 3 * count), "\(squares) of \(count)")
    }

    /// A frame of the window that shows none of the points, as a blurred one may, is no obstacle.
    @Test func aFrameMayShowNothing() throws {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 3, seed: 5)
        var (frames, samples) = session.take(during: 1.2..<2.7)
        // Every fourth frame or so takes part.
        for index in 18...22 { frames[index].points = [] }
        let settings = InitialisationSettings()
        let found = try #require(
            MotionAlignment(
                frames: frames, history: samples, calibration: CameraState(session.calibration), settings: settings))
        #expect(found.isTrusted(by: settings, seconds: 1.5))
    }

    /// A phone that rattles in its mount, so that its samples are far noisier than they are said to be: that shows in what their noise
    /// would have had to do, and no start is made of them.
    @Test func samplesThatRattleAreNotBelieved() throws {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 3, seed: 5)
        let (frames, samples) = session.take(during: 1.2..<2.6)
        var random = SeededRandom(seed: 3, purpose: "rattle")
        func found(rattle: Double) throws -> RefinedMotion {
            var history = ImuHistory(calibration: try #require(session.scene.imu).calibration)
            for sample in samples.samples(in: try #require(samples.span)) {
                var spoiled = sample
                spoiled.specificForce += random.normalTriple() * rattle
                history.insert(spoiled)
            }
            let calibration = CameraState(session.calibration)
            return try #require(
                MotionAlignment(
                    frames: frames, history: history, calibration: calibration, settings: InitialisationSettings())
            ).motion
        }
        let (still, rattling) = (try found(rattle: 0), try found(rattle: 2))
        let limit = ChiSquare.quantile95(degreesOfFreedom: PoseNoise.size * still.noise.count)
        #expect(still.noiseSquares < limit / 3)
        #expect(rattling.noise.count == still.noise.count && rattling.noiseSquares > limit)
    }

    /// Pictures that are turned by themselves are found out, and by how much they are; a motion that is believed with them has its scale
    /// right within 5 %, and known twice as well as with steady pictures, which are found to be steady.
    @Test(arguments: [0, 0.001, 0.002, 0.004]) func picturesMayShake(shake: Double) throws {
        var session = try OdometryTests.session(OdometryTests.paths[1], seconds: 5.5, seed: 5)
        (session.pixelNoise, session.pixelDeviation, session.pictureShake) = (0.1, 0.15, shake)
        let (frames, samples) = session.take(during: 2.2..<4.2)
        let settings = InitialisationSettings()
        let found = try #require(
            MotionAlignment(
                frames: frames, history: samples, calibration: CameraState(session.calibration), settings: settings))
        let isTrusted = found.isTrusted(by: settings, seconds: 2)
        #expect(isTrusted)
        let doubt = shake > 0 ? 2.0 : 1
        for seconds in stride(from: 1, through: 2, by: 0.05) {
            let isKnown =
                doubt * found.motion.relativeScaleDeviation < settings.largestScaleDeviation(ofSeconds: seconds)
            let isTrusted = found.isTrusted(by: settings, seconds: seconds)
            #expect(isTrusted == isKnown)
        }
        #expect((0.7 * shake...1.4 * shake).contains(found.motion.pictureShake), "\(found.motion.pictureShake)")
        let truth = session.state(at: found.timestamp.seconds(since: SceneSession.start))
        let speed = found.motion.velocity.length
        #expect(abs(speed / truth.velocity.length - 1) < 0.05, "\(speed), \(truth.velocity.length)")
    }

    /// Pictures that are moved, not turned, are found to shake, too, by about as much.
    @Test(arguments: [1.2, 1.7, 2.2, 2.7, 3.2]) func aLensThatMovesShakes(start: Double) throws {
        var session = try OdometryTests.session(OdometryTests.paths[1], seconds: 5.5, seed: 5)
        (session.pixelNoise, session.pixelDeviation, session.pictureShiftPixels) = (0.1, 0.15, 2)
        let (frames, samples) = session.take(during: start..<(start + 2))
        let camera = CameraState(session.calibration)
        let found = try #require(
            MotionAlignment(
                frames: frames, history: samples, calibration: camera, settings: InitialisationSettings()))
        let pixels = found.motion.pictureShake * camera.camera.intrinsics.fx
        #expect((1.0...3.0).contains(pixels), "\(pixels)")
    }

    /// A motion may wrong a device, times the freedom that it has, by what each number of its calibration is uncertain by: scale factors
    /// and axes, and how the camera sits on it; a camera that is contradicted, by more. Of its times all is made use of from the beginning.
    @Test(arguments: [false, true]) func whatIsKnownOfADeviceBindsTheSearch(isCameraContradicted: Bool) throws {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 3, seed: 5)
        let (frames, samples) = session.take(during: 1.2..<2.4)
        let camera = CameraState(session.calibration)
        var settings = InitialisationSettings()
        settings.calibration.gyroscope = CalibrationUncertainty.Axes(scale: 0.001, misalignment: 0.0002)
        settings.calibration.accelerometer = CalibrationUncertainty.Axes(scale: 0.002, misalignment: 0.0003)
        let sights = try #require(WindowSights(frames: frames, calibration: camera, settings: settings))
        let guess = LinearProblem.Guess()
        let problem = LinearProblem(sights: sights, history: samples, calibration: camera, settings: settings)
        var motion = RefinedMotion(
            try #require(problem.solution(guess)), guess, frameCount: sights.instants.count, calibration: camera,
            settings)
        motion.calibrationFreedom = 3
        motion.isCameraContradicted = isCameraContradicted
        var bound: Set<Int> = []
        motion.forEachPrior { variable, _, deviation in
            guard variable >= StartLayout.gyroscopeDistortion else { return }
            let isOfTime = [StartLayout.timeOffset, StartLayout.readout].contains(variable)
            let isOfCamera = [31..<37, 39..<44, 45..<46].contains { $0.contains(variable) }
            let ofCamera = isCameraContradicted && isOfCamera ? settings.contradictedCameraFreedom : 1
            let freedom = isOfTime ? 1 : motion.calibrationFreedom * ofCamera
            #expect(abs(deviation - freedom * settings.calibration.deviation(of: variable)) < 1e-15)
            bound.insert(variable)
        }
        #expect(bound == Set(StartLayout.gyroscopeDistortion..<StartLayout.count))
    }

    /// From wherever a guess begins, steps by its derivatives lead to the same bias of the gyroscope and to the clocks, which are said to be
    /// 10 ms from where they are, and there the rays meet best: a little beside it they do not.
    @Test func stepsLeadToOneBiasAndOneClock() throws {
        typealias Guess = LinearProblem.Guess
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 3, seed: 5)
        let (frames, samples) = session.take(during: 1.2..<2.7)
        let settings = InitialisationSettings()
        var camera = CameraState(session.calibration)
        camera.correct(turn: .zero, shift: .zero, timeOffset: 0.01, focal: .zero, principal: .zero)
        let sights = try #require(WindowSights(frames: frames, calibration: camera, settings: settings))
        let problem = LinearProblem(sights: sights, history: samples, calibration: camera, settings: settings)
        func settled(_ beginning: Guess) throws -> (guess: Guess, cost: Double) {
            var guess = beginning
            for _ in 0..<6 {
                let solution = try #require(problem.solution(guess))
                let slopes = try (0..<Guess.count).map {
                    try #require(problem.derivative(byNumber: $0, of: guess, solution))
                }
                guess = try #require(problem.better(than: guess, solution, slopes))
            }
            return (guess, try #require(problem.solution(guess)).cost)
        }
        let reached = try settled(Guess())
        let other = try settled(Guess(gyroscopeBias: Vector3(0.02, -0.015, 0.01), timeShift: 0.012))
        expectClose(reached.guess.gyroscopeBias, other.guess.gyroscopeBias, tolerance: 1e-6)
        #expect(abs(reached.guess.timeShift - other.guess.timeShift) < 1e-6)
        #expect(abs(reached.guess.timeShift + 0.01) < 0.001, "\(reached.guess.timeShift)")
        for number in 0..<4 {
            for sign in [-1.0, 1] {
                var beside = reached.guess
                switch number {
                case Guess.clocks: beside.timeShift += sign * 0.005
                default: beside.gyroscopeBias[number] += sign * 0.005
                }
                #expect(try #require(problem.solution(beside)).cost > reached.cost)
            }
        }
    }

    /// The right sides of the normal equations are minus half the derivatives of what is minimised, by each unknown of a
    /// device with all its errors: within 5 %, because those by the sensors' errors take each step of the samples as a whole.
    /// All rows are exposed at once, because how errors bend what happens within a readout is left
    /// out. Through a lens that distorts, other focal lengths do more to a ray than stretch it.
    @Test(arguments: [0, -0.25]) func derivativesAreThoseOfTheCost(radialDistortion: Double) throws {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 3, seed: 5)
        try Self.expectDerivativesOfTheCost(session, radialDistortion: radialDistortion) {
            $0 != StartLayout.accelerometerLag
        }
    }

    /// The same for the accelerometer's lag: by it, samples are differentiated, which tells the truth where they are close and without noise.
    @Test func theDerivativeByTheLagIsThatOfTheCost() throws {
        let exact = "accelerometer_noise_density_m_per_s2_per_sqrt_hz: 0, accelerometer_step_m_per_s2: 0"
        let session = try OdometryTests.session(
            OdometryTests.paths[1], seconds: 3, seed: 5, imu: "rate_hz: 1000, \(exact)")
        try Self.expectDerivativesOfTheCost(session, radialDistortion: 0) { $0 == StartLayout.accelerometerLag }
    }

    /// The same where rows are exposed one after another, by velocity and gravity, and by the noise of the poses: these go on within a
    /// readout, and their derivatives are exact, but for what gravity does besides the velocity that it gives.
    @Test func derivativesGoOnWithinAReadout() throws {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 3, seed: 5)
        try Self.expectDerivativesOfTheCost(
            session, readoutNanoseconds: 30_000_000, radialDistortion: 0, within: 0.002
        ) { $0 < StartLayout.accelerometerBias || $0 >= RefinedMotion.commonCount }
    }

    /// - share: how wrong each derivative may be, as a share of itself; besides, by ten times as large a share of its standard deviation.
    private static func expectDerivativesOfTheCost(
        _ session: PointCloudSession, readoutNanoseconds: Int64 = 0, radialDistortion: Double,
        within share: Double = 0.05,
        by isChecked: (Int) -> Bool
    ) throws {
        let (frames, samples) = session.take(during: 1.2..<2.4)
        var calibration = session.calibration
        calibration.readoutNanoseconds = readoutNanoseconds
        calibration.camera = .radialTangential(
            RadialTangentialCamera(calibration.camera.intrinsics, k1: radialDistortion, k2: 0, p1: 0, p2: 0))
        let (settings, camera) = (InitialisationSettings(), CameraState(calibration))
        let sights = try #require(WindowSights(frames: frames, calibration: camera, settings: settings))
        let guess = LinearProblem.Guess()
        let problem = LinearProblem(sights: sights, history: samples, calibration: camera, settings: settings)
        let linear = try #require(problem.solution(guess))
        var motion = RefinedMotion(
            linear, guess, frameCount: sights.instants.count, calibration: camera, settings)
        // The rays alone: beside what is known of the samples' noise, nobody would see a wrong derivative.
        let nothing = PoseNoisePrior(
            information: DenseMatrix(
                rows: sights.instants.count * PoseNoise.size, columns: sights.instants.count * PoseNoise.size))
        let window = AlignmentWindow(sights: sights, history: samples, noise: nothing)
        let points = RefinedMotion.points(of: linear, sights, camera)
        var errors = [Double](repeating: 0, count: motion.unknownCount)
        for unknown in errors.indices.dropFirst(StartLayout.gyroscopeDistortion)
        where unknown != RefinedMotion.inverseScale && unknown != StartLayout.readout {
            errors[unknown] = Double(unknown * 79 % 13 - 6) * (unknown < RefinedMotion.commonCount ? 3e-4 : 5e-5)
        }
        _ = motion.move(by: errors)
        let residuals = try #require(MotionResiduals(motion, window, points))
        let equations = try #require(MotionSystem(residuals)).withPointsHeld()
        for unknown in errors.indices where isChecked(unknown) {
            func cost(_ step: Double) throws -> Double {
                var (moved, steps) = (motion, [Double](repeating: 0, count: motion.unknownCount))
                steps[unknown] = step
                let inverseScale = moved.move(by: steps)
                let places = points.map {
                    RefinedMotion.Point(direction: $0.direction, inverseDepth: $0.inverseDepth * inverseScale)
                }
                return try #require(MotionResiduals(moved, window, places)).cost
            }
            let h = [StartLayout.timeOffset, StartLayout.readout].contains(unknown) ? 1e-5 : 1e-6
            let numeric = try -(cost(h) - cost(-h)) / (4 * h)
            let (matrix, right) = equations
            let size = matrix[unknown * right.count + unknown].squareRoot()
            #expect(
                abs(right[unknown] - numeric) < share * abs(numeric) + 10 * share * size,
                "unknown \(unknown): \(right[unknown]) instead of \(numeric)")
        }
    }

    /// The lens of the phone, and one that distorts as that of the `euroc` preset does.
    private static let lenses = [
        "preset: phone", "preset: phone, lens: radial_tangential, distortion: [-0.28, 0.07, 2.0e-4, -1.0e-4, 0]",
    ]

    /// What is found of two seconds with a camera that is described with longer focal lengths than it has.
    private static func found(
        _ session: PointCloudSession, from start: Double, focalLonger share: Double
    ) throws -> RefinedMotion {
        let (frames, samples) = session.take(during: start..<(start + 2))
        var described = CameraState(session.calibration)
        let truth = described.camera.intrinsics
        described.correct(
            turn: .zero, shift: .zero, timeOffset: 0, focal: share * Vector2(truth.fx, truth.fy), principal: .zero)
        return try #require(
            MotionAlignment(
                frames: frames, history: samples, calibration: described, settings: InitialisationSettings())
        ).motion
    }

    /// Noise in the picture seems smaller to a longer focal length, and yet draws none: of a camera that is described rightly,
    /// what is found is right within three of its deviations.
    @Test(arguments: lenses) func noiseDrawsNoFocalLength(lens: String) throws {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 5.5, seed: 5, camera: lens)
        let truth = session.calibration.camera.intrinsics.fx
        for start in [1.2, 2.2, 3.2] {
            let found = try Self.found(session, from: start, focalLonger: 0)
            let deviation = found.covariance[StartLayout.focal, StartLayout.focal].squareRoot()
            let error = found.calibration.camera.intrinsics.fx / truth - 1
            #expect(deviation < 0.006)
            #expect(abs(error) < 3 * deviation, "\(error), said to be known to \(deviation)")
        }
    }

    /// Focal lengths that are described as 3 % too long are found, through a lens that distorts, too, and the rays meet as well as
    /// where they are described rightly.
    @Test(arguments: lenses) func aWrongFocalLengthIsFound(lens: String) throws {
        var session = try OdometryTests.session(OdometryTests.paths[1], seconds: 5.5, seed: 5, camera: lens)
        session.pixelNoise = 0.03
        let truth = session.calibration.camera.intrinsics.fx
        let (right, wrong) = (
            try Self.found(session, from: 3.2, focalLonger: 0), try Self.found(session, from: 3.2, focalLonger: 0.03)
        )
        #expect(abs(wrong.calibration.camera.intrinsics.fx / truth - 1) < 0.003)
        #expect(wrong.error < 1.05 * right.error)
    }

    /// Accelerations, and how well they are known, do not depend on whether gravity or the accelerometer's bias is blamed.
    @Test func whatGravityIsStrongerIsBias() throws {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 3, seed: 5)
        let (frames, samples) = session.take(during: 1.2..<2.6)
        let found = try #require(
            MotionAlignment(
                frames: frames, history: samples, calibration: CameraState(session.calibration),
                settings: InitialisationSettings())
        ).motion
        let held = found.holding(gravityStrength: 9.7)
        let down = try #require(found.gravity.normalized())
        #expect(abs(held.gravity.length - 9.7) < 1e-12)
        let (before, after) = (
            found.gravity - found.errors.accelerometerBias, held.gravity - held.errors.accelerometerBias
        )
        #expect((before - after).length < 1e-12)
        /// The variance of the acceleration along gravity.
        func variance(_ motion: RefinedMotion, byGravity: Double) -> Double {
            var row = [Double](repeating: 0, count: StartLayout.count)
            for axis in 0..<3 {
                row[StartLayout.gravity + axis] = byGravity * down[axis]
                row[StartLayout.accelerometerBias + axis] = -down[axis]
            }
            return row.indices.reduce(0) { sum, i in
                row.indices.reduce(sum) { $0 + row[i] * row[$1] * motion.covariance[i, $1] }
            }
        }
        let expected = variance(found, byGravity: 1)
        #expect(abs(variance(held, byGravity: 0) - expected) < 1e-9 * expected)
    }

    /// What an alignment finds from a recording's first frames on is not forgotten where the filter begins with it: no sample
    /// is missing at its beginning, and what is found of gravity's strength is kept as a bias.
    @Test func aFilterKeepsWhatAnAlignmentFound() throws {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 3, seed: 5)
        var initialiser = Initialiser(settings: InitialisationSettings())
        var odometry: Odometry?
        try session.forEachFrame { frame, samples in
            guard odometry == nil else { return }
            let seen = MotionAlignment.Frame(timestamp: frame.timestamp, points: frame.points)
            let start = initialiser.take(
                seen, history: samples, calibration: CameraState(session.calibration), provisional: nil,
                attitude: AttitudeAverage())
            guard let start, !start.isProvisional else { return }
            odometry = Odometry(
                start: start, through: seen, imu: try #require(session.scene.imu).calibration,
                settings: OdometrySettings(),
                history: samples)
        }
        #expect(try #require(odometry).filter.deviation.velocity < 0.015)
    }

    /// A search whose steps are spread over frames, as samples come in, finds what it finds all at once, to the bit; and its steps
    /// are many enough to be worth spreading, and few enough to be through within ten frames.
    @Test func aSearchBlocksNoFrame() throws {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 5, seed: 5)
        let (settings, calibration) = (InitialisationSettings(), CameraState(session.calibration))
        var frames: [MotionAlignment.Frame] = []
        var search: MotionSearch?
        var (stepCount, found, atOnce): (Int, MotionAlignment?, MotionAlignment?) = (0, nil, nil)
        session.forEachFrame { frame, samples in
            if case .found(let alignment) = search?.progress {
                found = alignment
            } else if search != nil {
                search?.step()
                stepCount += 1
            } else {
                frames.append(MotionAlignment.Frame(timestamp: frame.timestamp, points: frame.points))
                guard frames.count == 45 else { return }
                search = MotionSearch(frames: frames, history: samples, calibration: calibration, settings: settings)
                atOnce = MotionAlignment(
                    frames: frames, history: samples, calibration: calibration, settings: settings)
            }
        }
        let (one, other) = (try #require(found).motion, try #require(atOnce).motion)
        #expect(one.velocity == other.velocity && one.gravity == other.gravity && one.errors == other.errors)
        #expect(one.covariance.values == other.covariance.values)
        #expect((2 * settings.searchStepsPerFrame...10 * settings.searchStepsPerFrame).contains(stepCount))
    }

    /// A device that stands still tells nothing of scale, and says so.
    @Test func standingStillIsNotBelieved() throws {
        let session = try OdometryTests.session(
            "{kind: standstill, position_m: [0, 1.2, 0], look_at_m: [0, 1.2, -2]}", seconds: 2, seed: 6)
        let (frames, samples) = session.take()
        let found = MotionAlignment(
            frames: frames, history: samples, calibration: CameraState(session.calibration),
            settings: InitialisationSettings())
        #expect(found?.isTrusted(by: InitialisationSettings(), seconds: 2) != true)
    }
}
