// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

/// An evaluation as lines for people.
struct EvaluationText {
    private let report: EvaluationReport

    init(_ report: EvaluationReport) { self.report = report }

    /// Each run, then what they amount to together.
    var lines: [String] {
        var lines: [String] = []
        for run in report.runs {
            if report.runs.count > 1 { lines.append("== \(run.name)") }
            lines += about(run.evaluation) + [""] + errors(of: run.evaluation) + [""]
            if let world = run.evaluation.world { lines += about(world) + [""] }
        }
        if report.runs.count > 1 { lines += summary + [""] }
        return lines + consistency
    }

    private func about(_ run: Evaluation) -> [String] {
        let matches = run.matches
        let compared = run.options.comparesNormalPosesOnly ? "normal" : "with a pose"
        var lines = [
            line("mode", run.mode.map(describe) ?? "not stated: the estimate is a bare trajectory"),
            line(
                "frames",
                "\(run.frameCount), \(run.poseCount) \(compared); \(matches.pairs.count) matched, "
                    + "\(matches.unmatchedInEstimate) poses without truth"),
            line(
                "way",
                "\(text(run.truthLength, 3)) m in \(text(run.duration, 3)) s, from \(text(run.firstPose, 3)) s "
                    + "after the first frame"),
            line("aligned", "by \(run.options.alignment.rawValue): \(describe(run.truthFromEstimate))"),
        ]
        if let scale = run.scale {
            lines.append(
                line(
                    "scale",
                    "\(text(scale, 6)): the estimate's lengths are \(text(abs(1 / scale - 1) * 100, 3)) % too "
                        + (scale > 1 ? "short" : "long")))
        }
        if let drift = run.drift {
            let perDegree = 180 / Double.pi
            lines.append(
                line(
                    "drift",
                    "\(text(drift.metresPerMetre * 100, 3)) % of the way, \(text(drift.metresPerSecond * 1000, 3)) mm/s; "
                        + "\(text(drift.radiansPerMetre * perDegree, 4))°/m, "
                        + "\(text(drift.radiansPerSecond * perDegree, 4))°/s"))
        }
        if let end = run.errors.last {
            lines.append(line("at the end", "\(text(end.metres, 5)) m, \(text(end.radians * 180 / .pi, 4))°"))
        }
        return lines + states(of: run)
    }

    private func states(of run: Evaluation) -> [String] {
        guard let states = run.states else { return [] }
        var lines = states.states.map {
            line("state", "\($0.name) \(text($0.seconds, 3)) s, \(counted($0.frameCount, "frame"))")
        }
        if let wrong = run.wrongWhileNormal {
            let limits = run.options.wrongBeyond
            lines.append(
                line(
                    "wrong",
                    "\(counted(wrong.frameCount, "normal frame")) off by more than \(text(limits.metres, 3)) m or "
                        + "\(text(limits.radians * 180 / .pi, 2))°: \(text(wrong.seconds, 3)) s, at most "
                        + "\(text(wrong.longestSeconds, 3)) s at a time"))
        }
        return lines
    }

    private func errors(of run: Evaluation) -> [String] {
        var rows = [
            "", "rmse", "mean", "median", "std", "min", "max", "sse",
        ].map { $0.leftPadded(to: 13) }.joined()
        rows.removeFirst(13)
        var lines = ["                    " + rows]
        func add(_ name: String, _ statistics: ErrorStatistics?) {
            guard let s = statistics else { return }
            let values = [s.rmse, s.mean, s.median, s.standardDeviation, s.minimum, s.maximum, s.sumOfSquares]
            lines.append(
                name.padding(toLength: 20, withPad: " ", startingAt: 0)
                    + values.map { text($0, abs($0) < 1000 ? 6 : 2).leftPadded(to: 13) }.joined())
        }
        add("ATE, m", run.position)
        add("rotation, °", run.rotation.inDegrees)
        add("full", run.full)
        let pairs = run.relativePosition.map { counted($0.count, "pair") } ?? "no pair"
        lines.append("RPE over \(describe(run.options.span)): \(pairs)")
        add("  translation, m", run.relativePosition)
        add("  rotation, °", run.relativeRotation?.inDegrees)
        return lines
    }

