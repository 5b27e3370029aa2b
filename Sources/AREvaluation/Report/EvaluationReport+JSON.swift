// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import Foundation

extension EvaluationReport {
    /// The report as `arsim eval --json` prints it: for each run its metrics by their names, and what they amount to
    /// together. What is not known is left out.
    public var json: JSONValue {
        var entries: [String: JSONValue] = ["runs": .list(runs.map(\.json))]
        let joint = EvaluationMetric.all.filter { !$0.isOfOneRun }
        var together = JSONValue.metrics(joint) { $0.value(of: self) }
        if let consistency {
            together["nees_runs"] = .integer(Int64(consistency.runCount))
            together["nees_instants"] = .integer(Int64(consistency.instantCount))
        }
        for metric in EvaluationMetric.all where metric.isOfOneRun {
            guard let summary = summary(of: metric) else { continue }
            together[metric.name] = .record([
                "median": .number(summary.median), "mean": .number(summary.mean), "worst": .number(summary.worst),
                "runs": .integer(Int64(summary.runCount)),
            ])
        }
        entries["all_runs"] = .record(together)
        return .record(entries)
    }
}

extension EvaluationReport.Run {
    fileprivate var json: JSONValue {
        let result = evaluation
        let transform = result.truthFromEstimate
        let q = transform.rotation.canonical.coefficients
        let t = transform.translation
        var entries = JSONValue.metrics(EvaluationMetric.all) { $0.value(of: result) }
        entries["estimate"] = .string(name)
        entries["mode"] = result.mode.map(JSONValue.string) ?? .null
        entries["frames"] = .integer(Int64(result.frameCount))
        entries["poses"] = .integer(Int64(result.poseCount))
        entries["unmatched_in_estimate"] = .integer(Int64(result.matches.unmatchedInEstimate))
        entries["unmatched_in_truth"] = .integer(Int64(result.matches.unmatchedInTruth))
        entries["only_normal"] = .bool(result.options.comparesNormalPosesOnly)
        entries["alignment"] = .string(result.options.alignment.rawValue)
        entries["truth_from_estimate"] = .record([
            "scale": .number(transform.scale), "rotation_xyzw": .numbers([q.x, q.y, q.z, q.w]),
            "translation_m": .numbers([t.x, t.y, t.z]),
        ])
        entries["truth_length_m"] = .number(result.truthLength)
        entries["duration_s"] = .number(result.duration)
        entries["rpe_pairs"] = .integer(Int64(result.relativePosition?.count ?? 0))
        entries["scale"] = result.scale.map(JSONValue.number) ?? .null
        if let world = result.world { entries["world"] = world.json }
        if let states = result.states {
            entries["states"] = .list(
                states.states.map {
                    .record([
                        "state": .string($0.name), "frames": .integer(Int64($0.frameCount)),
                        "time_s": .number($0.seconds),
                    ])
                })
        }
        return .record(entries)
    }
}

extension JSONValue {
    fileprivate static func metrics(
        _ metrics: [EvaluationMetric], _ value: (EvaluationMetric) -> Double?
    ) -> [String: JSONValue] {
        var entries: [String: JSONValue] = [:]
        for metric in metrics { entries[metric.name] = value(metric).map(JSONValue.number) }
        return entries
    }
}
