// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// Whether the covariances of one or more runs are true: their normalized errors, averaged over the runs, against the
/// bounds that hold 95 % of such averages.
///
/// The mean of N runs with d degrees of freedom, times N, has the chi-squared distribution with N d. Above the bounds a
/// tracker believes itself too much, below too little.
/// - Reference: Bar-Shalom, Li, Kirubarajan 2001, section 5.4.2, eqs. 5.4.2-3 to 5.4.2-8.
///   Law: `ConsistencyTests.averagesLieWithinTheirBounds`.
public struct Consistency: Hashable, Sendable {
    /// Of positions alone.
    public var position: Part
    /// Of orientations alone.
    public var orientation: Part
    /// Of whole poses.
    public var pose: Part
    /// The number of runs.
    public var runCount: Int
    /// The number of instants at which every run has a covariance that can be inverted.
    public var instantCount: Int

    /// The normalized errors of a part of the pose.
    public struct Part: Hashable, Sendable {
        /// The mean over all instants and runs; of a true covariance the number of degrees of freedom.
        public var mean: Double
        /// The bounds of the average over the runs at one instant.
        public var bounds: ClosedRange<Double>
        /// The part of the instants whose average lies within the bounds.
        public var insideFraction: Double
        /// The part of the instants whose average lies above: where the tracker believes itself too much.
        public var aboveFraction: Double

        init(_ averages: [Double], degreesOfFreedom: Int, runCount: Int) {
            let whole = ChiSquared(degreesOfFreedom: degreesOfFreedom * runCount).bounds(holding: 0.95)
            let bounds = whole.lowerBound / Double(runCount)...whole.upperBound / Double(runCount)
            let count = Double(averages.count)
            self.bounds = bounds
            mean = averages.reduce(0, +) / count
            insideFraction = Double(averages.count { bounds.contains($0) }) / count
            aboveFraction = Double(averages.count { $0 > bounds.upperBound }) / count
        }
    }

    /// The consistency of runs, each with its normalized errors in the order of their instants; `nil` where the runs have no
    /// instant in common. Instants are counted from each run's origin.
    /// - Parameter origins: where each run's clock starts: its first frame.
    public init?(_ runs: [[NormalizedError]], origins: [Timestamp]) {
        precondition(runs.count == origins.count, "\(origins.count) origins for \(runs.count) runs")
        var sums: [(position: Double, orientation: Double, pose: Double)] = []
        var instants: [Int64] = []
        for (number, (run, origin)) in zip(runs, origins).enumerated() {
            let times = run.map { $0.timestamp.nanoseconds(since: origin) }
            if number == 0 {
                instants = times
                sums = run.map { ($0.position, $0.orientation, $0.pose) }
                continue
            }
            var place = 0
            var (kept, keptSums): ([Int64], [(Double, Double, Double)]) = ([], [])
            for (instant, sum) in zip(instants, sums) {
                while place < times.count, times[place] < instant { place += 1 }
                guard place < times.count, times[place] == instant else { continue }
                let error = run[place]
                kept.append(instant)
                keptSums.append(
                    (sum.position + error.position, sum.orientation + error.orientation, sum.pose + error.pose))
            }
            (instants, sums) = (kept, keptSums)
        }
        guard !sums.isEmpty else { return nil }
        let runCount = runs.count
        position = Part(sums.map { $0.position / Double(runCount) }, degreesOfFreedom: 3, runCount: runCount)
        orientation = Part(sums.map { $0.orientation / Double(runCount) }, degreesOfFreedom: 3, runCount: runCount)
        pose = Part(sums.map { $0.pose / Double(runCount) }, degreesOfFreedom: 6, runCount: runCount)
        self.runCount = runCount
        instantCount = sums.count
    }
}
