// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// Finds faces in single pictures: `VNDetectFaceRectanglesRequest`.
///
/// Three cascades go over the picture, one of them also over the picture rolled to either side. Where a few of their
/// windows agree, a reader looks closer: it undoes rolls and turns and counts the windows that then see a face. The counts
/// tell faces from what merely looks like one, and their middles tell roll and yaw. Where the user gave a network, it finds
/// the faces instead, and the five points that it gives tell the angles.
///
/// Nothing is remembered from picture to picture, and the same picture gives the same faces.
public struct FaceDetector: Sendable {
    /// What is looked for.
    public struct Configuration: Hashable, Sendable {
        /// The least side of a face, in pixels of the picture that is searched; at least 20.
        public var minimumSide = 24.0
        /// Pictures with more columns or rows are searched as ones that small.
        public var longestSide = 1280
        /// Faces in which less confidence is put are not reported.
        public var minimumConfidence = 0.5
        /// How many faces are reported at most, the surest; 0 sets no limit.
        public var maximumObservations = 0

        /// The defaults.
        public init() {}
    }

    /// What is looked for.
    public let configuration: Configuration
    private let models: FaceModels

    /// A detector that uses those models.
    public init(_ models: FaceModels, configuration: Configuration = Configuration()) {
        precondition(
            configuration.minimumSide >= 20, "faces have at least 20 pixels a side, not \(configuration.minimumSide)")
        precondition(
            configuration.longestSide >= 64,
            "pictures are searched with 64 pixels or more, not "
                + "\(configuration.longestSide)")
        self.models = models
        self.configuration = configuration
    }

    /// The rolls, beside none, for which the picture is searched.
    private static let rolls = [-25.0, 25.0].map { $0 * .pi / 180 }
    /// How many windows make a candidate.
    private static let leastWindows = 2
    /// How many candidates are looked at closer, at most.
    private static let candidateLimit = 160

    /// The faces of a picture, the surest first.
    ///
    /// - Parameter orientation: which way the picture is turned for the interface before it is upright: faces are found that
    ///   are upright, within some 45°, in the turned picture.
    public func detect(
        in image: ImageBuffer, turnedFor orientation: InterfaceOrientation = .landscapeRight
    ) -> [DetectedFace] {
        guard min(image.size.width, image.size.height) >= 20 else { return [] }
        let upright = image.turned(for: orientation)
        let found = models.network.flatMap { heads(in: upright, by: $0) } ?? headsByCascades(in: upright)
        let faces = found.filter { $0.confidence >= configuration.minimumConfidence }.map { face in
            DetectedFace(
                face.pose.recorded(from: orientation, imageSize: image.size), confidence: face.confidence,
                hasPitch: face.hasPitch)
        }
        let limit = configuration.maximumObservations
        return limit > 0 ? Array(faces.prefix(limit)) : faces
    }

    /// A head that was found.
    struct FoundHead {
        var pose: HeadPose
        var confidence: Double
        var hasPitch = false
    }

    private func headsByCascades(in image: ImageBuffer) -> [FoundHead] {
        let longer = Double(max(image.size.width, image.size.height))
        let shrink = max(1, longer / Double(configuration.longestSide))
        let gray = image.gray.shrunk(
            to: ImageSize(
                width: max(20, Int((Double(image.size.width) / shrink).rounded())),
                height: max(20, Int((Double(image.size.height) / shrink).rounded()))))
        let sides =
            configuration
            .minimumSide...max(
                configuration.minimumSide, Double(min(gray.size.width, gray.size.height)))
        let scans =
            [FaceScan.Model.trees, .stumps, .patterns].map { FaceScan(model: $0, roll: 0, sides: sides) }
            + Self.rolls.map { FaceScan(model: .patterns, roll: $0, sides: sides) }
        let candidates = scans.flatMap { $0.windows(in: gray, models: models) }.grouped()
        let reader = FaceReader(models: models)
        var heads: [FoundHead] = []
        for candidate in candidates.prefix(Self.candidateLimit) where candidate.windowCount >= Self.leastWindows {
            guard let reading = reader.read(candidate.pose, in: gray) else { continue }
            let confidence = reading.confidence(windowCount: candidate.windowCount)
            heads.append(FoundHead(pose: reading.pose, confidence: confidence))
        }
        return heads.withoutRepeats().map { head in
            var head = head
            head.pose.center = (head.pose.center + Vector2(0.5, 0.5)) * shrink - Vector2(0.5, 0.5)
            head.pose.side *= shrink
            return head
        }
    }

    private func heads(in image: ImageBuffer, by network: FaceNetwork) -> [FoundHead]? {
        network.faces(in: image).map { faces in
            faces.compactMap { face in
                HeadPose(face).map { FoundHead(pose: $0, confidence: min(max(face.score, 0), 1), hasPitch: true) }
            }.withoutRepeats()
        }
    }
}

extension FaceReading {
    /// How sure it is that this is a face, 0 … 1, when so many windows of the whole picture's search agreed on it.
    ///
    /// Logistic in the logarithms of the counts; its numbers come from photographs: see the page on faces.
    func confidence(windowCount: Int) -> Double {
        let agreement = log(Double(windowCount + 1) / 12)
        return 1 / (1 + exp(-3 * (evidence + 0.3 * agreement)))
    }
}

extension [FaceDetector.FoundHead] {
    /// The surest first, and of several that lie on one another the surest only.
    fileprivate func withoutRepeats() -> Self {
        var kept: Self = []
        for head in enumerated().sorted(by: { ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset) })
            .map(\.element)
        where !kept.contains(where: {
            ($0.pose.center - head.pose.center).length < 0.5 * Swift.max($0.pose.side, head.pose.side)
        }) {
            kept.append(head)
        }
        return kept
    }
}

extension DetectedFace {
    /// The face of a head.
    init(_ pose: HeadPose, confidence: Double, hasPitch: Bool) {
        self.init(box: pose.box, confidence: confidence, cameraFromHead: pose.cameraFromHead, hasPitch: hasPitch)
    }
}
