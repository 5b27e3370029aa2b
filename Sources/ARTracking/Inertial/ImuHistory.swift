// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// The inertial samples of the last seconds, in the order of their stamps.
///
/// Samples may come late, twice or never: late ones are put in their place, a second one with the same stamp is left out,
/// and what is missing is bridged by a straight line, with noise to match.
///
/// Between two samples nobody looks. A straight line between them misses what bends there, and nobody knows how much: it
/// counts as noise, as large as the bends that the samples show make a trapezoid err. A sensor that gives means over its
/// interval loses nothing, but cannot be told from one that gives instants.
/// Law: `ImuHistoryTests.whatHappensBetweenSamplesIsInTheNoise`.
struct ImuHistory: Sendable {
    /// How many samples came with a stamp that was already there.
    private(set) var doubledCount = 0
    /// How many came after one with a later stamp.
    private(set) var lateCount = 0
    /// How many were not finite numbers.
    private(set) var invalidCount = 0

    private var samples: [ImuSample] = []
    private let densities: PreintegratedMotion.Densities
    private let longestRegularStep: Int64

    /// A sensor whose samples are further apart than this many nominal intervals has a gap.
    private static let regularIntervals = 2.5
    /// Within a gap nobody knows how a hand moves: the spread of its angular velocity about a straight line, in rad/s,
    /// and of its acceleration, in m/s².
    private static let gapRate = 0.5
    private static let gapForce = 2.0

    init(calibration: ImuCalibration) {
        densities = PreintegratedMotion.Densities(calibration)
        longestRegularStep = Int64(1e9 / calibration.rateInHertz * ImuHistory.regularIntervals)
    }

    /// The stamps of the first and the last sample.
    var span: ClosedRange<Timestamp>? {
        guard let first = samples.first, let last = samples.last else { return nil }
        return first.timestamp...last.timestamp
    }

    /// Takes a sample in.
    mutating func insert(_ sample: ImuSample) {
        guard sample.angularVelocity.isFinite, sample.specificForce.isFinite else {
            invalidCount += 1
            return
        }
        guard let last = samples.last, sample.timestamp <= last.timestamp else { return samples.append(sample) }
        let place = firstIndex(notBefore: sample.timestamp)
        guard samples[place].timestamp != sample.timestamp else {
            doubledCount += 1
            return
        }
        lateCount += 1
        samples.insert(sample, at: place)
    }

    /// Forgets what is not needed to tell what happened since an instant.
    mutating func forget(before timestamp: Timestamp) {
        let needed = firstIndex(notBefore: timestamp) - 1
        // Moving the rest costs as much as there is, so that it is done rarely.
        if needed > 512 { samples.removeFirst(needed) }
    }

    /// The samples with stamps in a range.
    func samples(in range: ClosedRange<Timestamp>) -> ArraySlice<ImuSample> {
        let first = firstIndex(notBefore: range.lowerBound)
        var end = first
        while end < samples.count, samples[end].timestamp <= range.upperBound { end += 1 }
        return samples[first..<end]
    }

    /// What the samples with stamps in a range have in common, or `nil` where there are fewer than ten.
    func statistics(in range: ClosedRange<Timestamp>) -> ImuStatistics? { ImuStatistics(samples(in: range)) }

    /// What the sensor reads at an instant; before the first and after the last sample, what that sample says.
    func reading(at timestamp: Timestamp) -> ImuReading {
        let next = firstIndex(notBefore: timestamp)
        guard next < samples.count else {
            return samples.last?.reading ?? ImuReading(angularVelocity: .zero, specificForce: .zero)
        }
        guard next > 0 else { return samples[0].reading }
        let (a, b) = (samples[next - 1], samples[next])
        return .between(
            a.reading, b.reading,
            fraction: Double(timestamp.nanoseconds(since: a.timestamp))
                / Double(b.timestamp.nanoseconds(since: a.timestamp)))
    }

    /// The same where the accelerometer is late: what it reads as many seconds later, to the nanosecond.
    /// Law: `ImuHistoryTests.aLateAccelerometerIsPutRight`.
    func reading(at timestamp: Timestamp, accelerometerLag: Double) -> ImuReading {
        var reading = reading(at: timestamp)
        let lag = Int64((accelerometerLag * 1e9).rounded())
        if lag != 0 { reading.specificForce = self.reading(at: timestamp.advanced(byNanoseconds: lag)).specificForce }
        return reading
    }

    /// How the turning changes at an instant, in rad/s²: the slope there of a parabola through three readings, which are those
    /// about the instant where there are samples after it. Law: `ImuHistoryTests.changesOfTheRateAreTold`.
    func angularAcceleration(at instant: Timestamp) -> Vector3 {
        let h = Self.slopeNanoseconds
        guard let span else { return .zero }
        let end = max(min(instant.advanced(byNanoseconds: h), span.upperBound), instant)
        let rates = [0, 1, 2].map { reading(at: end.advanced(byNanoseconds: -$0 * h)).angularVelocity }
        // From the middle one to the instant, in steps.
        let place = 1 - Double(end.nanoseconds(since: instant)) / Double(h)
        let slope = 0.5 * (rates[0] - rates[2]) + place * (rates[0] + rates[2] - 2 * rates[1])
        return slope / (Double(h) * 1e-9)
    }

    /// How far apart the readings are from which the change of the turning is taken: about half an exposure.
    private static let slopeNanoseconds: Int64 = 8_000_000

    /// What happened between two instants. Beyond the samples, the nearest one is taken to last.
    func motion(
        from start: Timestamp, to end: Timestamp, errors: ImuErrors, detail: PreintegratedMotion.Detail = .motion
    ) -> PreintegratedMotion {
        var motion = PreintegratedMotion(errors: errors, detail: detail)
        advance(&motion, from: start, to: end)
        return motion
    }

