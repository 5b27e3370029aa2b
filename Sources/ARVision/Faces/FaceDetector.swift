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
    private static let leastWindows = 3
    /// How many candidates are looked at closer, at most.
    private static let candidateLimit = 160

    /// The faces of a picture, the surest first; none in pictures with a side below 20 or above 16,384 pixels, or in which,
    /// made as small as they are searched, no face of the least side has room.
    ///
    /// - Parameter orientation: which way the picture is turned for the interface before it is upright: faces are found that
    ///   are upright, within some 45°, in the turned picture.
    public func detect(
        in image: ImageBuffer, turnedFor orientation: InterfaceOrientation = .landscapeRight
    ) -> [DetectedFace] {
        guard image.size.shorterSide >= 20, image.size.canBeSearched else { return [] }
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
        let full = Vector2(Double(image.size.width), Double(image.size.height))
        let small = full / max(1, max(full.x, full.y) / Double(configuration.longestSide))
        let searched = ImageSize(width: Int(small.x.rounded()), height: Int(small.y.rounded()))
        guard Double(searched.shorterSide) >= configuration.minimumSide else { return [] }
        let gray = image.gray.shrunk(to: searched)
        // Pixels of the picture per pixel that is searched; the axes differ by what was rounded.
        let scale = full / Vector2(Double(searched.width), Double(searched.height))
        let sides = configuration.minimumSide...Double(searched.shorterSide)
        let scans =
            [FaceScan.Model.trees, .stumps, .patterns].map { FaceScan(model: $0, roll: 0, sides: sides) }
            + Self.rolls.map { FaceScan(model: .patterns, roll: $0, sides: sides) }
        let colors = image.hasColor ? image : nil
        let windows = scans.flatMap { $0.windows(in: gray, models: models) }
        let reader = FaceReader(models: models)
        var heads: [FoundHead] = []
        for candidate in windows.grouped().prefix(Self.candidateLimit)
        where windows.support(of: candidate.pose) >= Self.leastWindows {
            guard let reading = reader.read(candidate.pose, in: gray) else { continue }
            let skin = colors.map { $0.skinFraction(of: reading.pose, scale: scale) }
            let confidence = reading.confidence(windowCount: windows.support(of: reading.pose), skinFraction: skin)
            heads.append(FoundHead(pose: reading.pose, confidence: confidence))
        }
        return heads.withoutRepeats().map { head in
            var head = head
            head.pose.center = (head.pose.center + Vector2(0.5, 0.5)) * scale - Vector2(0.5, 0.5)
            head.pose.side *= (scale.x * scale.y).squareRoot()
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
    /// How sure it is that this is a face, 0 … 1, when so many windows of the whole picture's search agreed on it, and such a
    /// part of it has the colours of skin, where there are colours.
    ///
    /// Logistic in the logarithms of the counts and in the part; its numbers come from photographs: see the page on faces.
    func confidence(windowCount: Int, skinFraction: Double? = nil) -> Double {
        let agreement = 0.6 * log(Double(windowCount + 1) / Double(Self.usualWindowCount))
        // Hardly a face has less than nine tenths of it in white light; other light takes away what that tells.
        let color = skinFraction.map { max(-0.3, 1.1 * ($0 - 0.6)) } ?? 0
        return 1 / (1 + exp(-3 * (evidence + agreement + color - 0.27)))
    }

    /// In how many windows of the search small and slanted faces are seen.
    static let usualWindowCount = 20
}

extension ImageBuffer {
    /// Whether the picture shows colours: on a grid over it, blue and red differences of 2 on average. A grey photograph that is
    /// stored in three channels has none, and nothing can be told from that.
    var hasColor: Bool {
        guard format == .rgb8 else { return false }
        let steps = 48
        var sum = 0.0
        for row in 0..<steps {
            for column in 0..<steps {
                let differences = colorDifferences(
                    column: (2 * column + 1) * size.width / (2 * steps),
                    row: (2 * row + 1) * size.height / (2 * steps))
                sum += abs(differences.red) + abs(differences.blue)
            }
        }
        return sum >= 2 * Double(steps * steps)
    }

    /// How much redder and bluer than grey a pixel is: JPEG's Cr and Cb, about zero.
    private func colorDifferences(column: Int, row: Int) -> (red: Double, blue: Double) {
        let first = row * bytesPerRow + 3 * column
        let (red, green, blue) = (Double(bytes[first]), Double(bytes[first + 1]), Double(bytes[first + 2]))
        return (0.5 * red - 0.4187 * green - 0.0813 * blue, 0.5 * blue - 0.1687 * red - 0.3313 * green)
    }

    /// The part of a face in a colour picture that has the colours of skin, on a grid in its middle. The pose is that in a
    /// picture that is smaller by `scale`.
    ///
    /// Blue and red differences within the usual bounds (Chai and Ngan 1999, "Face segmentation using skin-color map in
    /// videophone applications"), which hold for all tones of skin in white light; the red one's lower bound is a little
    /// lower.
    func skinFraction(of pose: HeadPose, scale: Vector2) -> Double {
        let steps = 12
        var count = 0
        for row in 0..<steps {
            for column in 0..<steps {
                let place = Vector2(Double(column), Double(row)) / Double(steps - 1) - Vector2(0.5, 0.5)
                let pixel = (pose.center + 0.6 * pose.side * place) * scale
                let x = min(max(Int(pixel.x), 0), size.width - 1)
                let y = min(max(Int(pixel.y), 0), size.height - 1)
                let differences = colorDifferences(column: x, row: y)
                if (3...45).contains(differences.red), (-51...0).contains(differences.blue) { count += 1 }
            }
        }
        return Double(count) / Double(steps * steps)
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
