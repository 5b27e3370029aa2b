// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARRandom
import ARSim
import Foundation
import Synchronization

/// The table of wrong calibrations: each motion with each seed, once as the device is and once with a calibration that is
/// not the device's.
struct CalibrationTable {
    let plan: Plan

    /// When the estimated calibration is looked at, in seconds after the first frame.
    static let inspectionSeconds = 15.0

    /// Tracks everything twice; the text of the table and, of each pair of runs, its figures: again and again, with all there is, after
    /// each pair.
    func measure(show: @Sendable (_ text: String, _ runs: [CalibrationRun]) throws -> Void) throws {
        let items = plan.motions.flatMap { motion in plan.seeds.map { (motion: motion, seed: $0) } }
        let finished = Mutex<[CalibrationRun]>([])
        _ = try plan.workers.map(items, named: { "\($0.motion.name), seed \($0.seed)" }) { item in
            let run = try run(item.motion, seed: item.seed)
            try finished.withLock { finished in
                finished.append(run)
                let inOrder = plan.motions.flatMap { motion in
                    finished.filter { $0.motion == motion.name }.sorted { $0.seed < $1.seed }
                }
                try show(text(inOrder), inOrder)
            }
        }
    }

    private func run(_ motion: Motion, seed: UInt64) throws -> CalibrationRun {
        let take = try plan.take(motion, seed: seed)
        let source = try plan.studio.open(take)
        let perturbed = try FaultedSource(
            source, faults: CalibrationError(seed: seed).faults, start: SceneSession.start)
        return CalibrationRun(
            motion: motion.name, seed: seed, trueCamera: try source.trueCamera(),
            calibrated: try TrackedRun(source, name: take.name + ", calibrated"),
            perturbed: try TrackedRun(perturbed, name: take.name + ", perturbed"))
    }

    /// The table, with the motions that have been tracked.
    private func text(_ runs: [CalibrationRun]) -> String {
        var table = MarkdownTable(columns: [
            "motion", "focal % at 15 s", "principal point px", "ATE cm, calibrated", "ATE cm, perturbed", "ratio",
            "normal s",
        ])
        for motion in plan.motions {
            let ofMotion = runs.filter { $0.motion == motion.name }
            guard !ofMotion.isEmpty else { continue }
            func cell(_ decimals: Int, _ value: (CalibrationRun) -> Double?) -> String {
                meanAndWorst(ofMotion.compactMap(value), decimals: decimals)
            }
            table.append([
                motion.name, cell(2) { $0.focal_error_percent.map(abs) }, cell(2) { $0.principal_point_error_px },
                cell(2) { $0.calibrated.ate_rmse_cm }, cell(2) { $0.perturbed.ate_rmse_cm }, cell(2) { $0.ate_ratio },
                cell(2) { $0.perturbed.first_normal_s },
            ])
        }
        return table.text
    }
}

/// How wrong a calibration is: always by as much, in directions that a seed chooses.
private struct CalibrationError {
    let faults: [Fault]

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed, purpose: "calibration error")
        func sign() -> Double { random.happens(0.5) ? 1 : -1 }
        func direction() -> Vector3 { Vector3(sign(), sign(), sign()) / 3.0.squareRoot() }
        var calibration = WrongCalibration()
        calibration.focalPercent = 3 * sign()
        calibration.rotation = direction() * (3 * .pi / 180)
        calibration.translation = direction() * 0.02
        var offset = CameraImuOffset()
        offset.offsetSeconds = 0.04 * sign()
        faults = [Fault(.wrongCalibration(calibration)), Fault(.cameraImuOffset(offset))]
    }
}

/// A motion tracked with the right and with a wrong calibration.
struct CalibrationRun: Encodable, Sendable {
    let motion: String
    let seed: UInt64
    let calibrated: RunAccuracy
    let perturbed: RunAccuracy
    /// How much too long the estimated focal lengths are when they are looked at.
    let focal_error_percent: Double?
    /// How far the estimated principal point is from the true one then.
    let principal_point_error_px: Double?
    /// How many times as large the position error is.
    let ate_ratio: Double?

    init(motion: String, seed: UInt64, trueCamera: CameraCalibration, calibrated: TrackedRun, perturbed: TrackedRun) {
        self.motion = motion
        self.seed = seed
        let right = RunAccuracy(of: calibrated, motion: motion, seed: seed)
        let wrong = RunAccuracy(of: perturbed, motion: motion, seed: seed)
        (self.calibrated, self.perturbed) = (right, wrong)
        let truth = trueCamera.camera.intrinsics
        let inspected = perturbed.frame(atSeconds: CalibrationTable.inspectionSeconds)?.camera.intrinsics
        focal_error_percent = inspected.map { (($0.fx + $0.fy) / (truth.fx + truth.fy) - 1) * 100 }
        principal_point_error_px = inspected.map { Vector2($0.cx - truth.cx, $0.cy - truth.cy).length }
        ate_ratio = wrong.ate_rmse_cm.flatMap { wrong in right.ate_rmse_cm.map { wrong / $0 } }
    }
}

extension TrackedRun {
    /// The last frame that many seconds after the first, or before.
    fileprivate func frame(atSeconds seconds: Double) -> TrackedFrame? {
        guard let first = frames.first else { return nil }
        return frames.last { $0.timestamp.seconds(since: first.timestamp) <= seconds }
    }
}
