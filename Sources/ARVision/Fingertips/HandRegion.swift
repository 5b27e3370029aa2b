// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A connected region of a reduced picture.
struct HandRegion: Sendable {
    /// Its pixels, in the order of their rows.
    let pixels: [Int32]
    /// Its middle.
    let centroid: Vector2

    /// A region of these pixels, of which there must be some, in a picture that is so wide.
    init(_ pixels: [Int32], width: Int) {
        self.pixels = pixels
        let sum = pixels.reduce(into: SIMD2<Int>.zero) { $0 &+= SIMD2(Int($1) % width, Int($1) / width) }
        centroid = Vector2(Double(sum.x), Double(sum.y)) / Double(pixels.count)
    }

    /// How many square pixels of the whole picture it fills.
    func area(in picture: ReducedPicture) -> Double { Double(pixels.count * picture.factor * picture.factor) }

    /// Hands fill less of a picture.
    private static let largestShare = 0.6

    /// Whether it fills more of a picture than a hand does.
    func isTooLarge(for picture: ReducedPicture) -> Bool {
        Double(pixels.count) >= Self.largestShare * Double(picture.count)
    }

    /// 1 for its pixels, 2 for those within two pixels of it, 0 for others.
    func kinds(width: Int, height: Int) -> [UInt8] {
        var kinds = [UInt8](repeating: 0, count: width * height)
        for pixel in pixels { kinds[Int(pixel)] = 1 }
        for pixel in pixels {
            let (x, y) = (Int(pixel) % width, Int(pixel) / width)
            for b in max(y - 2, 0)...min(y + 2, height - 1) {
                for a in max(x - 2, 0)...min(x + 2, width - 1) where kinds[b * width + a] == 0 {
                    kinds[b * width + a] = 2
                }
            }
        }
        return kinds
    }

    /// Regions of at least `minimumCount` pixels where `isInside`, without what is less than three pixels wide: at most
    /// `limit` of them, the one that holds the pixel `expected` first, then the largest.
    static func all(
        width: Int, height: Int, minimumCount: Int, limit: Int = .max, expected: Int? = nil, isInside: (Int) -> Bool
    ) -> [HandRegion] {
        // 0 outside, −1 inside, else the region's number.
        var labels = [Int32](repeating: 0, count: width * height)
        var mask = [UInt8](repeating: 0, count: width * height)
        for pixel in mask.indices where isInside(pixel) { mask[pixel] = 1 }
        mask = mask.opened(width: width, height: height)
        for pixel in labels.indices where mask[pixel] != 0 { labels[pixel] = -1 }
        var regions: [[Int32]] = []
        for start in labels.indices where labels[start] == -1 {
            let label = Int32(regions.count + 1)
            labels[start] = label
            var members = [Int32(start)]
            var next = 0
            while next < members.count {
                let pixel = Int(members[next])
                next += 1
                let x = pixel % width
                if x > 0, labels[pixel - 1] == -1 { labels[pixel - 1] = label; members.append(Int32(pixel - 1)) }
                if x < width - 1, labels[pixel + 1] == -1 {
                    labels[pixel + 1] = label; members.append(Int32(pixel + 1))
                }
                if pixel >= width, labels[pixel - width] == -1 {
                    labels[pixel - width] = label
                    members.append(Int32(pixel - width))
                }
                if pixel + width < labels.count, labels[pixel + width] == -1 {
                    labels[pixel + width] = label
                    members.append(Int32(pixel + width))
                }
            }
            regions.append(members)
        }
        let first = expected.map { Int(labels[$0]) - 1 }
        return regions.indices.filter { regions[$0].count >= minimumCount }
            .sorted { ($1 == first ? 1 : 0, regions[$1].count, $0) < ($0 == first ? 1 : 0, regions[$0].count, $1) }
            .prefix(limit)
            .map { HandRegion(regions[$0].sorted(), width: width) }
    }
}
