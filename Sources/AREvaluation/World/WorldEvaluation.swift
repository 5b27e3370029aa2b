// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth

/// How good a session's answers about its world are: planes, hits, rectangles, codes, image targets and
/// faces against the truth.
public struct WorldEvaluation: Hashable, Sendable {
    /// How it was compared.
    public let options: WorldEvaluationOptions
    /// The number of frames that were compared with a truth.
    public let frameCount: Int
    /// The planes; `nil` where the truth knows none.
    public let planes: PlaneOutcomes?
    /// The hits of all types together but `existingPlane`, whose planes have no bounds; `nil` where there was none.
    public let hits: HitErrors?
    /// The hits by type, in alphabetical order.
    public let hitsByType: [HitErrors]
    /// The rectangles in the pictures; `nil` where nobody looked for any.
    public let rectangles: RectangleDetection?
    /// The rectangles in the world, all together; `nil` where nobody looked for any.
    public let placedRectangles: PlacedRectangleErrors?
    /// The same by the rectangles' names.
    public let placedRectanglesByName: [PlacedRectangleErrors]
    /// The codes; `nil` where nobody looked for any.
    public let codes: CodeOutcomes?
    /// The image targets; `nil` where nobody looked for any.
    public let targets: TargetOutcomes?
    /// The faces; `nil` where nobody looked for any.
    public let faces: FaceOutcomes?
}

/// Compares a session's answers with the truth, frame after frame. What nobody looked for is not judged.
public struct WorldEvaluator: Sendable {
    private let options: WorldEvaluationOptions
    private let truthFromSession: Similarity
    private var frameCount = 0
    private var planes: PlaneEvaluator
    private var hits: HitEvaluator
    private var rectangles: RectangleDetectionEvaluator
    private var placedRectangles: PlacedRectangleEvaluator
    private var codes: CodeEvaluator
    private var targets: TargetEvaluator
    private var faces: FaceEvaluator

    /// Starts a comparison.
    /// - Parameters:
    ///   - truth: what is true of the session as a whole.
    ///   - camera: the camera whose pictures were shown; its time offset must be used up already.
    ///   - truthFromSession: the session's world laid over the truth's: Evaluation/truthFromNormal.
    public init(
        truth: SessionTruth, camera: CameraCalibration, truthFromSession: Similarity,
        options: WorldEvaluationOptions = WorldEvaluationOptions()
    ) {
        self.options = options
        self.truthFromSession = truthFromSession
        planes = PlaneEvaluator(truth.planes, camera: camera, options: options)
        hits = HitEvaluator(camera: camera)
        rectangles = RectangleDetectionEvaluator(options)
        placedRectangles = PlacedRectangleEvaluator(options)
        codes = CodeEvaluator(options)
        targets = TargetEvaluator(options)
        faces = FaceEvaluator(options)
    }

    /// Compares the next frame. Frames come in the order of their instants, each once, those without truth too: what
    /// changed in them goes on to hold.
    public mutating func compare(_ answers: FrameAnswers, with truth: FrameTruth?) {
        let camera = truth.flatMap { truth in
            answers.worldFromCamera.map { Similarity(truth.worldFromCamera * $0.inverse) }
        }
        planes.follow(answers, truth: truth, world: truthFromSession, camera: camera)
        guard let truth else { return }
        frameCount += 1
        if let detected = answers.rectangles { rectangles.compare(detected, with: truth.rectangles) }
        if let read = answers.codes { codes.compare(read, with: truth.codes, at: answers.timestamp) }
        if let named = answers.targets { targets.compare(named, with: truth) }
        if let followed = answers.faces { faces.compare(followed, with: truth.faces) }
        guard let camera else { return }
        hits.compare(answers.hits, truth: truth, planes: planes, world: truthFromSession, camera: camera)
        if let placed = answers.placedRectangles {
            placedRectangles.compare(
                placed, with: truth.rectangles, codes: truth.codes,
                WorldAndCamera(world: truthFromSession, camera: camera))
        }
    }

    /// What the frames so far amount to.
    public var evaluation: WorldEvaluation {
        WorldEvaluation(
            options: options, frameCount: frameCount,
            planes: planes.truths.isEmpty ? nil : planes.outcomes(world: truthFromSession), hits: hits.all,
            hitsByType: hits.byType, rectangles: rectangles.result,
            placedRectangles: placedRectangles.all,
            placedRectanglesByName: placedRectangles.byName,
            codes: codes.outcomes, targets: targets.outcomes, faces: faces.outcomes)
    }
}