    private var summary: [String] {
        var lines = [
            "== \(report.runs.count) runs",
            "".leftPadded(to: 28) + ["median", "mean", "worst"].map { $0.leftPadded(to: 14) }.joined(),
        ]
        let shown = [
            "ate_rmse_m", "rotation_rmse_deg", "rpe_rmse_m", "rpe_rotation_rmse_deg", "scale_error_percent",
            "drift_m_per_m", "end_error_m", "first_pose_s", "normal_fraction", "wrong_normal_frames", "matched_frames",
            "plane_normal_max_deg", "plane_offset_max_m", "plane_iou_worst", "planes_found_fraction",
            "false_plane_longest_s", "hit_median_mm", "rectangle_corner_median_px", "rectangle_size_median_percent",
            "rectangle_heading_median_deg", "code_recall",
        ]
        for metric in EvaluationMetric.all where shown.contains(metric.name) {
            guard let summary = report.summary(of: metric) else { continue }
            let places = metric.name.hasSuffix("_frames") ? 0 : 6
            lines.append(
                metric.name.padding(toLength: 28, withPad: " ", startingAt: 0)
                    + [summary.median, summary.mean, summary.worst].map { text($0, places).leftPadded(to: 14) }.joined()
            )
        }
        return lines
    }

    private var consistency: [String] {
        guard let consistency = report.consistency else { return [] }
        var lines = [
            line(
                "NEES",
                "average of \(counted(consistency.runCount, "run")) at \(counted(consistency.instantCount, "instant"))")
        ]
        for (name, part) in [
            ("position", consistency.position), ("orientation", consistency.orientation), ("pose", consistency.pose),
        ] {
            lines.append(
                line(
                    "  \(name)",
                    "mean \(text(part.mean, 3)); \(text(part.insideFraction * 100, 1)) % of the time within 95 % bounds "
                        + "\(text(part.bounds.lowerBound, 2))…\(text(part.bounds.upperBound, 2)), "
                        + "\(text(part.aboveFraction * 100, 1)) % above"))
        }
        return lines + [""]
    }
}

extension EvaluationText {
    func line(_ name: String, _ value: String) -> String {
        name.padding(toLength: max(12, name.count + 1), withPad: " ", startingAt: 0) + value
    }

    func text(_ value: Double, _ places: Int) -> String {
        let text = String(format: "%.\(places)f", value)
        return text.hasPrefix("-") && text.allSatisfy { "-0.".contains($0) } ? String(text.dropFirst()) : text
    }

    private func describe(_ mode: String) -> String {
        switch PoseMode(rawValue: mode) {
        case .pinned: "pinned: poses are the recording's or the scene's truth"
        case .tracked: "tracked: poses were perceived"
        case nil: mode
        }
    }

    private func describe(_ transform: Similarity) -> String {
        let t = transform.translation
        let scale = transform.scale == 1 ? "" : ", scaled by \(text(transform.scale, 6))"
        return "turned \(text(transform.rotation.angle * 180 / .pi, 3))°, moved "
            + "(\(text(t.x, 4)), \(text(t.y, 4)), \(text(t.z, 4))) m\(scale)"
    }

    private func describe(_ span: PairSpan) -> String {
        switch span {
        case .frames(let count): counted(count, "frame")
        case .metres(let length): "\(NumberText.string(length)) m"
        case .radians(let angle): "\(text(angle * 180 / .pi, 3))°"
        case .seconds(let duration): "\(NumberText.string(duration)) s"
        }
    }
}

extension String {
    func leftPadded(to width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }
}
