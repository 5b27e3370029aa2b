// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing

/// The evaluations of one or more runs, and what they amount to together.
public struct EvaluationReport: Sendable {
    /// The runs, of which there is at least one.
    public let runs: [Run]
    /// Whether the covariances are true, over all runs; `nil` where a run has none.
    public let consistency: Consistency?

    /// A run and what it is called.
    public struct Run: Sendable {
        /// A name for people: the estimate's file.
        public var name: String
        /// How good it is.
        public var evaluation: Evaluation

        /// A run with a name.
        public init(name: String, evaluation: Evaluation) {
            self.name = name
            self.evaluation = evaluation
        }
    }

    /// A report of at least one run.
    public init(_ runs: [Run]) {
        precondition(!runs.isEmpty, "a report needs a run")
        self.runs = runs
        consistency = Consistency(runs.map(\.evaluation.normalizedErrors), origins: runs.map(\.evaluation.start))
    }

    /// A metric's values over the runs; `nil` where no run has one.
    public func summary(of metric: EvaluationMetric) -> MetricSummary? {
        let values = runs.compactMap { metric.value(of: $0.evaluation) }
        return ErrorStatistics(values).map {
            MetricSummary(
                median: $0.median, mean: $0.mean, worst: metric.higherIsBetter ? $0.minimum : $0.maximum,
                runCount: values.count)
        }
    }
}

/// A metric's values over several runs.
public struct MetricSummary: Hashable, Sendable {
    /// The middle one.
    public var median: Double
    /// The mean.
    public var mean: Double
    /// The largest, or the smallest where more is better.
    public var worst: Double
    /// The number of runs that have a value.
    public var runCount: Int
}
