// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CVision
import Foundation

/// Where a QR code lies, by its finder patterns alone: it is not read yet.
struct LocatedQRCode {
    /// How many modules it has along a side, by the patterns' distances.
    let moduleCount: Int
    /// From modules, the origin at the upper left corner of the upper left pattern, to pixels of the picture.
    let pictureFromModules: Matrix3x3
    /// The corners of its modules.
    let quad: PixelQuad
    /// How far the patterns' corners are from where the homography puts them, in modules as large as the patterns show them.
    let deviation: Double

    /// A module's size in the picture, in pixels.
    var modulePixels: Double { abs(quad.signedArea).squareRoot() / Double(moduleCount) }

    /// The same place as a code has it that is seen in a mirror: rows are columns. The corners go anticlockwise.
    var mirrored: LocatedQRCode {
        let (columns, rows, origin) = pictureFromModules.columns
        return LocatedQRCode(
            moduleCount: moduleCount, pictureFromModules: Matrix3x3(rows, columns, origin),
            quad: PixelQuad(
                topLeft: quad.topLeft, topRight: quad.bottomLeft, bottomRight: quad.bottomRight,
                bottomLeft: quad.topRight), deviation: deviation)
    }
}

/// Finds QR codes by their finder patterns, at any tilt: each pattern's own four corners tell its perspective.
///
/// Readers take the patterns' middles, and the fourth corner from an alignment pattern where there is one. Twelve corners
/// determine the homography even of a code seen at 70°, and how many modules lie between the patterns.
struct QRLocator {
    let pyramid: ImagePyramid

    private struct Pattern {
        let quad: PixelQuad
        let center: Vector2
        /// From the middle of the left side to that of the right one, and downwards.
        let across, down: Vector2
        let side: Double

        init?(_ quad: PixelQuad) {
            guard quad.isConvex, let center = quad.center else { return nil }
            self.quad = quad
            self.center = center.vector
            let corners = quad.corners.map(\.vector)
            across = (corners[1] + corners[2] - corners[0] - corners[3]) / 2
            down = (corners[2] + corners[3] - corners[0] - corners[1]) / 2
            side = abs(quad.signedArea).squareRoot()
        }

        /// A place's coordinates, counted from the centre in sides of the pattern.
        func local(_ place: Vector2) -> Vector2 {
            let (offset, area) = (place - center, across.cross(down))
            return Vector2(offset.cross(down) / area, across.cross(offset) / area)
        }

        /// The pattern's extent along a direction, between the middles of two of its sides.
        func extent(along direction: Vector2) -> Double {
            let (u, v) = (across.length, down.length)
            return abs(across.dot(direction)) * v > abs(down.dot(direction)) * u ? u : v
        }

        /// The corners, named so that the top goes along a direction.
        func corners(along direction: Vector2) -> [Vector2] {
            let corners = quad.corners.map(\.vector)
            func agreement(_ turn: Int) -> Double {
                ((corners[(turn + 1) % 4] - corners[turn]).normalized() ?? .zero).dot(direction)
            }
            let turn = (0..<4).max { agreement($0) < agreement($1) } ?? 0
            return (0..<4).map { corners[(turn + $0) % 4] }
        }
    }

    /// How many patterns of a picture are looked at.
    static let patternLimit = 48

    /// The codes that the picture's finder patterns allow, the most consistent first.
    func locate() -> [LocatedQRCode] {
        let patterns = self.patterns()
        guard patterns.count >= 3 else { return [] }
        var located: [LocatedQRCode] = []
        for corner in patterns.indices {
            // Which patterns lie along the corner's own axes.
            var alongAcross: [Int] = []
            var alongDown: [Int] = []
            for other in patterns.indices where other != corner {
                guard
                    max(patterns[other].side, patterns[corner].side) < 3
                        * min(patterns[other].side, patterns[corner].side)
                else { continue }
                let local = patterns[corner].local(patterns[other].center)
                if abs(local.x) > 1.2, abs(local.y) < 0.45 * abs(local.x) { alongAcross.append(other) }
                if abs(local.y) > 1.2, abs(local.x) < 0.45 * abs(local.y) { alongDown.append(other) }
            }
            for a in alongAcross {
                for b in alongDown where a != b {
                    let (toA, toB) = (
                        patterns[a].center - patterns[corner].center, patterns[b].center - patterns[corner].center
                    )
                    let (right, below) = toA.cross(toB) > 0 ? (a, b) : (b, a)
                    if let code = code(
                        topLeft: patterns[corner], topRight: patterns[right], bottomLeft: patterns[below])
                    {
                        located.append(code)
                    }
                }
            }
        }
        return located.sorted { $0.deviation < $1.deviation }
    }

    /// The patterns on the levels, each once.
    private func patterns() -> [Pattern] {
        var patterns: [Pattern] = []
        for level in 0..<min(3, pyramid.levelCount) {
            for quad in pyramid.finderPatterns(level: level, limit: Self.patternLimit) {
                let refined = EdgeRefinement(pyramid: pyramid).refined(
                    quad, reach: quad.width / 7 * 0.45, polarity: -1, leastSupport: 0.5)
                guard let pattern = Pattern(refined ?? quad),
                    !patterns.contains(where: { ($0.center - pattern.center).length < 0.3 * $0.side })
                else { continue }
                patterns.append(pattern)
                if patterns.count == Self.patternLimit { return patterns }
            }
        }
        return patterns
    }

