// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

/// The table of accuracy: each motion with each seed, from its beginning on.
struct AccuracyTable {
    let plan: Plan

    /// Tracks everything; the text of the table and, of each run, its figures.
    func measure() throws -> (text: String, runs: [RunAccuracy]) {
        let items = plan.motions.flatMap { motion in plan.seeds.map { (motion: motion, seed: $0) } }
        let runs = try plan.workers.map(items, named: { "\($0.motion.name), seed \($0.seed)" }) { item in
            let take = try plan.take(item.motion, seed: item.seed)
            let run = try TrackedRun(plan.studio.open(take), name: take.name)
            let accuracy = RunAccuracy(of: run, motion: item.motion.name, seed: item.seed)
            tell("\(take.name): \(accuracy.inWords)")
            return accuracy
        }
        var table = MarkdownTable(columns: Self.columns)
        for motion in plan.motions { table.append(row(motion, runs.filter { $0.motion == motion.name })) }
        return (table.text, runs)
    }

    private static let columns = [
        "motion", "asked", "ATE cm", "rotation °", "scale %", "NEES", "in bounds", "pose s", "normal s", "normal",
        "limited", "none", "normal off cm", "normal off °", "drift cm/m", "ms", "ms 99 %",
    ]

    /// Means over the seeds, and behind them the worst.
    private func row(_ motion: Motion, _ runs: [RunAccuracy]) -> [String] {
        func cell(_ decimals: Int, _ value: (RunAccuracy) -> Double?) -> String {
            meanAndWorst(runs.compactMap(value), decimals: decimals)
        }
        func fraction(of isWanted: (String) -> Bool) -> String {
            percent(runs.map { run in run.state_fractions.filter { isWanted($0.key) }.values.reduce(0, +) }.mean)
        }
        let consistency = Consistency(runs.map(\.normalizedErrors), origins: runs.map(\.start))
        return [
            motion.name,
            String(format: "%.1f cm, %.1f°", motion.positionLimit * 100, degrees(motion.rotationLimit)),
            cell(2) { $0.ate_rmse_cm }, cell(2) { $0.rotation_rmse_deg }, cell(2) { $0.scale_error_percent.map(abs) },
            cell(1) { $0.mean_pose_nees }, percent(consistency?.pose.insideFraction),
            cell(2) { $0.first_pose_s }, cell(2) { $0.first_normal_s },
            fraction { $0 == "normal" }, fraction { $0.hasPrefix("limited") }, fraction { $0 == "notAvailable" },
            cell(1) { $0.largest_normal_error_cm }, cell(1) { $0.largest_normal_error_deg },
            cell(2) { $0.drift_cm_per_m }, cell(1) { $0.median_ms }, cell(1) { $0.percentile99_ms },
        ]
    }
}
