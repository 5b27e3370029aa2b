// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension [Int32] {
    /// Visits the columns and rows of pixels that are in the order of their rows, in a picture that is so wide.
    @inline(__always)
    func forEachPlace(width: Int, _ visit: (_ column: Int, _ row: Int) -> Void) {
        var (row, first) = (0, 0)
        for pixel in self {
            if Int(pixel) &- first >= width {
                row = Int(pixel) / width
                first = row * width
            }
            visit(Int(pixel) &- first, row)
        }
    }
}

/// A connected region of a reduced picture.
struct HandRegion: Sendable {
    /// Its pixels, in the order of their rows.
    let pixels: [Int32]
    /// Its middle.
    let centroid: Vector2

    /// A region of these pixels, of which there must be some, in a picture that is so wide.
    init(_ pixels: [Int32], width: Int) {
        self.pixels = pixels
        var sum = SIMD2<Int>.zero
        pixels.forEachPlace(width: width) { sum &+= SIMD2($0, $1) }
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
        var inside = [UInt8](repeating: 0, count: width * height)
        for pixel in pixels { inside[Int(pixel)] = 1 }
        let near = inside.widened(width: width, height: height).widened(width: width, height: height)
        return zip(inside, near).map { $0 + 2 * ($1 - $0) }
    }

    /// Regions of at least `minimumCount` pixels of a mask of zeros and ones, without what is less than three pixels wide: at
    /// most `limit` of them, the one that holds the pixel `expected` first, then the largest.
    static func all(
        of mask: [UInt8], width: Int, height: Int, minimumCount: Int, limit: Int = .max, expected: Int? = nil
    ) -> [HandRegion] {
        let runs = PixelRuns(mask.opened(width: width, height: height), width: width, height: height)
        let first = expected.flatMap(runs.region(at:))
        return runs.counts.indices.filter { runs.counts[$0] >= minimumCount }
            .sorted { ($1 == first ? 1 : 0, runs.counts[$1], $0) < ($0 == first ? 1 : 0, runs.counts[$0], $1) }
            .prefix(limit)
            .map { HandRegion(runs.pixels(of: $0), width: width) }
    }
}
