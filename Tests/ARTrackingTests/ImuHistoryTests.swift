// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// Inertial samples that come as they come: late, twice, broken, or not at all.
@Suite struct ImuHistoryTests {
    private static let calibration = ImuCalibration(
        rateInHertz: 200, gyroscopeNoiseDensity: 1e-4, gyroscopeRandomWalk: 1e-6, accelerometerNoiseDensity: 1e-3,
        accelerometerRandomWalk: 1e-4)

    /// Readings that change linearly, so that what lies between two samples is known. The axis of rotation stays the same, so
    /// that the turn is known, too: ½ (a + b) t about it.
    private static func reading(atSeconds seconds: Double) -> ImuReading {
        ImuReading(
            angularVelocity: axis * (0.4 + 0.9 * seconds),
            specificForce: Vector3(0.3, 9.8, -0.2) + Vector3(1.1, -0.4, 0.7) * seconds)
    }

    private static let axis = Vector3(2, -1, 2) / 3

    private static func sample(_ nanoseconds: Int64) -> ImuSample {
        let reading = reading(atSeconds: Double(nanoseconds) * 1e-9)
        return ImuSample(
            timestamp: Timestamp(nanoseconds: nanoseconds), angularVelocity: reading.angularVelocity,
            specificForce: reading.specificForce)
    }

    private static func history(_ samples: some Sequence<ImuSample>) -> ImuHistory {
        var history = ImuHistory(calibration: calibration)
        for sample in samples { history.insert(sample) }
        return history
    }

    /// Samples every five milliseconds, from zero to `milliseconds`.
    private static func regular(_ milliseconds: Int64) -> [ImuSample] {
        stride(from: 0, through: milliseconds, by: 5).map { sample($0 * 1_000_000) }
    }

    private static func instant(_ seconds: Double) -> Timestamp {
        Timestamp(nanoseconds: Int64((seconds * 1e9).rounded()))
    }

    private static func motion(_ history: ImuHistory, _ from: Double, _ to: Double) -> PreintegratedMotion {
        history.motion(from: instant(from), to: instant(to), errors: ImuErrors(), detail: .noise)
    }

    /// An accelerometer that is late, or early, by more or less than a sample, tells the same motion where its lag is known; where samples
    /// after an instant are missing, the last one lasts.
    @Test(arguments: [-0.012, -0.005, 0.0023, 0.005, 0.0115]) func aLateAccelerometerIsPutRight(lag: Double) {
        let inTime = Self.history(Self.regular(1000))
        let late = Self.history(
            Self.regular(1000).map { sample in
                var late = sample
                late.specificForce =
                    Self.reading(atSeconds: Double(sample.timestamp.nanoseconds) * 1e-9 - lag).specificForce
                return late
            })
        let (from, to) = (Self.instant(0.1031), Self.instant(0.8462))
        let expected = inTime.motion(from: from, to: to, errors: ImuErrors())
        let found = late.motion(from: from, to: to, errors: ImuErrors(accelerometerLag: lag))
        #expect(found.rotation == expected.rotation)
        #expect((found.velocity - expected.velocity).length < 1e-9)
        #expect((found.position - expected.position).length < 1e-9)
        let last = late.reading(at: Self.instant(0.998), accelerometerLag: 0.004).specificForce
        #expect(last == late.reading(at: Self.instant(1), accelerometerLag: 0).specificForce)
    }

    /// How velocity and place change with the accelerometer's lag.
    @Test func derivativesByTheLag() {
        let history = Self.history(Self.regular(1000))
        func motion(_ lag: Double) -> PreintegratedMotion {
            history.motion(
                from: Self.instant(0.1031), to: Self.instant(0.8462), errors: ImuErrors(accelerometerLag: lag),
                detail: .derivatives)
        }
        let (derivatives, h) = (motion(0.003).byAccelerometerLag, 1e-4)
        let (plus, minus) = (motion(0.003 + h), motion(0.003 - h))
        let (velocity, position) = (
            (plus.velocity - minus.velocity) / (2 * h), (plus.position - minus.position) / (2 * h)
        )
        #expect(velocity.length > 0.5)
        #expect((derivatives.velocity - velocity).length < 1e-3 * velocity.length)
        #expect((derivatives.position - position).length < 1e-3 * position.length)
    }

