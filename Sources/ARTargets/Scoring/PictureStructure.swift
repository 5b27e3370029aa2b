// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// The corners of a picture, as a camera sees them from so far away that the print has a certain size: what it can be
/// recognised by.
///
/// Nothing of this depends on how targets are recognised today; so what is made of it stays the same from version to version.
struct PictureStructure: Sendable {
    /// A corner.
    struct Feature: Sendable {
        /// Where it is, in parts of the picture's width and height.
        let place: Vector2
        /// How much of it remains under noise, 0 … 1.
        let contrast: Double
        /// How many other corners look the same, turned or not.
        var twinCount = 0
    }

    /// The corners, strongest first.
    private(set) var features: [Feature] = []
    /// The standard deviation of the grey values.
    let contrast: Double

    /// The pixels of the longer side from nearby: a print that fills a fifth of a picture's height of 480 rows.
    static let near = 96
    /// The same from afar.
    static let far = 64

    init(of picture: ImageBuffer, longerSide: Int) {
        let plane = GrayPlane(picture, longerSide: longerSide)
        let smooth = plane.blurred([6.0 / 16, 4.0 / 16, 1.0 / 16])
        contrast = plane.standardDeviation
        let corners = Corners(of: smooth).strongest
        let views = corners.map { FeatureView(of: smooth, x: $0.x, y: $0.y) }
        features = corners.map { corner in
            Feature(
                place: Vector2(
                    (Double(corner.x) + 0.5) / Double(plane.size.width),
                    (Double(corner.y) + 0.5) / Double(plane.size.height)),
                contrast: Double(corner.strength / (corner.strength + Corners.middlingStrength)))
        }
        for first in features.indices {
            for second in features.indices.dropFirst(first + 1) where views[first].isLike(views[second]) {
                features[first].twinCount += 1
                features[second].twinCount += 1
            }
        }
    }

    /// How many features there are, each counted by its contrast and shared among those that look the same.
    var usefulCount: Double { features.reduce(0) { $0 + $1.contrast / Double(1 + $1.twinCount) } }

    /// Which part of the features has a twin; zero without any.
    var repeatedPart: Double {
        features.isEmpty ? 0 : Double(features.count { $0.twinCount > 0 }) / Double(features.count)
    }
}

/// Places where a picture changes in two directions: maxima of the smaller eigenvalue of the gradients' second moments.
/// - Reference: Shi and Tomasi 1994, "Good features to track".
private struct Corners {
    struct Corner {
        let x: Int
        let y: Int
        let strength: Float
    }

    /// The corners, strongest first.
    let strongest: [Corner]

    /// The strength, in grey values per pixel, that noise hides half of the time.
    static let middlingStrength: Float = 6
    /// Below it noise makes corners of its own.
    private static let leastStrength: Float = 2.5
    /// A corner is the strongest within so many pixels.
    private static let radius = 3
    /// More do not make a picture better.
    private static let mostCount = 600

    init(of plane: GrayPlane) {
        let (width, height) = (plane.size.width, plane.size.height)
        guard width > 2 * Self.radius, height > 2 * Self.radius else {
            strongest = []
            return
        }
        let strengths = Self.strengths(of: plane)
        var corners: [Corner] = []
        for y in Self.radius..<(height - Self.radius) {
            for x in Self.radius..<(width - Self.radius) {
                let strength = strengths[x, y]
                guard strength >= Self.leastStrength, Self.isPeak(strengths, x, y) else { continue }
                corners.append(Corner(x: x, y: y, strength: strength))
            }
        }
        // Sorting keeps the order of equally strong ones: from the top, from the left.
        let order = corners.indices.sorted { (corners[$1].strength, $0) < (corners[$0].strength, $1) }
        strongest = order.prefix(Self.mostCount).map { corners[$0] }
    }

    /// The root of the smaller eigenvalue at each pixel.
    private static func strengths(of plane: GrayPlane) -> GrayPlane {
        let (width, height) = (plane.size.width, plane.size.height)
        var (xx, xy, yy) = (plane.values, plane.values, plane.values)
        for y in 0..<height {
            for x in 0..<width {
                let across = (plane[min(x + 1, width - 1), y] - plane[max(x - 1, 0), y]) / 2
                let down = (plane[x, min(y + 1, height - 1)] - plane[x, max(y - 1, 0)]) / 2
                let place = y * width + x
                xx[place] = across * across
                xy[place] = across * down
                yy[place] = down * down
            }
        }
        let window: [Float] = [70.0 / 256, 56.0 / 256, 28.0 / 256, 8.0 / 256, 1.0 / 256]
        let moments = [xx, xy, yy].map { GrayPlane(size: plane.size, values: $0).blurred(window).values }
        let strengths = moments[0].indices.map { place in
            let (a, b, c) = (moments[0][place], moments[1][place], moments[2][place])
            let smaller = (a + c) / 2 - ((a - c) * (a - c) / 4 + b * b).squareRoot()
            return max(smaller, 0).squareRoot()
        }
        return GrayPlane(size: plane.size, values: strengths)
    }

    private static func isPeak(_ strengths: GrayPlane, _ x: Int, _ y: Int) -> Bool {
        for v in (y - radius)...(y + radius) {
            for u in (x - radius)...(x + radius) where (u, v) != (x, y) {
                let other = strengths[u, v]
                // Of equally strong neighbours the first one is the peak.
                if other > strengths[x, y] || other == strengths[x, y] && (v, u) < (y, x) { return false }
            }
        }
        return true
    }
}

/// What a corner and its surroundings look like, turned so that the steepest change leads to the right.
private struct FeatureView {
    private let values: [Float]

    private static let side = 8
    /// Pixels from one sample to the next.
    private static let spacing: Float = 2
    /// From this correlation on two views are one.
    private static let leastCorrelation: Float = 0.9

    init(of plane: GrayPlane, x: Int, y: Int) {
        let (u, v) = Self.direction(in: plane, x, y)
        let middle = Float(Self.side - 1) / 2
        var values: [Float] = []
        values.reserveCapacity(Self.side * Self.side)
        for row in 0..<Self.side {
            for column in 0..<Self.side {
                let (across, down) = ((Float(column) - middle) * Self.spacing, (Float(row) - middle) * Self.spacing)
                values.append(
                    plane.value(atX: Float(x) + across * u - down * v, y: Float(y) + across * v + down * u))
            }
        }
        let mean = values.reduce(0, +) / Float(values.count)
        let length = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
        self.values = values.map { length > 0 ? ($0 - mean) / length : 0 }
    }

    func isLike(_ other: FeatureView) -> Bool {
        var sum: Float = 0
        for index in values.indices { sum += values[index] * other.values[index] }
        return sum >= Self.leastCorrelation
    }

    /// The direction in which it becomes lighter, of length one.
    private static func direction(in plane: GrayPlane, _ x: Int, _ y: Int) -> (Float, Float) {
        var (u, v): (Float, Float) = (0, 0)
        for down in -6...6 {
            for across in -6...6 where across * across + down * down <= 36 {
                let value = plane.value(atX: Float(x + across), y: Float(y + down))
                u += value * Float(across)
                v += value * Float(down)
            }
        }
        let length = (u * u + v * v).squareRoot()
        return length > 0 ? (u / length, v / length) : (1, 0)
    }
}

extension GrayPlane {
    /// The standard deviation of the values.
    var standardDeviation: Double {
        let count = Double(max(values.count, 1))
        let mean = values.reduce(0.0) { $0 + Double($1) } / count
        return (values.reduce(0.0) { $0 + (Double($1) - mean) * (Double($1) - mean) } / count).squareRoot()
    }
}
