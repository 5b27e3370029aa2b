// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim
import Foundation

/// How good one run was: what is averaged over the seeds, and what the JSON file lists of each.
struct RunAccuracy: Encodable, Sendable {
    let motion: String
    let seed: UInt64
    let frames: Int
    let frames_with_pose: Int
    let path_m: Double?
    let ate_rmse_cm: Double?
    let rotation_rmse_deg: Double?
    let scale_error_percent: Double?
    let mean_pose_nees: Double?
    let first_pose_s: Double?
    let first_normal_s: Double?
    let state_fractions: [String: Double]
    let largest_normal_error_cm: Double?
    let largest_normal_error_deg: Double?
    let drift_cm_per_m: Double?
    let median_ms: Double?
    let percentile99_ms: Double?
    let stages_ms: StageFigures

    /// The normalized errors, for the consistency over all seeds, and the first frame's instant.
    let normalizedErrors: [NormalizedError]
    let start: Timestamp

    private enum CodingKeys: String, CodingKey {
        case motion, seed, frames, frames_with_pose, path_m, ate_rmse_cm, rotation_rmse_deg, scale_error_percent
        case mean_pose_nees, first_pose_s, first_normal_s, state_fractions, largest_normal_error_cm
        case largest_normal_error_deg, drift_cm_per_m, median_ms, percentile99_ms, stages_ms
    }

    /// The figures of a run, after alignment of heading and position over all frames with a pose. Without any there are no
    /// errors.
    init(of run: TrackedRun, motion: String, seed: UInt64) {
        let estimate = run.estimate
        let evaluation = try? Evaluation(of: estimate, against: run.trueTrajectory)
        let normal = evaluation.map { run.normalErrors(of: $0) } ?? []
        self.motion = motion
        self.seed = seed
        frames = run.frames.count
        frames_with_pose = estimate.poses.count
        path_m = evaluation?.truthLength
        ate_rmse_cm = evaluation.map { $0.position.rmse * 100 }
        rotation_rmse_deg = evaluation.map { degrees($0.rotation.rmse) }
        // The evaluation's scale is what lengths must be multiplied by; the error is how much too long they are.
        scale_error_percent = evaluation?.scale.map { (1 / $0 - 1) * 100 }
        normalizedErrors = evaluation?.normalizedErrors ?? []
        mean_pose_nees = normalizedErrors.isEmpty ? nil : normalizedErrors.map(\.pose).mean
        first_pose_s = run.seconds { $0.motion != nil }
        first_normal_s = run.seconds { $0.trackingState == .normal }
        state_fractions = Dictionary(
            uniqueKeysWithValues: Set(run.frames.map(\.trackingState.description)).map { name in
                let count = run.frames.count { $0.trackingState.description == name }
                return (name, Double(count) / Double(run.frames.count))
            })
        largest_normal_error_cm = normal.map { $0.metres * 100 }.max()
        largest_normal_error_deg = normal.map { degrees($0.radians) }.max()
        drift_cm_per_m = evaluation?.drift.map { $0.metresPerMetre * 100 }
        median_ms = run.milliseconds.quantile(0.5)
        percentile99_ms = run.milliseconds.quantile(0.99)
        stages_ms = StageFigures(run.stageTimes)
        start = run.frames.first?.timestamp ?? SceneSession.start
    }
}

/// What the tracker's stages took for a frame.
struct StageFigures: Encodable, Sendable {
    let features, estimation, start, points, places: Figures

    /// The value in the middle, and the one that one frame in a hundred exceeds.
    struct Figures: Encodable, Sendable {
        let median: Double?
        let percentile99: Double?
    }

    init(_ times: [StageTimes]) {
        func figures(_ stage: (StageTimes) -> Duration) -> Figures {
            let milliseconds = times.map { stage($0) / .milliseconds(1) }
            return Figures(median: milliseconds.quantile(0.5), percentile99: milliseconds.quantile(0.99))
        }
        features = figures(\.features)
        estimation = figures(\.estimation)
        start = figures(\.start)
        points = figures(\.points)
        places = figures(\.places)
    }
}

extension RunAccuracy {
    /// The figures that matter most, for those who wait for the rest.
    var inWords: String {
        "ATE \(decimal(ate_rmse_cm, 2)) cm, \(decimal(rotation_rmse_deg, 2))°, scale \(decimal(scale_error_percent, 2)) %, "
            + "NEES \(decimal(mean_pose_nees, 1)), normal after \(decimal(first_normal_s, 2)) s"
    }
}

extension TrackedRun {
    /// The errors of the frames that the tracker called normal.
    func normalErrors(of evaluation: Evaluation) -> [FrameError] {
        let normal = Set(frames.lazy.filter { $0.trackingState == .normal }.map(\.timestamp))
        return evaluation.errors.filter { normal.contains($0.timestamp) }
    }
}
