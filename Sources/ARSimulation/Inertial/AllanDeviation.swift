// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How much the means of an inertial sensor at rest differ from one stretch of time to the next, by the stretch's length.
///
/// σ²(τ) = ⟨(θ(t + 2τ) − 2 θ(t + τ) + θ(t))²⟩ / (2 τ²), with θ the integral of the readings, over all t: the overlapping
/// estimator. White noise of density n gives n/√τ, a bias that walks with K gives K √(τ/3).
/// - Reference: IEEE Std 952-1997, annex C; Riley 2008, "Handbook of frequency stability analysis", section 5.2.4.
///   Law: `AllanDeviationTests`.
public struct AllanDeviation: Hashable, Sendable {
    /// A stretch's length, and the deviation, as the root mean square over the three axes.
    public struct Point: Hashable, Sendable {
        /// τ, in seconds.
        public var seconds: Double
        /// σ(τ), in the readings' unit.
        public var deviation: Double
    }

    /// The points, for lengths that grow by a factor of about 1.3, up to an eighth of the time.
    public let points: [Point]
    private let sampleSeconds: Double

    /// The deviation of readings at equal intervals, at least sixteen.
    public init(of readings: [Vector3], sampleSeconds: Double) {
        precondition(readings.count >= 16, "the Allan deviation needs sixteen readings, not \(readings.count)")
        self.sampleSeconds = sampleSeconds
        // Relative to the mean, which cancels, so that the integral stays small.
        let mean = readings.reduce(.zero, +) / Double(readings.count)
        var integral = [Vector3.zero]
        integral.reserveCapacity(readings.count + 1)
        for reading in readings { integral.append(integral[integral.count - 1] + (reading - mean) * sampleSeconds) }
        var points: [Point] = []
        var length = 1
        while length <= readings.count / 8 {
            var sum = 0.0
            for start in 0...(readings.count - 2 * length) {
                sum += (integral[start + 2 * length] - 2 * integral[start + length] + integral[start]).squaredLength
            }
            let seconds = Double(length) * sampleSeconds
            let variance = sum / Double(readings.count - 2 * length + 1) / 3 / (2 * seconds * seconds)
            points.append(Point(seconds: seconds, deviation: variance.squareRoot()))
            length = max(length + 1, length * 13 / 10)
        }
        self.points = points
    }

    /// The white noise and the random walk that explain the deviation: Kalibr's two numbers for a sensor.
    ///
    /// σ² = n²/τ + K² τ/3 is fitted by least squares; each point counts by how well it is known, which is as the number of
    /// stretches that do not overlap, relative to its own size.
    public var noise: (density: Double, randomWalk: Double) {
        var (a, b, c, p, q) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for point in points {
            let variance = point.deviation * point.deviation
            guard variance > 0 else { continue }
            // A sampled random walk is a little less than a continuous one at the shortest lengths.
            let lengths = point.seconds / sampleSeconds
            let white = 1 / point.seconds / variance
            let walk = point.seconds / 3 * (1 + 1 / (2 * lengths * lengths)) / variance
            let weight = 1 / point.seconds
            a += weight * white * white
            b += weight * white * walk
            c += weight * walk * walk
            p += weight * white
            q += weight * walk
        }
        let determinant = a * c - b * b
        guard determinant > 0 else { return (0, 0) }
        let (density, walk) = ((c * p - b * q) / determinant, (a * q - b * p) / determinant)
        return (max(density, 0).squareRoot(), max(walk, 0).squareRoot())
    }
}
