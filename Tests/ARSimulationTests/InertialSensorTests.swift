// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct InertialSensorTests {
    /// A body at rest, level, with its axes along the world's.
    private static let rest = PoseSpline(through: [.identity, .identity], intervalSeconds: 1e5)

    private static func perfect(rate: Double = 200) -> Scene.ImuSettings {
        var settings = Scene.ImuSettings(.ideal)
        settings.rateInHertz = rate
        return settings
    }

    private static func readings(
        _ settings: Scene.ImuSettings, on motion: PoseSpline = rest, seed: UInt64 = 1, seconds: Double
    ) -> [InertialSensor.Reading] {
        let sensor = InertialSensor(
            settings, on: motion, seed: seed, start: SceneSession.start, durationSeconds: seconds)
        return Array(sensor.makeReadings())
    }

    @Test func atRestItFeelsOnlyThatItIsHeld() {
        let readings = Self.readings(Self.perfect(), seconds: 1)
        #expect(readings.count == 201)
        for (index, reading) in readings.enumerated() {
            #expect(reading.sample.specificForce == Vector3(0, 9.81, 0))
            #expect(reading.sample.angularVelocity == .zero)
            #expect(reading.sample.timestamp == Timestamp(nanoseconds: 1_000_000_000 + Int64(index) * 5_000_000))
        }
    }

    /// A body that falls feels nothing, and one on a turntable is pulled inwards.
    @Test func accelerationsAreFelt() {
        var state = MotionState(
            worldFromBody: .identity, velocity: .zero, acceleration: Vector3(0, -9.81, 0),
            angularVelocityInBody: .zero, angularAccelerationInBody: .zero)
        #expect(InertialSensor.perfectReading(of: state, gravity: 9.81).specificForce == .zero)
        state.acceleration = Vector3(-4, 0, 0)
        state.worldFromBody.rotation = Rotation(rotationVector: Vector3(0, .pi / 2, 0))
        // The body's z axis points along the world's x.
        expectClose(
            InertialSensor.perfectReading(of: state, gravity: 9.81).specificForce, Vector3(0, 9.81, -4),
            tolerance: 1e-12)
    }

    /// A motion, and the noise-free sensor's means at a rate, integrated over a minute.
    ///
    /// What means add up to is exact at the borders of their intervals; the spline through these sums tells how it came
    /// about between them. Instants miss what lies between them, whatever is laid through them: at 100 and 200 Hz that is
    /// 3 to 180 mm after the minute, because the motion's jerk jumps at its knots.
    private static func expectMeansLeadBack(
        _ motion: PoseSpline, rate: Double, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let interval = 1 / rate
        // The first and the last stand for half an interval.
        let means = Self.readings(Self.mean(rate: rate), on: motion, seconds: 60 + interval).dropFirst().dropLast()
        func sums(_ value: (ImuSample) -> Vector3) -> UniformCubicSpline<Vector3> {
            UniformCubicSpline(
                through: means.reduce(into: [.zero]) { $0.append($0[$0.count - 1] + value($1.sample) * interval) })
        }
        let (turns, pushes) = (sums(\.angularVelocity), sums(\.specificForce))
        func sample(at place: Double) -> ImuSample {
            ImuSample(
                timestamp: SceneSession.start, angularVelocity: turns.derivatives(at: place).first * rate,
                specificForce: pushes.derivatives(at: place).first * rate)
        }
        var integrator = SampleIntegrator(motion.state(at: interval / 2), gravity: 9.81)
        for place in stride(from: 0, to: Double(means.count), by: 0.5) {
            integrator.advance(
                sample(at: place), sample(at: place + 0.25), sample(at: place + 0.5), seconds: interval / 2)
        }
        expectClose(
            integrator.worldFromBody, motion.worldFromBody(at: 60 + interval / 2), radians: 0.01 * .pi / 180,
            metres: 1e-3, sourceLocation: sourceLocation)
    }

    @Test(arguments: [Scene.CameraPath.Kind.lookAround, .tableTop, .walk], [100.0, 200])
    func meansOfAHandheldMotionLeadBack(kind: Scene.CameraPath.Kind, rate: Double) throws {
        Self.expectMeansLeadBack(
            try CameraPathTests.scene(kind, seconds: 60).makeDeviceMotion().worldFromImu, rate: rate)
    }

    @Test(
        .enabled(if: RealData.has("motion"), "motion is absent"),
        arguments: ["table_01.txt", "dataset-room1_512_16.txt", "V1_02_medium.txt"])
    func meansOfARecordedMotionLeadBack(file: String) throws {
        let motion = TrajectoryFit(try publishedPoses(file)).motion
        for rate in [100.0, 200] { Self.expectMeansLeadBack(motion, rate: rate) }
    }

    /// Instants lead back as well, where they are so dense that next to nothing happens between them.
    @Test func denseInstantsLeadBack() throws {
        let motion = try CameraPathTests.scene(.lookAround, seconds: 60).makeDeviceMotion().worldFromImu
        let readings = Self.readings(Self.perfect(rate: 2000), on: motion, seconds: 60)
        var integrator = SampleIntegrator(motion.state(at: 0), gravity: 9.81)
        for index in stride(from: 0, to: readings.count - 2, by: 2) {
            integrator.advance(
                readings[index].sample, readings[index + 1].sample, readings[index + 2].sample,
                seconds: readings[index + 2].trueSeconds - readings[index].trueSeconds)
        }
        expectClose(integrator.worldFromBody, motion.worldFromBody(at: 60), radians: 0.01 * .pi / 180, metres: 1e-3)
    }

    private static func mean(rate: Double) -> Scene.ImuSettings {
        var settings = perfect(rate: rate)
        settings.sampling = .mean
        return settings
    }

    /// Samples that are means are the means of many instants, beginning and end included.
    @Test func meansAreMeansOfInstants() throws {
        let motion = try CameraPathTests.scene(.lookAround, seconds: 2).makeDeviceMotion().worldFromImu
        let means = Self.readings(Self.mean(rate: 50), on: motion, seconds: 2)
        let instants = Self.readings(Self.perfect(rate: 50 * 400), on: motion, seconds: 2)
        for (index, reading) in means.enumerated() where index % 7 == 0 || index == means.count - 1 {
            let around = instants[max(index * 400 - 200, 0)...min(index * 400 + 200, instants.count - 1)]
            // The two at the ends count half.
            func mean(_ value: (ImuSample) -> Vector3) -> Vector3 {
                let ends = value(around[around.startIndex].sample) + value(around[around.endIndex - 1].sample)
                return (around.reduce(.zero) { $0 + value($1.sample) } - ends / 2) / Double(around.count - 1)
            }
            expectClose(reading.sample.angularVelocity, mean(\.angularVelocity), tolerance: 2e-5)
            expectClose(reading.sample.specificForce, mean(\.specificForce), tolerance: 2e-4)
        }
        #expect(
            means.map(\.sample.timestamp)
                == Self.readings(Self.perfect(rate: 50), on: motion, seconds: 2).map(\.sample.timestamp))
    }

    /// The sum of the gyroscope's means is its angle: about one axis the integral is exact at any rate.
    @Test func theSumOfMeansIsTheIntegral() {
        var random = TestRandom()
        let knots = (0...40).map { _ in
            RigidTransform(rotation: Rotation(rotationVector: Vector3(0, random.uniform(-0.5...0.5), 0)))
        }
        let motion = PoseSpline(through: knots, intervalSeconds: 0.1)
        func angle(_ settings: Scene.ImuSettings) -> Double {
            let rates = Self.readings(settings, on: motion, seconds: 4).map(\.sample.angularVelocity.y)
            // The first and the last stand for half an interval.
            return (rates.reduce(0, +) - (rates[0] + rates[rates.count - 1]) / 2) / settings.rateInHertz
        }
        let turn = motion.worldFromBody(at: 0).rotation.inverse * motion.worldFromBody(at: 4).rotation
        #expect(abs(angle(Self.mean(rate: 37.5)) - turn.rotationVector.y) < 1e-5)
        #expect(abs(angle(Self.perfect(rate: 37.5)) - turn.rotationVector.y) > 3e-4)
    }

    /// Twelve hours at rest: the Allan deviation finds the densities that went in.
    @Test(.tags(.slow), .whenSlowTestsRun, arguments: [Scene.ImuSettings.Preset.phone, .euroc])
    func theAllanDeviationRecoversTheNoise(preset: Scene.ImuSettings.Preset) {
        // A low rate, so that half a day is short work, and no rounding, which is noise too.
        var settings = Scene.ImuSettings(preset)
        settings.rateInHertz = 10
        settings.gyroscope.step = 0
        settings.accelerometer.step = 0
        let sensor = InertialSensor(
            settings, on: Self.rest, seed: 5, start: SceneSession.start, durationSeconds: 12 * 3600)
        var (rates, forces) = ([Vector3](), [Vector3]())
        for reading in sensor.makeReadings() {
            rates.append(reading.sample.angularVelocity)
            forces.append(reading.sample.specificForce)
        }
        for (samples, triad) in [(rates, settings.gyroscope), (forces, settings.accelerometer)] {
            let found = AllanDeviation(of: samples, sampleSeconds: 1 / settings.rateInHertz).noise
            #expect(abs(found.density / triad.noiseDensity - 1) < 0.05, "density \(found.density)")
            #expect(abs(found.randomWalk / triad.randomWalk - 1) < 0.05, "walk \(found.randomWalk)")
        }
    }

    @Test func readingsStayWithinTheRange() {
        var settings = Self.perfect()
        settings.gyroscope.range = 2
        settings.gyroscope.bias = Vector3(3, -3, 1)
        settings.accelerometer.range = 9
        let reading = Self.readings(settings, seconds: 0)[0].sample
        #expect(reading.angularVelocity == Vector3(2, -2, 1))
        #expect(reading.specificForce == Vector3(0, 9, 0))
    }

    @Test func readingsComeInSteps() {
        var settings = Scene.ImuSettings(.euroc)
        settings.stampJitterSeconds = 1e-4
        for reading in Self.readings(settings, seconds: 2) {
            for (vector, step) in [
                (reading.sample.angularVelocity, settings.gyroscope.step),
                (reading.sample.specificForce, settings.accelerometer.step),
            ] {
                let steps = vector / step
                #expect((steps - steps.rounded(.toNearestOrEven)).length < 1e-9)
            }
        }
    }

    /// EuRoC's numbers are whole multiples of the preset's steps.
    @Test(.enabled(if: RealData.has("euroc_imu_only"), "euroc_imu_only is absent"))
    func theStepsAreThoseOfTheRealSensor() throws {
        let settings = Scene.ImuSettings(.euroc)
        let text = try String(contentsOf: RealData.url("euroc_imu_only/V102.txt"), encoding: .utf8)
        for line in text.split(whereSeparator: \.isNewline).dropFirst().prefix(500) {
            let numbers = line.split(separator: ",").dropFirst().compactMap { Double($0) }
            #expect(numbers.count == 6)
            for (index, number) in numbers.enumerated() {
                let steps = number / (index < 3 ? settings.gyroscope.step : settings.accelerometer.step)
                #expect(abs(steps - steps.rounded()) < 1e-3)
            }
        }
    }

    @Test func scaleMisalignmentAndGSensitivityAct() {
        var settings = Self.perfect()
        settings.accelerometer.matrix = Matrix3x3(
            rows: Vector3(1, 0.02, 0), Vector3(0, 1.5, 0), Vector3(0, -0.01, 1))
        settings.gSensitivity = Matrix3x3(rows: Vector3(0, 0.1, 0), .zero, .zero)
        let reading = Self.readings(settings, seconds: 0)[0].sample
        expectClose(reading.specificForce, Vector3(0.02, 1.5, -0.01) * 9.81, tolerance: 1e-12)
        expectClose(reading.angularVelocity, Vector3(0.981, 0, 0), tolerance: 1e-12)
    }

    @Test func theClockHasItsOwnTime() {
        var settings = Self.perfect(rate: 100)
        settings.clockOffsetSeconds = 0.25
        settings.clockDriftPartsPerMillion = 500
        let readings = Self.readings(settings, seconds: 100)
        // A clock that is fast takes more samples.
        #expect(readings.count == 10_006)
        for reading in readings {
            let shown = reading.sample.timestamp.seconds(since: SceneSession.start)
            #expect(abs(shown - (0.25 + reading.trueSeconds * (1 + 500e-6))) < 1e-9)
        }
        // Where the sensor is does not depend on what its clock shows.
        let still = Self.readings(settings, on: Self.rest, seconds: 1)
        #expect(still.allSatisfy { $0.sample.specificForce == Vector3(0, 9.81, 0) })
    }

    @Test(arguments: [1e-5, 1e-3, 1]) func jitterMovesStampsButKeepsTheirOrder(jitter: Double) {
        var settings = Self.perfect(rate: 100)
        settings.stampJitterSeconds = jitter
        let readings = Self.readings(settings, seconds: 60)
        let stamps = readings.map(\.sample.timestamp)
        #expect(zip(stamps, stamps.dropFirst()).allSatisfy(<))
        let errors = readings.map { $0.sample.timestamp.seconds(since: SceneSession.start) - $0.trueSeconds }
        let deviation = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
        // Six thousand samples estimate a deviation within 3 %; beyond 0.45 of the interval stamps are cut.
        if jitter < 1e-2 { #expect(abs(deviation / jitter - 1) < 0.03) }
        #expect(errors.allSatisfy { abs($0) <= 0.0045 + 1e-9 })
    }

    @Test func biasesWalkAsInTheSamples() {
        var settings = Scene.ImuSettings(.phone)
        settings.gyroscope.randomWalk = 0.01
        settings.gyroscope.noiseDensity = 0
        settings.gyroscope.step = 0
        settings.gyroscope.scaleDeviation = 0
        settings.gyroscope.misalignmentDeviationRadians = 0
        settings.clockDriftPartsPerMillion = 300
        let sensor = InertialSensor(
            settings, on: Self.rest, seed: 3, start: SceneSession.start, durationSeconds: 20)
        var walk = sensor.makeBiasWalk()
        for reading in sensor.makeReadings() {
            // At the sample's instant, asked for once or twice, and a little later.
            #expect(walk.biases(at: reading.trueSeconds) == reading.biases)
            #expect(walk.biases(at: reading.trueSeconds + 0.001) == reading.biases)
            expectClose(reading.sample.angularVelocity, reading.biases.gyroscope, tolerance: 1e-12)
        }
    }

    @Test func theSeedDecides() {
        let settings = Scene.ImuSettings(.phone)
        let first = Self.readings(settings, seed: 1, seconds: 2)
        #expect(Self.readings(settings, seed: 1, seconds: 2) == first)
        #expect(Self.readings(settings, seed: 2, seconds: 2).map(\.sample) != first.map(\.sample))
        #expect(Self.readings(settings, seed: 1, seconds: 1) == Array(first.prefix(101)))
        // What one part draws changes nothing for another.
        var louder = settings
        louder.gyroscope.noiseDensity *= 2
        let forces = Self.readings(louder, seed: 1, seconds: 2).map(\.sample.specificForce)
        #expect(forces == first.map(\.sample.specificForce))
    }

    @Test func aMakersDeviationsAreThoseThatAreDrawn() {
        var settings = Scene.ImuSettings(.euroc)
        settings.accelerometer.scaleDeviation = 2 * settings.gyroscope.scaleDeviation
        let stated = settings.calibration.uncertainty
        #expect(stated.gyroscopeScale == settings.gyroscope.scaleDeviation)
        #expect(stated.gyroscopeMisalignmentRadians == settings.gyroscope.misalignmentDeviationRadians)
        #expect(stated.accelerometerScale == settings.accelerometer.scaleDeviation)
        #expect(stated.accelerometerMisalignmentRadians == settings.accelerometer.misalignmentDeviationRadians)
        // Nobody can say that there is no error, and a phone's maker says nothing.
        settings.gyroscope.scaleDeviation = 0
        #expect(settings.calibration.uncertainty.gyroscopeScale == nil)
        #expect(Scene.ImuSettings(.phone).calibration.uncertainty == ImuCalibration.Uncertainty())
    }

    @Test func presetsHaveACamera() throws {
        for preset in Scene.ImuSettings.Preset.allCases {
            #expect(Scene.ImuSettings(preset).imuFromOptical != nil)
        }
        // A phone held upright looks along −z of its own axes; the picture's right is its bottom.
        let phone = try #require(Scene.ImuSettings(.phone).imuFromOptical).rotation
        expectClose(phone * Vector3(0, 0, 1), Vector3(0, 0, -1), tolerance: 1e-12)
        expectClose(phone * Vector3(1, 0, 0), Vector3(0, -1, 0), tolerance: 1e-12)
    }
}

