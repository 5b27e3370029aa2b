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
///
/// What a picture may hold is bounded, so that time is: of the straight pieces the 4,000 longest are joined, to the 10,000
/// longest lines; the 1,500 quadrilaterals for which most speaks are looked at on each of two levels, and the 1,000 best of
/// these are measured, fewer where few observations are asked for. Text and foliage come close to it, scenes do not.
public struct RectangleDetector: Sendable {
    /// What is looked for.
    public let configuration: Configuration

    /// A detector of such rectangles; values outside their domain are the caller's error.
    public init(_ configuration: Configuration = Configuration()) {
        configuration.checkDomain()
        self.configuration = configuration
    }

    /// How many columns and rows a picture may have; a larger one is the caller's error.
    public static let largestSide = Int(CVISION_MAX_SIDE_PX)

    /// The step of light that starts an edge, in grey levels.
    static let leastContrast = 6.0
    /// A side in the reduced picture has at least so many pixels.
    private static let leastSideOnLevel = 28.0
    private static let segmentLimit = 4000
    private static let runLimit = 10_000
    private static let candidateLimit = 1500
    private static let approachedLimit = 1000
    /// What shows less of an outline at the first look is not looked at again.
    private static let leastSketchConfidence = 0.35

    /// The rectangles in a picture, the most prominent first: by confidence times the fourth root of the area.
    ///
    /// Colour is not looked at. Two rectangles whose corners all lie closer together than a twelfth of their shorter sides
    /// are one. Pictures with fewer than 16 columns or rows hold none; they have ``largestSide`` at most.
    public func detect(in image: ImageBuffer) -> [DetectedRectangle] {
        detect(in: ImagePyramid(forDetectionsIn: image))
    }

    func detect(in pyramid: ImagePyramid) -> [DetectedRectangle] {
        guard pyramid.size.width >= 16, pyramid.size.height >= 16 else { return [] }
        let finest = min(coarsestLevel(for: pyramid.size), pyramid.levelCount - 1)
        var sketches: [Sketch] = []
        for level in finest...min(finest + 1, pyramid.levelCount - 1) {
            let refinement = QuadRefinement(pyramid: pyramid, coarsestLevel: level)
            let candidates = search(pyramid, level: level).sorted { $0.precedes($1) }
            let distinct = candidates.distinct(fraction: 1.0 / 16, limit: candidateLimit) { $0.quad }
            for candidate in distinct {
                guard let sketched = refinement.sketched(candidate.quad),
                    sketched.confidence >= max(Self.leastSketchConfidence, 0.8 * configuration.minimumConfidence)
                else { continue }
                sketches.append(Sketch(rectangle: sketched, level: level, score: candidate.score))
            }
        }
        sketches.sort { ($0.worth, $0.rectangle.quad.signedArea) > ($1.worth, $1.rectangle.quad.signedArea) }
        let promising = sketches.distinct(fraction: 1.0 / 16, limit: approachedLimit) { $0.rectangle.quad }
        let approached = promising.compactMap {
            QuadRefinement(pyramid: pyramid, coarsestLevel: $0.level).approached($0.rectangle.quad)
        }
        let refinement = QuadRefinement(pyramid: pyramid, coarsestLevel: 0)
        func isAdmitted(_ rectangle: DetectedRectangle) -> Bool {
            configuration.admits(rectangle.quad, imageSize: pyramid.size)
        }
        // Whichever of two neighbours is the better one, the close look tells.
        let measured = mostProminent(approached.filter(isAdmitted), apart: 1.0 / 64, limit: measuredLimit)
            .compactMap { refinement.measured($0.quad) }
        let admitted = measured.filter { $0.confidence >= configuration.minimumConfidence && isAdmitted($0) }
        return mostProminent(admitted, apart: 1.0 / 12, limit: configuration.maximumObservations)
    }

    /// A rectangle on the level on which it was found.
    private struct Sketch {
        let rectangle: DetectedRectangle
        let level: Int
        let score: Double

        var worth: Double { (rectangle.confidence + 0.3 * score) * rectangle.quad.signedArea.squareRoot().squareRoot() }
    }

    /// How many candidates of a level are looked at: more than are reported, because some turn out to be none.
    private var candidateLimit: Int { limit(Self.candidateLimit, first: 48, each: 8) }
    /// How many rectangles are looked for in the full picture: more than are reported, because some turn out to be none.
    private var approachedLimit: Int { limit(Self.approachedLimit, first: 12, each: 4) }
    /// How many of these are measured: a few more than are reported, because the measures may put them in another order.
    private var measuredLimit: Int { limit(Self.approachedLimit, first: 6, each: 2) }

    /// So many where the number of observations has no limit, else some for each and a few more.
    private func limit(_ most: Int, first: Int, each: Int) -> Int {
        let count = configuration.maximumObservations
        return count == 0 || count >= most / each ? most : min(first + each * count, most)
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

    /// Rectangles, the most prominent first; as many as the limit says, all where it is 0. Of those whose corners all lie
    /// closer together than a fraction of the shorter side only the one that is most certain.
    private func mostProminent(
        _ rectangles: [DetectedRectangle], apart fraction: Double, limit: Int
    ) -> [DetectedRectangle] {
        func prominence(_ rectangle: DetectedRectangle) -> (Double, Double, Double) {
            let weight = rectangle.quad.signedArea.squareRoot().squareRoot()
            return (rectangle.confidence * weight, -rectangle.quad.topLeft.y, -rectangle.quad.topLeft.x)
        }
        var distinct = rectangles.sorted { ($0.confidence, $0.quad.signedArea) > ($1.confidence, $1.quad.signedArea) }
            .distinct(fraction: fraction, limit: .max) { $0.quad }
        distinct.sort { prominence($0) > prominence($1) }
        return limit > 0 ? Array(distinct.prefix(limit)) : distinct
    }
}

extension Array {
    /// The first elements, as many as the limit allows, of which no two have all corners, named alike, closer together
    /// than a fraction of the shorter side.
    fileprivate func distinct(fraction: Double, limit: Int, quad: (Element) -> PixelQuad) -> [Element] {
        var (kept, outlines) = ([Element](), [Outline]())
        for element in self where kept.count < limit {
            let outline = Outline(quad(element).upright, fraction: fraction)
            if outlines.contains(where: { $0.isNear(outline) }) { continue }
            kept.append(element)
            outlines.append(outline)
        }
        return kept
    }
}
