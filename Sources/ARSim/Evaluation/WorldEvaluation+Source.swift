// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import ARRecording
import ARSensing
import ARTruth

extension WorldEvaluation {
    /// Compares a session's answers with the truth of what it was made from; `nil` where no frame has a truth.
    /// - Parameters:
    ///   - source: the recording or the scene. Depth pictures, which a scene paints and a recording may have, tell where hits on
    ///     what is no plane should be, what of each plane was seen unhidden, and which planes are real though nobody declares them.
    ///   - truthFromSession: the session's world laid over the truth's: ``/AREvaluation/Evaluation/truthFromNormal``.
    ///   - offset: what is added to the answers' instants, in nanoseconds.
    ///   - progress: hears after each frame how many have been compared: of a scene, the truth takes time to find out.
    public init?(
        of answers: SessionAnswers, against source: any SensorSource & TruthSource, truthFromSession: Similarity,
        offset: Int64 = 0, options: WorldEvaluationOptions = WorldEvaluationOptions(),
        progress: (_ compared: Int) -> Void = { _ in }
    ) throws {
        var truths = try (answers.askForDepths ? source.with([.depth]) : source).makeTruthStream()
        var evaluator = WorldEvaluator(
            truth: try source.sessionTruth(), camera: try source.trueCamera(), truthFromSession: truthFromSession,
            options: options)
        for (number, frame) in answers.frames.enumerated() {
            evaluator.compare(frame, with: try truths.truth(at: frame.timestamp.advanced(byNanoseconds: offset)))
            progress(number + 1)
        }
        self = evaluator.evaluation
        guard frameCount > 0 else { return nil }
    }
}

extension SessionAnswers {
    /// Whether there are answers of which depth pictures tell more: planes, and hits on what is none.
    fileprivate var askForDepths: Bool {
        frames.contains { !$0.changedPlanes.isEmpty || $0.hits.contains { $0.anchor == nil } }
    }
}

extension TopView.Truth {
    /// The truth of a recording or a scene, beside what was found in it. Of its rectangles those of the first frame whose
    /// truth is known.
    /// - Parameter truthFromSession: the session's world laid over the truth's.
    public init(of source: any SensorSource & TruthSource, truthFromSession: Similarity) throws {
        let way = try Trajectory(truthOf: source)
        var truths = try source.makeTruthStream()
        self.init(
            planes: try source.sessionTruth().planes,
            rectangles: try way.poses.first.flatMap { try truths.truth(at: $0.timestamp) }?.rectangles ?? [],
            path: way.poses.map(\.worldFromBody), truthFromSession: truthFromSession)
    }
}