    /// What happened from an instant to each of several later ones, in their order.
    func motions(
        from start: Timestamp, to ends: [Timestamp], errors: ImuErrors, detail: PreintegratedMotion.Detail = .motion
    ) -> [PreintegratedMotion] {
        var motion = PreintegratedMotion(errors: errors, detail: detail)
        var time = start
        return ends.map { end in
            advance(&motion, from: time, to: end)
            time = end
            return motion
        }
    }

    /// Carries a motion on from the instant to which it goes.
    func advance(_ motion: inout PreintegratedMotion, from start: Timestamp, to end: Timestamp) {
        let lag = motion.errors.accelerometerLag
        var (time, reading) = (start, reading(at: start, accelerometerLag: lag))
        var next = firstIndex(notBefore: start.advanced(byNanoseconds: 1))
        while time < end {
            let isLast = next >= samples.count || samples[next].timestamp >= end
            let nextTime = isLast ? end : samples[next].timestamp
            let nextReading = self.reading(at: nextTime, accelerometerLag: lag)
            motion.advance(
                from: reading, to: nextReading, seconds: Double(nextTime.nanoseconds(since: time)) * 1e-9,
                densities: motion.detail >= .noise ? densities(before: next) : densities)
            (time, reading) = (nextTime, nextReading)
            next += 1
        }
    }

    /// The noise between the sample at `next` and the one before it.
    private func densities(before next: Int) -> PreintegratedMotion.Densities {
        guard next > 0, next < samples.count else { return densities(acrossNanoseconds: longestRegularStep + 1) }
        let step = samples[next].timestamp.nanoseconds(since: samples[next - 1].timestamp)
        var densities = densities(acrossNanoseconds: step)
        // Where a function's second difference is d, the trapezoid's rule errs by h d / 12 in a step h.
        let perBend = Double(step) * 1e-9 / 144
        let bends = squaredBends(before: next)
        densities.gyroscope += perBend * bends.rate
        densities.accelerometer += perBend * bends.force
        return densities
    }

    /// The squared second differences of rate and force, per axis, in the mean of the samples about an interval that have
    /// neighbours.
    private func squaredBends(before next: Int) -> (rate: Double, force: Double) {
        var sum = (rate: 0.0, force: 0.0)
        let middles = [next - 1, next].filter { $0 > 0 && $0 + 1 < samples.count }
        for middle in middles {
            let (sample, straight) = (samples[middle], straightLine(past: middle))
            // Twice as far as it lies from the line between its neighbours.
            sum.rate += 4 * (sample.angularVelocity - straight.angularVelocity).squaredLength
            sum.force += 4 * (sample.specificForce - straight.specificForce).squaredLength
        }
        let count = Double(3 * max(middles.count, 1))
        return (sum.rate / count, sum.force / count)
    }

    /// What a sample would read on the straight line between its neighbours.
    private func straightLine(past index: Int) -> ImuReading {
        let (a, b, c) = (samples[index - 1], samples[index], samples[index + 1])
        return .between(
            a.reading, c.reading,
            fraction: Double(b.timestamp.nanoseconds(since: a.timestamp))
                / Double(c.timestamp.nanoseconds(since: a.timestamp)))
    }

    private func densities(acrossNanoseconds gap: Int64) -> PreintegratedMotion.Densities {
        guard gap > longestRegularStep else { return densities }
        let seconds = Double(gap) * 1e-9
        return PreintegratedMotion.Densities(
            gyroscope: densities.gyroscope + ImuHistory.gapRate * ImuHistory.gapRate * seconds,
            accelerometer: densities.accelerometer + ImuHistory.gapForce * ImuHistory.gapForce * seconds)
    }

    private func firstIndex(notBefore timestamp: Timestamp) -> Int {
        var (low, high) = (0, samples.count)
        while low < high {
            let middle = (low + high) / 2
            if samples[middle].timestamp < timestamp { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// How steady a sensor's readings are: at rest they spread by noise and by the tremor of a hand.
struct ImuStatistics: Hashable, Sendable {
    /// In rad/s and m/s².
    let mean: ImuReading
    /// The root mean square distances from the means, in rad/s and m/s².
    let rateSpread, forceSpread: Double
    /// How fast the forces' distances from their mean make the sensor at most, in m/s: a hand's swing is slow and makes much
    /// of it, a motor's rattle is quick and makes little.
    let speedSpread: Double

    init?(_ samples: ArraySlice<ImuSample>) {
        guard samples.count >= 10 else { return nil }
        let count = Double(samples.count)
        let rate = samples.reduce(Vector3.zero) { $0 + $1.angularVelocity } / count
        let force = samples.reduce(Vector3.zero) { $0 + $1.specificForce } / count
        mean = ImuReading(angularVelocity: rate, specificForce: force)
        rateSpread = (samples.reduce(0) { $0 + ($1.angularVelocity - rate).squaredLength } / count).squareRoot()
        forceSpread = (samples.reduce(0) { $0 + ($1.specificForce - force).squaredLength } / count).squareRoot()
        var (velocity, fastest) = (Vector3.zero, 0.0)
        for (earlier, later) in zip(samples, samples.dropFirst()) {
            let mean = (earlier.specificForce + later.specificForce) / 2
            velocity += (mean - force) * later.timestamp.seconds(since: earlier.timestamp)
            fastest = max(fastest, velocity.length)
        }
        speedSpread = fastest
    }
}

extension ImuSample {
    var reading: ImuReading { ImuReading(angularVelocity: angularVelocity, specificForce: specificForce) }
}