/// Gravity, rotation, velocity and position from samples: classic Runge and Kutta of fourth order over two intervals, so
/// that a sample lies in the middle.
private struct SampleIntegrator {
    private(set) var worldFromBody: RigidTransform
    private var velocity: Vector3
    private let gravity: Vector3

    init(_ state: MotionState, gravity: Double) {
        worldFromBody = state.worldFromBody
        velocity = state.velocity
        self.gravity = Vector3(0, -gravity, 0)
    }

    mutating func advance(_ first: ImuSample, _ middle: ImuSample, _ last: ImuSample, seconds h: Double) {
        // The rotation by Magnus's expansion of fourth order with Simpson's rule (Iserles et al. 2000).
        let (w0, w1, w2) = (first.angularVelocity, middle.angularVelocity, last.angularVelocity)
        let sum: Vector3 = w0 + 4.0 * w1 + w2
        let turn: Vector3 = (h / 6) * sum + (h * h / 12) * w0.cross(w2)
        let halfSum: Vector3 = 5.0 * w0 + 8.0 * w1 - w2
        let halfTurn: Vector3 = (h / 24) * halfSum + (h * h / 48) * w0.cross(w1)
        let start = worldFromBody.rotation
        let a0 = start * first.specificForce + gravity
        let a1 = start * Rotation(rotationVector: halfTurn) * middle.specificForce + gravity
        let end = (start * Rotation(rotationVector: turn)).normalized
        let a2 = end * last.specificForce + gravity
        // ∫∫ by the parabola through the three: h² (a₀ + 2 a₁) / 6.
        let bend: Vector3 = a0 + 2.0 * a1
        worldFromBody.translation += h * velocity + (h * h / 6) * bend
        let push: Vector3 = a0 + 4.0 * a1 + a2
        velocity += (h / 6) * push
        worldFromBody.rotation = end
    }
}
