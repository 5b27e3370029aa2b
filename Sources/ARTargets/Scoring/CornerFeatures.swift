// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The corners of a plane, and what each and its surroundings look like.
struct CornerFeatures: Sendable {
    /// The corners, strongest first.
    let corners: [Corners.Corner]
    private let views: [FeatureView]

    /// The corners of a plane, a pixel of blur later.
    /// - Parameter contrast: how much of the light's differences is left; weaker corners count where they are smaller.
    init(of plane: GrayPlane, contrast: Float = 1) {
        let smooth = plane.blurred([6.0 / 16, 4.0 / 16, 1.0 / 16])
        corners = Corners(of: smooth, contrast: contrast).strongest
        views = corners.map { FeatureView(of: smooth, x: $0.x, y: $0.y) }
    }

    /// How like two corners look, turned or not: 1 the same, 0 nothing in common.
    func likeness(of index: Int, to other: Int, of others: CornerFeatures) -> Float {
        views[index].likeness(to: others.views[other])
    }
}

/// Places where a picture changes in two directions: maxima of the smaller eigenvalue of the gradients' second moments.
/// - Reference: Shi and Tomasi 1994, "Good features to track".
struct Corners {
    struct Corner: Sendable {
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

    /// - Parameter contrast: how much of the light's differences is left, at least a half of it.
    init(of plane: GrayPlane, contrast: Float) {
        let least = Self.leastStrength * max(contrast, 0.5)
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
                guard strength >= least, Self.isPeak(strengths, x, y) else { continue }
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

    func likeness(to other: FeatureView) -> Float {
        var sum: Float = 0
        for index in values.indices { sum += values[index] * other.values[index] }
        return sum
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
