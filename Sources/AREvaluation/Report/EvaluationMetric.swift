// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A figure of an evaluation by its name: a key of the JSON that `arsim eval` prints, and of budgets.
///
/// The unit is in the name: `ate_rmse_m`, `rotation_rmse_deg`.
public struct EvaluationMetric: Sendable {
    /// The name.
    public let name: String
    /// Whether larger values are better.
    public let higherIsBetter: Bool
    private let source: Source

    private enum Source: Sendable {
        case run(@Sendable (Evaluation) -> Double?)
        case allRuns(@Sendable (Consistency) -> Double?)
    }

    init(_ name: String, higherIsBetter: Bool = false, _ value: @escaping @Sendable (Evaluation) -> Double?) {
        (self.name, self.higherIsBetter, source) = (name, higherIsBetter, .run(value))
    }

    private init(
        consistency name: String, higherIsBetter: Bool = false, _ value: @escaping @Sendable (Consistency) -> Double?
    ) {
        (self.name, self.higherIsBetter, source) = (name, higherIsBetter, .allRuns(value))
    }

    /// The key of a budget that limits the metric: its name, with `_min` where more is better.
    public var budgetKey: String { higherIsBetter ? name + "_min" : name }

    /// Whether the metric is a run's own; others speak of all runs together.
    public var isOfOneRun: Bool { if case .run = source { true } else { false } }

    /// The value of a run; `nil` where it has none.
    public func value(of evaluation: Evaluation) -> Double? {
        if case .run(let value) = source { value(evaluation) } else { nil }
    }

    /// The value of all runs together; `nil` where they have none.
    public func value(of report: EvaluationReport) -> Double? {
        if case .allRuns(let value) = source { report.consistency.flatMap(value) } else { nil }
    }
}

extension EvaluationMetric {
    /// All metrics, in the order in which they are explained.
    public static let all: [EvaluationMetric] =
        errors + [
            EvaluationMetric("scale_error_percent") { $0.scale.map { abs(1 / $0 - 1) * 100 } },
            EvaluationMetric("drift_m_per_m") { $0.drift?.metresPerMetre },
            EvaluationMetric("drift_m_per_s") { $0.drift?.metresPerSecond },
            EvaluationMetric("rotation_drift_deg_per_m") { ($0.drift?.radiansPerMetre).map(degrees) },
            EvaluationMetric("rotation_drift_deg_per_s") { ($0.drift?.radiansPerSecond).map(degrees) },
            EvaluationMetric("end_error_m") { $0.errors.last?.metres },
            EvaluationMetric("end_rotation_deg") { ($0.errors.last?.radians).map(degrees) },
            EvaluationMetric("matched_frames", higherIsBetter: true) { Double($0.matches.pairs.count) },
            EvaluationMetric("matched_fraction", higherIsBetter: true) {
                Double($0.poseCount - $0.matches.unmatchedInEstimate) / Double($0.frameCount)
            },
            EvaluationMetric("first_pose_s") { $0.firstPose },
            EvaluationMetric("first_normal_s") { $0.states?.firstNormal },
            EvaluationMetric("normal_fraction", higherIsBetter: true) { $0.states?.fraction(of: StampedState.normal) },
            EvaluationMetric("wrong_normal_frames") { ($0.wrongWhileNormal?.frameCount).map(Double.init) },
            EvaluationMetric("wrong_normal_s") { $0.wrongWhileNormal?.seconds },
            EvaluationMetric("wrong_normal_longest_s") { $0.wrongWhileNormal?.longestSeconds },
        ] + normalizedErrors("position", \.position) + normalizedErrors("orientation", \.orientation)
        + normalizedErrors("pose", \.pose) + world

    private static var errors: [EvaluationMetric] {
        statistics("ate", unit: "_m") { $0.position }
            + statistics("rotation", unit: "_deg") { $0.rotation.inDegrees }
            + statistics("full", unit: "") { $0.full }
            + statistics("rpe", unit: "_m") { $0.relativePosition }
            + statistics("rpe_rotation", unit: "_deg") { $0.relativeRotation?.inDegrees }
    }

    private static func statistics(
        _ name: String, unit: String, _ value: @escaping @Sendable (Evaluation) -> ErrorStatistics?
    ) -> [EvaluationMetric] {
        [
            EvaluationMetric("\(name)_rmse\(unit)") { value($0)?.rmse },
            EvaluationMetric("\(name)_mean\(unit)") { value($0)?.mean },
            EvaluationMetric("\(name)_median\(unit)") { value($0)?.median },
            EvaluationMetric("\(name)_std\(unit)") { value($0)?.standardDeviation },
            EvaluationMetric("\(name)_min\(unit)") { value($0)?.minimum },
            EvaluationMetric("\(name)_max\(unit)") { value($0)?.maximum },
            EvaluationMetric("\(name)_sse\(unit.isEmpty ? "" : unit + "2")") { value($0)?.sumOfSquares },
        ]
    }

    private static func normalizedErrors(
        _ part: String, _ value: @escaping @Sendable (Consistency) -> Consistency.Part
    ) -> [EvaluationMetric] {
        [
            EvaluationMetric(consistency: "nees_\(part)_mean") { value($0).mean },
            EvaluationMetric(consistency: "nees_\(part)_inside_fraction", higherIsBetter: true) {
                value($0).insideFraction
            },
            EvaluationMetric(consistency: "nees_\(part)_above_fraction") { value($0).aboveFraction },
        ]
    }

    private static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
}
