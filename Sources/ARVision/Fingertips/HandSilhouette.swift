// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A connected region of a picture that may be a hand, with where the arm comes in.
struct HandSilhouette: Sendable {
    let region: HandRegion
    /// How many of them lie on the picture's border.
    let borderCount: Int
    /// How many of those lie in the longest stretch of the border: there the arm comes in.
    let armCount: Int
    /// How far each of `pixels` is from the outside, in fifths of a pixel.
    let depths: [Int32]
    /// The pixels from which ways are measured: where the arm comes in over the picture's border. Where it does not (behind a
    /// sleeve), the region's thickest place: the palm.
    private let roots: [Int32]
    /// Where its ways begin: the arm's middle on the border, or the palm's.
    let root: Vector2
    /// The radius of the largest disc inside it and inside the picture: half the width of the palm.
    let depth: Double
    /// How wide the arm is where it comes in: how far its stretch of the border reaches, or infinite where no arm is as wide.
    let armWidth: Double
    /// How many of its pixels have a neighbour outside, not counting what the picture cuts off.
    let rimCount: Int

    /// The region's pixels, in the order of their rows.
    var pixels: [Int32] { region.pixels }
    /// The region's middle.
    var centroid: Vector2 { region.centroid }

    static let unitsPerPixel: Int32 = 5

    /// The silhouettes of ``HandRegion/all(of:width:height:minimumCount:limit:expected:)``.
    static func all(
        of mask: [UInt8], width: Int, height: Int, minimumCount: Int, limit: Int = .max, expected: Int? = nil
    ) -> [HandSilhouette] {
        HandRegion.all(
            of: mask, width: width, height: height, minimumCount: minimumCount, limit: limit, expected: expected
        ).map { HandSilhouette($0, width: width, height: height) }
    }

    private init(_ region: HandRegion, width: Int, height: Int) {
        self.region = region
        let pixels = region.pixels
        var field = DistanceField(pixels, width: width, height: height)
        let border = BorderStretch(of: pixels, width: width, height: height)
        borderCount = border.totalCount
        armCount = border.pixels.count
        let depths = field.depths()
        self.depths = depths
        var (deepest, inside, index) = (0, Int32(-1), 0)
        pixels.forEachPlace(width: width) { x, y in
            let toBorder = min(min(x, width - 1 - x), min(y, height - 1 - y)) + 1
            let within = min(depths[index], Self.unitsPerPixel * Int32(truncatingIfNeeded: toBorder))
            if within > inside { (deepest, inside) = (index, within) }
            index += 1
        }
        depth = Double(inside) / Double(Self.unitsPerPixel)
        armWidth = border.width
        rimCount = depths.reduce(0) { $0 + ($1 <= Self.unitsPerPixel ? 1 : 0) }
        roots = border.pixels.count >= 4 ? border.pixels : [pixels[deepest]]
        root =
            roots.reduce(Vector2.zero) { $0 + Vector2(Double(Int($1) % width), Double(Int($1) / width)) }
            / Double(roots.count)
    }

    /// The way inside the region from its root, in fifths of a pixel, for each of `pixels`.
    func ways(width: Int, height: Int) -> [Int32] {
        var field = DistanceField(pixels, width: width, height: height)
        return field.ways(from: roots)
    }

    /// The silhouette without what is much thinner than its fingers: spurs, and bridges where a finger touches another.
    ///
    /// It is opened with a disc whose radius is a part of the palm's; the largest piece that is left is the hand.
    func smoothed(width: Int, height: Int) -> HandSilhouette? {
        let radius = Int32(Self.thinness * depth * Double(Self.unitsPerPixel))
        let core = zip(pixels, depths).filter { $1 > radius }
        // Whoever leaves the core comes by one of its pixels that are next to others.
        let rim = core.filter { $1 <= radius + DistanceField.largestStep }.map(\.0)
        var field = DistanceField(pixels, width: width, height: height)
        let ways = field.ways(from: rim, limit: radius)
        var mask = [UInt8](repeating: 0, count: width * height)
        for (pixel, way) in zip(pixels, ways) where way > 0 { mask[Int(pixel)] = 1 }
        for (pixel, _) in core { mask[Int(pixel)] = 1 }
        return Self.all(of: mask, width: width, height: height, minimumCount: pixels.count / 2).first
    }

    /// A finger's radius is a fifth of the palm's, a seventh at its end; what is thinner than half of that is no finger.
    private static let thinness = 0.07
}
