// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CVision

/// Finds what may be rectangles in the world: quadrilaterals of straight edges in a picture.
///
/// Straight pieces of edges are found on a reduced picture, joined where they lie on one line, and searched for four that
/// close; the sides are then fitted to the full picture's edges, to a fraction of a pixel. Nothing is remembered from
/// picture to picture, and the same picture gives the same rectangles.
public struct RectangleDetector: Sendable {
    /// What is looked for.
    public let configuration: Configuration

    /// A detector of such rectangles; values outside their domain are the caller's error.
    public init(_ configuration: Configuration = Configuration()) {
        configuration.checkDomain()
        self.configuration = configuration
    }

    /// The step of light that starts an edge, in grey levels.
    static let leastContrast = 6.0
    /// A side in the reduced picture has at least so many pixels.
    private static let leastSideOnLevel = 40.0
    private static let segmentLimit = 4000
    private static let runLimit = 10_000
    private static let refinedLimit = 1500

    /// The rectangles in a picture, the most prominent first: by confidence times the fourth root of the area.
    ///
    /// Colour is not looked at. Two rectangles whose corners all lie closer together than a twelfth of their shorter sides
    /// are one.
    public func detect(in image: ImageBuffer) -> [DetectedRectangle] {
        guard image.size.width >= 16, image.size.height >= 16 else { return [] }
        let levelCount = coarsestLevel(for: image.size) + 2
        var pyramid = ImagePyramid(size: image.size, levelCount: levelCount)
        pyramid.fill(with: image)
        return detect(in: pyramid)
    }

    func detect(in pyramid: ImagePyramid) -> [DetectedRectangle] {
        let finest = min(coarsestLevel(for: pyramid.size), pyramid.levelCount - 1)
        var candidates: [QuadSearch.Candidate] = []
        var levels: [Int] = []
        for level in finest...min(finest + 1, pyramid.levelCount - 1) {
            let found = search(pyramid, level: level)
            candidates += found
            levels += Array(repeating: level, count: found.count)
        }
        let best = candidates.indices
            .sorted { rank(candidates[$0]) > rank(candidates[$1]) }
        var distinct: [Int] = []
        for index in best where distinct.count < Self.refinedLimit {
            if !distinct.contains(where: { candidates[$0].quad.isNearly(candidates[index].quad, fraction: 1.0 / 16) }) {
                distinct.append(index)
            }
        }
        let refined = distinct.compactMap { index in
            QuadRefinement(pyramid: pyramid, coarsestLevel: levels[index]).refine(candidates[index].quad)
        }
        return reported(refined, imageSize: pyramid.size)
    }

    /// The level on which the smallest rectangles that are asked for are still large enough to be found.
    private func coarsestLevel(for size: ImageSize) -> Int {
        let shortest = configuration.shortestSide(in: size)
        return (0...4).last { shortest / Double(1 << $0) >= Self.leastSideOnLevel } ?? 0
    }

    private func search(_ pyramid: ImagePyramid, level: Int) -> [QuadSearch.Candidate] {
        let pixel = Double(1 << level)
        let shortest = configuration.shortestSide(in: pyramid.size)
        let pieces = pyramid.edgeSegments(
            level: level, leastContrast: Self.leastContrast, leastLength: 0.12 * shortest, limit: Self.segmentLimit
        ).compactMap { EdgeRun($0) }
        let runs = EdgeRun.runs(of: pieces, leastLength: 0.4 * shortest, pixel: pixel, limit: Self.runLimit)
        return QuadSearch(runs: runs, imageSize: pyramid.size, configuration: configuration, pixel: pixel).candidates()
    }

    private func rank(_ candidate: QuadSearch.Candidate) -> (Double, Double, Double, Double) {
        let corner = candidate.quad.topLeft
        return (candidate.score, candidate.quad.signedArea, -corner.y, -corner.x)
    }

    /// What keeps the limits, each once, the most prominent first.
    private func reported(_ rectangles: [DetectedRectangle], imageSize: ImageSize) -> [DetectedRectangle] {
        func prominence(_ rectangle: DetectedRectangle) -> (Double, Double, Double) {
            let weight = rectangle.quad.signedArea.squareRoot().squareRoot()
            return (rectangle.confidence * weight, -rectangle.quad.topLeft.y, -rectangle.quad.topLeft.x)
        }
        let admitted = rectangles.filter {
            $0.confidence >= configuration.minimumConfidence && configuration.admits($0.quad, imageSize: imageSize)
        }
        var distinct: [DetectedRectangle] = []
        for rectangle in admitted.sorted(by: { $0.confidence > $1.confidence }) {
            if !distinct.contains(where: { $0.quad.isNearly(rectangle.quad, fraction: 1.0 / 12) }) {
                distinct.append(rectangle)
            }
        }
        distinct.sort { prominence($0) > prominence($1) }
        let limit = configuration.maximumObservations
        return limit > 0 ? Array(distinct.prefix(limit)) : distinct
    }
}

extension PixelQuad {
    /// Whether all corners, named alike, are closer together than a fraction of the shorter side.
    fileprivate func isNearly(_ other: PixelQuad, fraction: Double) -> Bool {
        let limit = fraction * min(width, height, other.width, other.height)
        guard abs(signedArea - other.signedArea) < 8 * limit * max(width, height) else { return false }
        let (mine, others) = (corners, other.corners)
        return (0..<4).contains { turn in
            (0..<4).allSatisfy { mine[$0].distance(to: others[($0 + turn) % 4]) < limit }
        }
    }
}
