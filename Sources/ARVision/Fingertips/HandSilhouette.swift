// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A connected region of a picture that may be a hand, with the way from where the arm comes in to each of its pixels.
struct HandSilhouette: Sendable {
    let region: HandRegion
    /// How many of them lie on the picture's border.
    let borderCount: Int
    /// How many of those lie in the longest stretch of the border: there the arm comes in.
    let armCount: Int
    /// The way inside the region from its root, in fifths of a pixel, for each of `pixels`.
    ///
    /// The root is where the arm comes in over the picture's border. Where it does not (behind a sleeve), it is the region's
    /// thickest place: the palm.
    let ways: [Int32]
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

    /// The silhouettes of ``HandRegion/all(width:height:minimumCount:limit:expected:isInside:)``.
    static func all(
        width: Int, height: Int, minimumCount: Int, limit: Int = .max, expected: Int? = nil, isInside: (Int) -> Bool
    ) -> [HandSilhouette] {
        HandRegion.all(
            width: width, height: height, minimumCount: minimumCount, limit: limit, expected: expected,
            isInside: isInside
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
        let insides = zip(pixels, depths).map { pixel, depth in
            let (x, y) = (Int(pixel) % width, Int(pixel) / width)
            return min(depth, Self.unitsPerPixel * Int32(min(x, y, width - 1 - x, height - 1 - y) + 1))
        }
        let deepest = insides.indices.max { insides[$0] < insides[$1] } ?? 0
        depth = Double(insides[deepest]) / Double(Self.unitsPerPixel)
        armWidth = border.width
        rimCount = depths.reduce(0) { $0 + ($1 <= Self.unitsPerPixel ? 1 : 0) }
        let roots = border.pixels.count >= 4 ? border.pixels : [pixels[deepest]]
        root =
            roots.reduce(Vector2.zero) { $0 + Vector2(Double(Int($1) % width), Double(Int($1) / width)) }
            / Double(roots.count)
        ways = field.ways(from: roots)
    }

    /// The silhouette without what is much thinner than its fingers: spurs, and bridges where a finger touches another.
    ///
    /// It is opened with a disc whose radius is a part of the palm's; the largest piece that is left is the hand.
    func smoothed(width: Int, height: Int) -> HandSilhouette? {
        var field = DistanceField(pixels, width: width, height: height)
        let radius = Int32(Self.thinness * depth * Double(Self.unitsPerPixel))
        let depths = field.depths()
        let core = zip(pixels, depths).filter { $1 > radius }.map(\.0)
        let ways = field.ways(from: core, limit: radius)
        var mask = [UInt8](repeating: 0, count: width * height)
        for (pixel, way) in zip(pixels, ways) where way > 0 { mask[Int(pixel)] = 1 }
        for pixel in core { mask[Int(pixel)] = 1 }
        return Self.all(width: width, height: height, minimumCount: pixels.count / 2) { mask[$0] != 0 }.first
    }

    /// A finger's radius is a fifth of the palm's, a seventh at its end; what is thinner than half of that is no finger.
    private static let thinness = 0.07
}

/// Distances inside a region of pixels: 5 a step to a neighbour in a row or a column, 7 to one at a corner.
/// - Reference: Borgefors 1986, "Distance transformations in digital images" (chamfer 5-7-11, without the knight's move).
struct DistanceField {
    private let pixels: [Int32]
    private let width: Int
    private let height: Int
    /// −1 outside; inside, the distance found so far.
    private var field: [Int32]
    private static let far = Int32.max / 2

    init(_ pixels: [Int32], width: Int, height: Int) {
        self.pixels = pixels
        self.width = width
        self.height = height
        field = [Int32](repeating: -1, count: width * height)
    }

    /// How far each of the region's pixels is from the outside; the picture's border is no outside. Where there is none, all are
    /// as deep as the picture is wide and high together, which is more than any way straight through it.
    mutating func depths() -> [Int32] {
        let deepest = HandSilhouette.unitsPerPixel * Int32(width + height)
        for pixel in pixels { field[Int(pixel)] = deepest }
        for pixel in pixels { relax(Int(pixel), upwards: true) }
        for pixel in pixels.reversed() { relax(Int(pixel), upwards: false) }
        return pixels.map { field[Int($0)] }
    }

    private mutating func relax(_ pixel: Int, upwards: Bool) {
        let (x, y) = (pixel % width, pixel / width)
        let step = upwards ? -1 : 1
        var best = field[pixel]
        func consider(_ dx: Int, _ dy: Int, _ cost: Int32) {
            let (a, b) = (x + dx, y + dy)
            guard a >= 0, b >= 0, a < width, b < height else { return }
            best = min(best, max(field[b * width + a], 0) + cost)
        }
        consider(step, 0, 5)
        consider(-1, step, 7)
        consider(0, step, 5)
        consider(1, step, 7)
        field[pixel] = best
    }

    /// The way inside the region from the nearest of the roots, for each pixel of the region; 0 for those that are out of reach or
    /// farther than the limit.
    mutating func ways(from roots: [Int32], limit: Int32 = far) -> [Int32] {
        for pixel in pixels { field[Int(pixel)] = Self.far }
        var buckets = [[Int32]](repeating: [], count: 8)
        for root in roots { field[Int(root)] = 0 }
        buckets[0] = roots
        var (distance, waiting) = (Int32(0), roots.count)
        while waiting > 0, distance <= limit {
            let bucket = buckets[Int(distance & 7)]
            buckets[Int(distance & 7)].removeAll(keepingCapacity: true)
            waiting -= bucket.count
            for pixel in bucket where field[Int(pixel)] == distance {
                let (x, y) = (Int(pixel) % width, Int(pixel) / width)
                for dy in max(y - 1, 0)...min(y + 1, height - 1) {
                    for dx in max(x - 1, 0)...min(x + 1, width - 1) {
                        let cost = distance + (dx == x || dy == y ? 5 : 7)
                        let other = dy * width + dx
                        guard field[other] > cost else { continue }
                        field[other] = cost
                        buckets[Int(cost & 7)].append(Int32(other))
                        waiting += 1
                    }
                }
            }
            distance += 1
        }
        return pixels.map { field[Int($0)] > limit || field[Int($0)] == Self.far ? 0 : field[Int($0)] }
    }
}

extension [UInt8] {
    /// A plane of zeros and ones without the ones that no square of 3 × 3 ones covers.
    func opened(width: Int, height: Int) -> [UInt8] {
        combined(width: width, height: height, &).combined(width: width, height: height, |)
    }

    /// Each value combined with its eight neighbours; the border, with those that there are.
    private func combined(width: Int, height: Int, _ combine: (UInt8, UInt8) -> UInt8) -> [UInt8] {
        guard width >= 2, height >= 2 else { return self }
        var (rows, result) = (self, self)
        for y in 0..<height {
            let start = y * width
            for at in start..<start + width {
                var value = self[at]
                if at > start { value = combine(value, self[at - 1]) }
                if at < start + width - 1 { value = combine(value, self[at + 1]) }
                rows[at] = value
            }
        }
        for at in 0..<width * height {
            var value = rows[at]
            if at >= width { value = combine(value, rows[at - width]) }
            if at < width * (height - 1) { value = combine(value, rows[at + width]) }
            result[at] = value
        }
        return result
    }
}
