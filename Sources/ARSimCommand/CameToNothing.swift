// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSim

/// Why work on good input has no result, or not the one that was asked for: the program's exit code is 1.
enum CameToNothing: Error, CustomStringConvertible {
    /// A session without frames proves nothing.
    case nothingReplayed(input: String)
    /// The pen never touched a plane.
    case nothingDrawn(SessionSummary)
    /// No card was found and read.
    case noCardFound(frames: Int, mode: PoseMode)
    /// No emblem was recognised.
    case noEmblemNamed(frames: Int)
    /// No face was found.
    case noFaceFound(frames: Int)
    /// Pictures are no good targets.
    case belowPassMark(count: Int, of: Int)
    /// Faults took every frame away.
    case nothingLeft(input: String)
    /// An estimate and a truth have nothing in common.
    case nothingCompared(estimate: String, EvaluationError)
    /// Limits of a budget were not kept.
    case overBudget(BudgetVerdict)
    /// What was printed did not reach the standard output.
    case printedInVain(reason: String)

    var description: String {
        switch self {
        case .nothingReplayed(let input): "'\(input)' has no frames: nothing was replayed"
        case .nothingDrawn(let summary) where summary.framesWithPose == 0:
            "nothing was drawn in \(summary.framesReplayed) frames, because no pose is known: in mode "
                + "\(summary.mode.rawValue) a recording needs ground truth or truth.jsonl"
        case .nothingDrawn(let summary):
            "nothing was drawn in \(summary.framesReplayed) frames (\(summary.framesWithPose) with a pose, "
                + "\(summary.penSamples) pen samples): the pen must touch a plane that the session declares"
        case .noCardFound(let frames, let mode):
            "no card was identified in \(counted(frames, "frame")), mode \(mode.rawValue): a card is a rectangle on a plane with a "
                + "code that can be read inside it; `arsim detect` tells what single pictures show"
        case .noEmblemNamed(let frames):
            "no emblem was recognised in \(counted(frames, "frame")): the program knows those of the scene 'clubs'"
        case .noFaceFound(let frames):
            "no face was found in \(counted(frames, "frame")): faces are found that are upright in the interface's orientation, "
                + "from some 30 pixels on; `arsim detect --faces` tells what single pictures show"
        case .belowPassMark(let count, let all):
            "\(count) of \(counted(all, "picture")) score less than \(TargetScore.passMark), the pass mark"
        case .nothingLeft(let input): "the faults leave no frame of '\(input)': nothing can be replayed"
        case .nothingCompared(let estimate, let error): "\(estimate): \(error)"
        case .overBudget(let verdict): verdict.description
        case .printedInVain(let reason): "the standard output cannot be written: \(reason)"
        }
    }
}
