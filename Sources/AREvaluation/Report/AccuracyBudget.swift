// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import Foundation

/// Limits that an evaluation must keep, so that a build fails when accuracy is lost.
///
/// The file is YAML; the article *Evaluating trajectories* describes its keys. A metric that is limited but not known (no state, no
/// covariance) fails, too: what was not measured was not kept.
public struct AccuracyBudget: Hashable, Sendable {
    /// What stands under `format`.
    public static let format = "arsim-budget/1"

    /// A limit on a metric.
    public struct Limit: Hashable, Sendable {
        /// The key, as ``EvaluationMetric/budgetKey`` has it.
        public var key: String
        /// The largest value that keeps it; the smallest of metrics of which more is better.
        public var value: Double

        /// A limit on the metric with that key.
        public init(_ key: String, _ value: Double) { (self.key, self.value) = (key, value) }
    }

    /// The limits, in the file's order.
    public let limits: [Limit]

    /// A budget of these limits, for tests in code. Each key must be a metric's ``EvaluationMetric/budgetKey``.
    public init(_ limits: [Limit]) {
        for limit in limits {
            precondition(EvaluationMetric.all.contains { $0.budgetKey == limit.key }, "no metric \(limit.key)")
        }
        self.limits = limits
    }

    /// Reads a budget's file.
    public init(contentsOf file: URL) throws {
        try self.init(YamlReader.read(YamlReader.text(of: file), file: file.relativePath))
    }

    /// Reads a budget. A key that no metric has is an error, not ignored.
    public init(_ node: DocumentNode) throws(DocumentError) {
        let keys = EvaluationMetric.all.map(\.budgetKey)
        let format = try node.required("format")
        guard try format.string() == Self.format else { throw format.error(expected: "\"\(Self.format)\"") }
        try node.check(keys: ["format"] + keys)
        var limits: [Limit] = []
        for (key, value) in try node.entries() where key != "format" {
            limits.append(Limit(key, try value.double()))
        }
        guard !limits.isEmpty else { throw node.error(expected: "at least one limit") }
        self.limits = limits
    }

    /// The limits that a report does not keep. Each run must keep each limit; what the covariances say is looked at over
    /// all runs together.
    public func failures(of report: EvaluationReport) -> [BudgetFailure] {
        var failures: [BudgetFailure] = []
        for limit in limits {
            // Keys were checked on reading.
            let metric = EvaluationMetric.all.first { $0.budgetKey == limit.key }!
            func check(_ value: Double?, run: String?) {
                let isKept = value.map { metric.higherIsBetter ? $0 >= limit.value : $0 <= limit.value } ?? false
                guard !isKept else { return }
                failures.append(
                    BudgetFailure(
                        metric: metric.name, run: run, found: value, limit: limit.value,
                        isMinimum: metric.higherIsBetter))
            }
            if metric.isOfOneRun {
                for run in report.runs { check(metric.value(of: run.evaluation), run: run.name) }
            } else {
                check(metric.value(of: report), run: nil)
            }
        }
        return failures
    }
}

/// A limit that was not kept.
public struct BudgetFailure: Hashable, Sendable {
    /// The metric's name.
    public var metric: String
    /// The run; `nil` where all runs together did not keep it.
    public var run: String?
    /// The value; `nil` where it is not known.
    public var found: Double?
    /// The limit.
    public var limit: Double
    /// Whether the limit is the smallest value, not the largest.
    public var isMinimum: Bool
}

extension BudgetFailure: CustomStringConvertible {
    public var description: String {
        let bound = (isMinimum ? "at least " : "at most ") + NumberText.string(limit)
        let place = run.map { " in \($0)" } ?? ""
        guard let found else { return "\(metric) is not known\(place), and should be \(bound)" }
        let miss = "\(NumberText.rounded(abs(found - limit))) too \(isMinimum ? "low" : "high")"
        return "\(metric) is \(NumberText.rounded(found))\(place), \(miss): it should be \(bound)"
    }
}

extension NumberText {
    /// The number with about five digits.
    static func rounded(_ value: Double) -> String {
        guard value != 0, value.isFinite else { return string(value) }
        let places = 4 - Int(log10(abs(value)).rounded(.down))
        let scale = pow(10, Double(max(places, 0)))
        return string((value * scale).rounded() / scale)
    }
}
