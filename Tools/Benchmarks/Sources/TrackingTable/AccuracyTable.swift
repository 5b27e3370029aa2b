// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation
import Synchronization

/// The table of accuracy: each motion with each seed, from its beginning on.
struct AccuracyTable {
    let plan: Plan

    /// Tracks everything; the text of the table and, of each run, its figures: again and again, with all there is, when
    /// something has been added.
    func measure(show: @Sendable (_ text: String, _ runs: [RunAccuracy]) throws -> Void) throws {
        let finished = Mutex<[RunAccuracy]>([])
        @Sendable func add(_ runs: [RunAccuracy]) throws {
            try finished.withLock { finished in
                finished += runs
                let inOrder = plan.motions.map { motion in
                    finished.filter { $0.motion == motion.name }.sorted { $0.seed < $1.seed }
                }
                try show(text(inOrder), inOrder.flatMap { $0 })
            }
        }
        if plan.studio.recordings == nil, !plan.ownSurfaces {
            try measureSideBySide(add)
        } else {
            try measureOneByOne(add)
        }
    }

    /// A motion at a time, all of its seeds in one rendering.
    private func measureSideBySide(_ add: @Sendable ([RunAccuracy]) throws -> Void) throws {
        let workers = Workers(count: min(plan.workers.count, plan.motions.count))
        let threads = plan.workers.count / workers.count
        _ = try workers.map(plan.motions, named: \.name) { motion in
            let runs = try TrackedRun.sideBySide(
                plan.take(motion, seed: plan.seeds[0]).scene, sensorSeeds: plan.seeds, threads: threads,
                name: motion.name)
            try add(zip(plan.seeds, runs).map { seed, run in accuracy(of: run, motion, seed: seed) })
        }
    }

    /// A motion and a seed at a time.
    private func measureOneByOne(_ add: @Sendable ([RunAccuracy]) throws -> Void) throws {
        let items = plan.motions.flatMap { motion in plan.seeds.map { (motion: motion, seed: $0) } }
        _ = try plan.workers.map(items, named: { "\($0.motion.name), seed \($0.seed)" }) { item in
            let take = try plan.take(item.motion, seed: item.seed)
            let run = try TrackedRun(plan.studio.open(take), name: take.name)
            try add([accuracy(of: run, item.motion, seed: item.seed)])
        }
    }

    private func accuracy(of run: TrackedRun, _ motion: Motion, seed: UInt64) -> RunAccuracy {
        let accuracy = RunAccuracy(of: run, motion: motion.name, seed: seed)
        tell("\(motion.name), seed \(seed): \(accuracy.inWords)")
        return accuracy
    }

    /// The table, with the motions that have been tracked.
    private func text(_ runsByMotion: [[RunAccuracy]]) -> String {
        var table = MarkdownTable(columns: Self.columns)
        for (motion, runs) in zip(plan.motions, runsByMotion) where !runs.isEmpty { table.append(row(motion, runs)) }
        return table.text
    }

    private static let columns = [
        "motion", "asked", "ATE cm", "rotation °", "scale %", "NEES", "in bounds", "pose s", "normal s", "normal",
        "limited", "none", "normal off cm", "normal off °", "drift cm/m", "ms", "ms 99 %",
        "features ms", "estimation ms", "start ms 99 %",
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
            cell(1) { $0.stages_ms.features.median }, cell(1) { $0.stages_ms.estimation.median },
            cell(1) { $0.stages_ms.start.percentile99 },
        ]
    }
}
