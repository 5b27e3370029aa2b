// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARRandom
import ARSim
import Foundation

/// The table of starts: sessions that begin in the middle of a motion, at a random instant.
struct StartTable {
    let plan: Plan
    /// How many starts there are, shared evenly among the motions by chance.
    let count: Int

    /// How long a session lasts, in seconds.
    static let sessionSeconds = 4.0
    /// By when a start is asked for, in seconds after the first frame.
    static let deadlineSeconds = 2.5

    /// Tracks every start; the text of the table and each start's figures.
    func measure() throws -> (text: String, runs: [StartRun]) {
        var random = SeededRandom(seed: 0, purpose: "starts")
        let items = (1...count).map { number in
            let motion = plan.motions.randomElement(using: &random)!
            let latest = motion.seconds - Self.sessionSeconds
            return (number: number, motion: motion, start: (random.uniform(0..<latest) * 1e3).rounded() / 1e3)
        }
        let starts = try plan.workers.map(items, named: { "start \($0.number)" }) { item in
            let take = Take(
                name: "start-\(item.number)-\(item.motion.name)-\(item.start)s",
                scene: try item.motion.scene(
                    folder: plan.motionFolder, from: item.start, seconds: Self.sessionSeconds,
                    seed: UInt64(item.number)))
            let run = StartRun(
                of: try TrackedRun(plan.studio.open(take), name: take.name), motion: item.motion.name,
                start: item.start)
            // Whoever stops the work has what was found.
            tell("start \(item.number): \(run.inWords)")
            return run
        }
        var table = MarkdownTable(columns: [
            "motion", "starts", "pose ≤ 2.5 s", "normal ≤ 2.5 s", "normal s", "measured", "scale %", "≤ 5 %", "> 15 %",
        ])
        for motion in plan.motions { table.append(row(motion.name, starts.filter { $0.motion == motion.name })) }
        table.append(row("all", starts))
        return (table.text, starts)
    }

    private func row(_ name: String, _ starts: [StartRun]) -> [String] {
        func isInTime(_ seconds: Double?) -> Bool { seconds.map { $0 <= Self.deadlineSeconds } ?? false }
        let errors = starts.compactMap { $0.scale_error_percent.map(abs) }
        func part(_ isWanted: (Double) -> Bool) -> String {
            errors.isEmpty ? "–" : "\(errors.count(where: isWanted)) of \(errors.count)"
        }
        return [
            name, "\(starts.count)", "\(starts.count { isInTime($0.first_pose_s) })",
            "\(starts.count { isInTime($0.first_normal_s) })",
            meanAndWorst(starts.compactMap(\.first_normal_s), decimals: 2), "\(errors.count)",
            meanAndWorst(errors, decimals: 1), part { $0 <= 5 }, part { $0 > 15 },
        ]
    }
}

/// How a session began.
struct StartRun: Encodable, Sendable {
    let motion: String
    let start_s: Double
    let first_pose_s: Double?
    let first_normal_s: Double?
    /// The length of the true way from the first normal frame to the session's end.
    let path_m: Double?
    /// How much too long that way is in the estimate; `nil` where it is too short to tell.
    let scale_error_percent: Double?

    /// What is told while others are still tracked.
    var inWords: String {
        "\(motion) from \(start_s) s, pose after \(decimal(first_pose_s, 2)) s, "
            + "normal after \(decimal(first_normal_s, 2)) s, scale \(decimal(scale_error_percent, 1)) %"
    }

    /// The shortest way whose scale is measured, in metres.
    static let shortestPath = 0.1

    init(of run: TrackedRun, motion: String, start: Double) {
        self.motion = motion
        start_s = start
        first_pose_s = run.seconds { $0.motion != nil }
        first_normal_s = run.seconds { $0.trackingState == .normal }
        let begin = run.frames.first { $0.trackingState == .normal }?.timestamp
        let estimate = begin.map { begin in run.estimate { $0.timestamp >= begin } }
        var options = EvaluationOptions()
        options.alignment = .originYaw
        let evaluation = estimate.flatMap { try? Evaluation(of: $0, against: run.trueTrajectory, options) }
        path_m = evaluation?.truthLength
        let isLongEnough = evaluation.map { $0.truthLength >= Self.shortestPath } ?? false
        scale_error_percent = isLongEnough ? evaluation?.scale.map { (1 / $0 - 1) * 100 } : nil
    }
}