    /// The code with three patterns, with as many modules as fit best; `nil` where none fit.
    private func code(topLeft: Pattern, topRight: Pattern, bottomLeft: Pattern) -> LocatedQRCode? {
        let across = topRight.center - topLeft.center
        guard let direction = across.normalized(), let down = (bottomLeft.center - topLeft.center).normalized() else {
            return nil
        }
        let seen = [topLeft, topRight, bottomLeft].flatMap { $0.corners(along: direction) }
        let widths = topLeft.extent(along: direction) + topRight.extent(along: direction)
        let heights = topLeft.extent(along: down) + bottomLeft.extent(along: down)
        let distance = across.length / widths + (bottomLeft.center - topLeft.center).length / heights
        let version = (distance * 7 + 7 - 17) / 4
        // There are 40 versions: patterns that are too far apart do not belong together.
        guard version < 50 else { return nil }
        let guesses = max(1, Int((version * 0.75).rounded(.down)) - 1)...min(40, max(2, Int(version * 1.25) + 1))
        let module = (topLeft.side + topRight.side + bottomLeft.side) / 21
        // The likeliest size tells whether the patterns belong together at all.
        let likeliest = min(max(Int(version.rounded()), guesses.lowerBound), guesses.upperBound)
        guard
            let first = code(moduleCount: 17 + 4 * likeliest, seen: seen, module: module),
            first.deviation < Self.hopelessDeviation
        else { return nil }
        // The farther from the right size, the worse: whichever way it gets better is followed.
        var best = first
        for step in [1, -1] {
            var guess = likeliest + step
            while guesses.contains(guess), let next = code(moduleCount: 17 + 4 * guess, seen: seen, module: module),
                next.deviation < best.deviation
            {
                best = next
                guess += step
            }
        }
        return best.deviation < Self.largestDeviation ? best : nil
    }

    /// How far the patterns' corners may be from where the homography puts them, in modules; and how far those of the
    /// likeliest size, so that others are tried.
    private static let largestDeviation = 0.6
    private static let hopelessDeviation = 1.5

    /// The code with so many modules along a side whose patterns' corners were seen, a module having so many pixels.
    private func code(moduleCount: Int, seen: [Vector2], module: Double) -> LocatedQRCode? {
        let far = Double(moduleCount - 7)
        let modules = [Vector2(0, 0), Vector2(far, 0), Vector2(0, far)].flatMap { origin in
            [Vector2(0, 0), Vector2(7, 0), Vector2(7, 7), Vector2(0, 7)].map { origin + $0 }
        }
        guard let pictureFromModules = Matrix3x3(homographyFrom: modules, to: seen) else { return nil }
        let side = Double(moduleCount)
        let outline = PixelQuad(corners: [
            PixelPoint(0, 0), PixelPoint(side, 0), PixelPoint(side, side), PixelPoint(0, side),
        ])
        let predicted = modules.compactMap { pictureFromModules.image(of: $0, within: PixelQuad.farthestCorner) }
        guard predicted.count == seen.count,
            let quad = pictureFromModules.image(of: outline, within: PixelQuad.farthestCorner), quad.isConvex
        else { return nil }
        let squares = zip(predicted, seen).reduce(0) { $0 + ($1.0 - $1.1).squaredLength }
        let deviation = (squares / Double(seen.count)).squareRoot() / module
        return LocatedQRCode(
            moduleCount: moduleCount, pictureFromModules: pictureFromModules, quad: quad, deviation: deviation)
    }
}

extension ImagePyramid {
    /// The outlines of the finder patterns on a level, clockwise.
    fileprivate func finderPatterns(level: Int, limit: Int) -> [PixelQuad] {
        var corners = [Double](repeating: 0, count: 8 * limit)
        var count: Int32 = 0
        check(withKernelPyramid { cvision_find_finder_patterns(&$0, Int32(level), &corners, Int32(limit), &count) })
        return (0..<Int(count)).map { pattern in
            PixelQuad(
                corners: (0..<4).map { PixelPoint(corners[8 * pattern + 2 * $0], corners[8 * pattern + 2 * $0 + 1]) })
        }
    }
}

extension Matrix3x3 {
    /// The homography that takes points to points with the least squares; `nil` where they determine none.
    init?(homographyFrom sources: [Vector2], to targets: [Vector2]) {
        var rows = [Double](repeating: 0, count: 9)
        let status = sources.withUnsafeBytes { sources in
            targets.withUnsafeBytes { targets in
                cvision_fit_homography(
                    sources.assumingMemoryBound(to: Double.self).baseAddress,
                    targets.assumingMemoryBound(to: Double.self).baseAddress, Int32(targets.count / 16), &rows)
            }
        }
        guard status == CVISION_OK else { return nil }
        self.init(
            rows: Vector3(rows[0], rows[1], rows[2]), Vector3(rows[3], rows[4], rows[5]),
            Vector3(rows[6], rows[7], rows[8]))
    }
}
