// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTruth

/// How well rectangles were detected in pictures.
public struct RectangleDetection: Hashable, Sendable {
    /// How often a rectangle was fully visible and large enough, over all frames.
    public var expectedCount = 0
    /// How often such a one was detected.
    public var foundCount = 0
    /// Rectangles that are none of the truth's. The world is full of rectangles: this is no error.
    public var otherCount = 0
    /// Pixels from the true corners, of those that were fully visible, whichever corner was the first.
    public var cornerPixels: ErrorQuantiles?

    /// The part that was found; `nil` where none was expected.
    public var recall: Double? { expectedCount > 0 ? Double(foundCount) / Double(expectedCount) : nil }
}

/// Compares detected rectangles with the true ones, frame by frame.
struct RectangleDetectionEvaluator: Sendable {
    private let options: WorldEvaluationOptions
    private var detection = RectangleDetection()
    private var hasLooked = false
    private var cornerErrors: [Double] = []

    /// How far the corners of a rectangle may be from those of the true one that it can be, in parts of its size.
    private static let farthest = 0.1

    init(_ options: WorldEvaluationOptions) { self.options = options }

    mutating func compare(_ answers: [RectangleAnswer], with truths: [RectangleTruth]) {
        hasLooked = true
        let seen = truths.compactMap { truth in truth.corners.visibleQuad.map { (truth.corners.visibleFraction, $0) } }
        func match(_ answer: RectangleAnswer, _ quad: PixelQuad) -> CornerMatch {
            CornerMatch(answer.quad.corners, on: quad.corners) { $0.distance(to: $1) }
        }
        let gains = answers.map { answer in
            seen.map { $0.1.gain(of: match(answer, $0.1), within: Self.farthest) }
        }
        var isFound = [Bool](repeating: false, count: seen.count)
        for (answer, index) in zip(answers, Assignment(gains: gains).columns) {
            guard let index else {
                detection.otherCount += 1
                continue
            }
            isFound[index] = true
            guard options.isFullyVisible(seen[index].0) else { continue }
            cornerErrors += match(answer, seen[index].1).distances
        }
        for (index, (fraction, quad)) in seen.enumerated()
        where options.isFullyVisible(fraction) && quad.shortestSide >= options.leastRectangleSidePixels {
            detection.expectedCount += 1
            detection.foundCount += isFound[index] ? 1 : 0
        }
    }

    /// What was found; `nil` where nobody looked.
    var result: RectangleDetection? {
        guard hasLooked else { return nil }
        var result = detection
        result.cornerPixels = ErrorQuantiles(cornerErrors)
        return result
    }
}