    /// The change of a rate that is a parabola is exact, in the middle of the samples, where half of those after are missing, and at
    /// the last.
    @Test(arguments: [50, 97, 100]) func changesOfTheRateAreTold(milliseconds: Int64) {
        let history = Self.history(
            (0...100).map { step in
                let seconds = Double(step) * 1e-3
                return ImuSample(
                    timestamp: Self.instant(seconds),
                    angularVelocity: Self.axis * (0.4 + 3 * seconds - 60 * seconds * seconds),
                    specificForce: .zero)
            })
        let seconds = Double(milliseconds) * 1e-3
        let found = history.angularAcceleration(at: Self.instant(seconds))
        #expect((found - Self.axis * (3 - 120 * seconds)).length < 1e-9)
    }

    /// A rate and a force that bend at random times are not what lies between their samples. The squares of what turn and
    /// velocity miss by that are 0.3 of what the noise says: 1 where all bends lie at samples, less between them.
    @Test func whatHappensBetweenSamplesIsInTheNoise() {
        let runs = 300
        var (random, turnSquares, velocitySquares) = (TestRandom(), 0.0, 0.0)
        let quiet = ImuCalibration(
            rateInHertz: 100, gyroscopeNoiseDensity: 1e-9, gyroscopeRandomWalk: 1e-9, accelerometerNoiseDensity: 1e-9,
            accelerometerRandomWalk: 1e-9)
        for _ in 0..<runs {
            let (rate, force) = (BentLine(seconds: 2, random: &random), BentLine(seconds: 2, random: &random))
            var history = ImuHistory(calibration: quiet)
            for index in 0...200 {
                let seconds = Double(index) / 100
                history.insert(
                    ImuSample(
                        timestamp: Self.instant(seconds), angularVelocity: Vector3(repeating: rate.value(at: seconds)),
                        specificForce: Vector3(repeating: force.value(at: seconds))))
            }
            let (from, to) = (random.uniform(0.1...0.3), random.uniform(1.5...1.9))
            let motion = Self.motion(history, from, to)
            let turn = Rotation(rotationVector: Vector3(repeating: rate.integral(from: from, to: to)))
            let missedTurn = (motion.rotation * turn.inverse).rotationVector.x
            let missedVelocity = motion.velocity.x - force.integral(from: from, to: to)
            turnSquares += missedTurn * missedTurn / motion.noise.rotation[0][0]
            velocitySquares += missedVelocity * missedVelocity / motion.noise.velocity[0][0]
        }
        for squares in [turnSquares, velocitySquares] { #expect((0.15...0.6).contains(squares / Double(runs))) }
    }

    /// A function that is straight but for bends at random times, three hundredths of a second apart in the mean.
    private struct BentLine {
        private var bends: [(seconds: Double, value: Double)] = [(0, 0)]

        init(seconds: Double, random: inout TestRandom) {
            while let last = bends.last, last.seconds < seconds {
                bends.append((last.seconds + random.uniform(0.02...0.04), random.uniform(-3...3)))
            }
        }

        func value(at seconds: Double) -> Double {
            let next = bends.firstIndex { $0.seconds >= seconds } ?? bends.count - 1
            let (a, b) = (bends[max(next - 1, 0)], bends[next])
            return b.seconds > a.seconds
                ? a.value + (b.value - a.value) * (seconds - a.seconds) / (b.seconds - a.seconds) : b.value
        }

        /// Exact: the trapezoids between the bends.
        func integral(from start: Double, to end: Double) -> Double {
            let times = [start] + bends.map(\.seconds).filter { $0 > start && $0 < end } + [end]
            return zip(times, times.dropFirst()).reduce(0) { sum, span in
                sum + (value(at: span.0) + value(at: span.1)) / 2 * (span.1 - span.0)
            }
        }
    }

    @Test func readingsLieOnAStraightLineBetweenSamples() {
        var random = TestRandom()
        var nanoseconds: Int64 = 0
        let samples = (0..<100).map { _ in
            nanoseconds += Int64(random.uniform(1e5...2e7))
            return Self.sample(nanoseconds)
        }
        let history = Self.history(samples)
        let (first, last) = (samples[0].timestamp.nanoseconds, nanoseconds)
        for _ in 0..<200 {
            let instant = Int64(random.uniform(Double(first)...Double(last)))
            let found = history.reading(at: Timestamp(nanoseconds: instant))
            let expected = Self.reading(atSeconds: Double(instant) * 1e-9)
            expectClose(found.angularVelocity, expected.angularVelocity, tolerance: 1e-12)
            expectClose(found.specificForce, expected.specificForce, tolerance: 1e-12)
        }
        for sample in samples { #expect(history.reading(at: sample.timestamp) == sample.reading) }
    }

    /// Beyond the samples the nearest one is taken to last; without any, nothing moves.
    @Test func beyondTheSamplesTheNearestOneLasts() {
        let history = Self.history(Self.regular(100))
        #expect(history.reading(at: Self.instant(-3)) == Self.reading(atSeconds: 0))
        #expect(history.reading(at: Self.instant(3)) == Self.sample(100_000_000).reading)
        let last = Self.sample(100_000_000).reading
        let motion = Self.motion(history, 0.1, 0.3)
        expectClose(motion.rotation, Rotation(rotationVector: last.angularVelocity * 0.2), tolerance: 1e-12)
        let empty = ImuHistory(calibration: Self.calibration)
        #expect(empty.span == nil)
        #expect(Self.motion(empty, 0, 1).rotation == .identity && Self.motion(empty, 0, 1).position == .zero)
        #expect(empty.samples(in: Self.instant(0)...Self.instant(1)).isEmpty)
    }

    /// Late samples are put in their place, and counted.
    @Test(arguments: 0..<20) func theOrderOfArrivalChangesNothing(number: Int) {
        var random = TestRandom(case: number)
        let samples = Self.regular(300)
        let shuffled = samples.shuffled(using: &random)
        let (inOrder, asTheyCame) = (Self.history(samples), Self.history(shuffled))
        #expect(asTheyCame.samples(in: inOrder.span!) == inOrder.samples(in: inOrder.span!))
        #expect(inOrder.lateCount == 0 && asTheyCame.doubledCount == 0)
        var latest = Timestamp(nanoseconds: .min)
        var lateCount = 0
        for sample in shuffled {
            if sample.timestamp < latest { lateCount += 1 }
            latest = max(latest, sample.timestamp)
        }
        #expect(asTheyCame.lateCount == lateCount)
    }

    /// The first of two samples with the same stamp counts, wherever the second comes.
    @Test func doubledSamplesAreLeftOut() {
        let samples = Self.regular(50)
        var history = Self.history(samples)
        for place in [0, 4, samples.count - 1] {
            var second = samples[place]
            second.angularVelocity = Vector3(100, 100, 100)
            history.insert(second)
        }
        #expect(history.doubledCount == 3 && history.lateCount == 0)
        #expect(Array(history.samples(in: history.span!)) == samples)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func whatIsNoNumberIsLeftOut(value: Double) {
        let samples = Self.regular(50)
        var history = Self.history(samples)
        for axis in 0..<3 {
            var broken = Self.sample(60_000_000)
            broken.angularVelocity[axis] = value
            history.insert(broken)
            broken = Self.sample(2_000_000)
            broken.specificForce[axis] = value
            history.insert(broken)
        }
        #expect(history.invalidCount == 6 && history.lateCount == 0)
        #expect(Array(history.samples(in: history.span!)) == samples)
    }

    @Test func rangesHoldBothTheirEnds() {
        let history = Self.history(Self.regular(50))
        func stamps(_ range: ClosedRange<Int64>) -> [Int64] {
            let instants = Timestamp(nanoseconds: range.lowerBound)...Timestamp(nanoseconds: range.upperBound)
            return history.samples(in: instants).map(\.timestamp.nanoseconds)
        }
        #expect(stamps(10_000_000...20_000_000) == [10_000_000, 15_000_000, 20_000_000])
        #expect(stamps(10_000_001...19_999_999) == [15_000_000])
        #expect(stamps(11_000_000...12_000_000) == [])
        #expect(stamps(-10...0) == [0])
        #expect(stamps(50_000_000...90_000_000) == [50_000_000])
    }

    /// Between instants that lie anywhere among the samples, the turn is the integral of the rates.
    @Test(arguments: 0..<50) func turnsAreTheRatesIntegral(number: Int) {
        var random = TestRandom(case: number)
        let history = Self.history(Self.regular(1000))
        let from = random.uniform(0...0.5)
        let to = random.uniform(from...1)
        let motion = Self.motion(history, from, to)
        expectClose(motion.seconds, to - from, tolerance: 1e-9)
        expectClose(motion.rotation, Self.turn(from, to), tolerance: 1e-9)
    }

    private static func turn(_ from: Double, _ to: Double) -> Rotation {
        Rotation(rotationVector: axis * ((to - from) * (0.4 + 0.45 * (from + to))))
    }

    /// A motion to each of several instants is the motion to that instant, and the next goes on from there. Where an interval
    /// between samples is cut in two, its two halves are integrated anew, with an error of their own.
    @Test(arguments: 0..<20) func motionsGoOnWhereTheyEnded(number: Int) {
        var random = TestRandom(case: number)
        let history = Self.history(Self.regular(1000))
        let start = random.uniform(0...0.3)
        let ends = (0..<5).map { _ in random.uniform(start...1) }.sorted()
        let all = history.motions(from: Self.instant(start), to: ends.map(Self.instant), errors: ImuErrors())
        for (motion, end) in zip(all, ends) {
            let alone = Self.motion(history, start, end)
            expectClose(motion.seconds, alone.seconds, tolerance: 1e-12)
            expectClose(motion.rotation, alone.rotation, tolerance: 1e-9)
            expectClose(motion.velocity, alone.velocity, tolerance: 1e-7)
            expectClose(motion.position, alone.position, tolerance: 1e-7)
        }
        let (first, rest) = (Self.motion(history, start, ends[2]), Self.motion(history, ends[2], ends[4]))
        expectClose(first.followed(by: rest).rotation, all[4].rotation, tolerance: 1e-9)
        expectClose(first.followed(by: rest).position, all[4].position, tolerance: 1e-7)
    }

    /// What is missing is bridged by a straight line, and the motion is known the less for it. One sample that is missing now
    /// and then is no gap.
    @Test func gapsAreBridgedAndAddNoise() {
        func history(withoutSamplesBetween gap: Range<Int64>) -> ImuHistory {
            Self.history(Self.regular(1000).filter { !gap.contains($0.timestamp.nanoseconds / 1_000_000) })
        }
        let whole = Self.motion(history(withoutSamplesBetween: 0..<0), 0, 1)
        let oneMissing = Self.motion(history(withoutSamplesBetween: 500..<505), 0, 1)
        expectClose(
            oneMissing.noise.rotation.trace, whole.noise.rotation.trace, tolerance: 1e-6,
            scale: whole.noise.rotation.trace)
        var added: [Double] = []
        for milliseconds in [Int64(50), 100, 200] {
            let motion = Self.motion(history(withoutSamplesBetween: 505..<(500 + milliseconds)), 0, 1)
            // Rates that change linearly about an axis that stays are bridged without an error.
            expectClose(motion.rotation, Self.turn(0, 1), tolerance: 1e-9)
            added.append(motion.noise.rotation.trace - whole.noise.rotation.trace)
            #expect(motion.noise.velocity.trace > 10 * whole.noise.velocity.trace)
        }
        // Each axis turns by up to half a radian a second more or less, one standard deviation.
        expectClose(added[0], 3 * pow(0.5 * 0.05, 2), tolerance: 0.01, scale: added[0])
        // The variance of a turn whose rate is off by the same all the time grows with the square of the time.
        expectClose(added[1] / added[0], 4, tolerance: 0.01)
        expectClose(added[2] / added[1], 4, tolerance: 0.01)
    }

    /// Where samples end, nobody knows what comes, either.
    @Test func beyondTheSamplesThereIsNoiseToo() {
        let history = Self.history(Self.regular(200))
        let (within, beyond) = (Self.motion(history, 0, 0.1), Self.motion(history, 0.2, 0.3))
        #expect(beyond.noise.rotation.trace > 10 * within.noise.rotation.trace)
    }

    /// What is needed to tell what happened since the instant is kept; the rest goes, sooner or later.
    @Test func forgetsOnlyWhatIsNotNeeded() {
        var history = Self.history(Self.regular(10_000))
        let before = Self.motion(history, 5.0123, 6)
        history.forget(before: Self.instant(5.0123))
        let after = Self.motion(history, 5.0123, 6)
        #expect(after.rotation == before.rotation && after.position == before.position)
        #expect(history.span!.lowerBound <= Self.instant(5.0123))
        #expect(history.span!.lowerBound > Self.instant(0))
        #expect(history.span!.upperBound == Self.instant(10))
        history.forget(before: Self.instant(20))
        #expect(history.reading(at: Self.instant(10)) == Self.sample(10_000_000_000).reading)
    }
}
