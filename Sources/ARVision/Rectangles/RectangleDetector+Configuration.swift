// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension RectangleDetector {
    /// Which rectangles are reported: the names, domains and defaults of Vision's `VNDetectRectanglesRequest`.
    ///
    /// All limits are kept by what is reported, measured on its corners in the picture, which perspective has a part in.
    public struct Configuration: Hashable, Sendable {
        /// The least ratio of the shorter to the longer pair of sides (mean lengths in the picture), 0 … 1.
        public var minimumAspectRatio = 0.5
        /// The greatest ratio of the shorter to the longer pair of sides, 0 … 1.
        public var maximumAspectRatio = 1.0
        /// How far each corner's angle may be from a right one, in radians, 0 … 80°. Vision's default is 30° and its limit
        /// 45°, which a square seen along its diagonal passes at a tilt of 65°.
        public var quadratureTolerance = Double.pi / 6
        /// The least mean length of the shorter pair of sides, as a fraction of the picture's smaller dimension, 0 … 1.
        ///
        /// It also decides how much is looked at: large rectangles are found in a reduced picture, and only their sides
        /// are measured in the full one. Ask for what is needed.
        public var minimumSize = 0.2
        /// The least ``DetectedRectangle/confidence``, 0 … 1.
        public var minimumConfidence = 0.0
        /// How many rectangles are reported at most; 0 sets no limit.
        public var maximumObservations = 1

        /// The defaults.
        public init() {}

        /// Whether a quadrilateral in a picture of that size keeps the limits of shape and size.
        public func admits(_ quad: PixelQuad, imageSize: ImageSize) -> Bool {
            let (shorter, longer) = (min(quad.width, quad.height), max(quad.width, quad.height))
            return quad.isConvex && shorter >= shortestSide(in: imageSize)
                && shorter >= minimumAspectRatio * longer && shorter <= maximumAspectRatio * longer
                && quad.hasRightAngles(within: quadratureTolerance)
        }

        /// The length of the shortest side that is reported, in pixels; no detector sees what is smaller than 8.
        func shortestSide(in imageSize: ImageSize) -> Double {
            max(minimumSize * Double(min(imageSize.width, imageSize.height)), 8)
        }

        /// The largest ``quadratureTolerance``: beyond it, sides can no longer be told from their neighbours.
        public static let largestQuadratureTolerance = 80 * Double.pi / 180

        func checkDomain() {
            precondition(
                (0...1).contains(minimumAspectRatio) && (0...1).contains(maximumAspectRatio),
                "aspect ratios are 0 … 1, not \(minimumAspectRatio) and \(maximumAspectRatio)")
            precondition(
                (0...Self.largestQuadratureTolerance).contains(quadratureTolerance),
                "the quadrature tolerance is 0 … 80° in radians, not \(quadratureTolerance)")
            precondition((0...1).contains(minimumSize), "the minimum size is 0 … 1, not \(minimumSize)")
            precondition((0...1).contains(minimumConfidence), "confidences are 0 … 1, not \(minimumConfidence)")
            precondition(maximumObservations >= 0, "\(maximumObservations) rectangles cannot be observed")
        }
    }
}
