// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import TestSupport
import Testing

@testable import ARVision

/// Regions, distances and openings of random planes, by what defines them.
@Suite struct PixelPlaneTests {
    private static let (width, height) = (23, 17)

    private static func neighbors(_ pixel: Int, corners: Bool) -> [(pixel: Int, step: Int32)] {
        let (x, y) = (pixel % width, pixel / width)
        var all: [(Int, Int32)] = []
        for (dx, dy) in [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let isCorner = dx != 0 && dy != 0
            guard corners || !isCorner, (0..<width).contains(x + dx), (0..<height).contains(y + dy) else { continue }
            all.append((pixel + dy * width + dx, isCorner ? 7 : 5))
        }
        return all
    }

    private static func mask(_ random: inout TestRandom, share: Double) -> [UInt8] {
        (0..<width * height).map { _ in random.uniform(0...1) < share ? 1 : 0 }
    }

    /// The least sums of steps from places whose distances are known, by relaxing until nothing changes.
    private static func distances(in mask: [UInt8], from known: [Int: Int32]) -> [Int32] {
        var distances = mask.indices.map { known[$0] ?? Int32.max / 2 }
        var hasChanged = true
        while hasChanged {
            hasChanged = false
            for pixel in mask.indices where mask[pixel] != 0 {
                for (other, step) in neighbors(pixel, corners: true) where distances[other] + step < distances[pixel] {
                    distances[pixel] = distances[other] + step
                    hasChanged = true
                }
            }
        }
        return distances
    }

    /// Law: two pixels are in one region if and only if a way of ones leads from one to the other.
    @Test(arguments: 0..<20) func regionsAreConnected(number: Int) {
        var random = TestRandom(case: number)
        let mask = Self.mask(&random, share: 0.4 + 0.02 * Double(number))
        let runs = PixelRuns(mask, width: Self.width, height: Self.height)
        var regions: [[Int32]] = []
        var seen = Set<Int>()
        for start in mask.indices where mask[start] != 0 && !seen.contains(start) {
            var (region, waiting) = ([Int](), [start])
            seen.insert(start)
            while let pixel = waiting.popLast() {
                region.append(pixel)
                for (other, _) in Self.neighbors(pixel, corners: false) where mask[other] != 0 {
                    if seen.insert(other).inserted { waiting.append(other) }
                }
            }
            regions.append(region.sorted().map(Int32.init))
        }
        #expect(runs.counts == regions.map(\.count))
        #expect(runs.counts.indices.map(runs.pixels) == regions)
        for pixel in mask.indices {
            #expect(runs.region(at: pixel) == regions.firstIndex { $0.contains(Int32(pixel)) })
        }
    }

    /// Law: depths and ways are the least sums of steps, and a walk visits what is no farther than its limit, the nearest first.
    @Test(arguments: 0..<20) func distancesAreTheShortest(number: Int) throws {
        var random = TestRandom(case: number)
        let mask = Self.mask(&random, share: 0.5 + 0.025 * Double(number))
        let inside = mask.indices.filter { mask[$0] != 0 }
        var field = DistanceField(inside.map(Int32.init), width: Self.width, height: Self.height)
        let outside = mask.indices.filter { mask[$0] == 0 }
        let depths = Self.distances(in: mask, from: Dictionary(uniqueKeysWithValues: outside.map { ($0, 0) }))
        #expect(field.depths() == inside.map { depths[$0] })
        let root = try #require(inside.randomElement(using: &random))
        // Outside, no way leads on.
        let ways = Self.distances(in: mask, from: [root: 0])
        let limit: Int32 = 31
        #expect(field.ways(from: [Int32(root)]) == inside.map { ways[$0] == .max / 2 ? 0 : ways[$0] })
        #expect(field.ways(from: [Int32(root)], limit: limit) == inside.map { ways[$0] > limit ? 0 : ways[$0] })
        var visited: [(pixel: Int, way: Int32)] = []
        field.forEachWay(from: Int32(root), limit: limit) { x, y, way in visited.append((y * Self.width + x, way)) }
        #expect(visited.map(\.way) == visited.map(\.way).sorted())
        #expect(visited.map(\.pixel).sorted() == inside.filter { ways[$0] <= limit })
        #expect(visited.allSatisfy { ways[$0.pixel] == $0.way })
        #expect(field.ways(from: [Int32(root)], limit: limit) == inside.map { ways[$0] > limit ? 0 : ways[$0] })
    }

    /// Law: an opening leaves the ones that lie in a square of ones, of which the border may cut off a part.
    @Test(arguments: 0..<10) func openingsLeaveSquares(number: Int) {
        var random = TestRandom(case: number)
        let mask = Self.mask(&random, share: 0.7 + 0.03 * Double(number))
        func square(_ pixel: Int) -> [Int] { [pixel] + Self.neighbors(pixel, corners: true).map(\.pixel) }
        let isFull = mask.indices.map { square($0).allSatisfy { mask[$0] != 0 } }
        let left = mask.indices.map { square($0).contains { isFull[$0] } ? UInt8(1) : 0 }
        #expect(mask.opened(width: Self.width, height: Self.height) == left)
        let near = mask.indices.map { square($0).contains { mask[$0] != 0 } ? UInt8(1) : 0 }
        #expect(mask.widened(width: Self.width, height: Self.height) == near)
    }

    /// Law: the mean of n bytes is their sum divided by n, rounded half up, for every sum that they can have at the quotient's steps.
    @Test(arguments: [1, 2, 4, 9, 16, 25, 36, 49, 64, 1000, 4096, 65_025, 65_536]) func meansAreRounded(count: Int) {
        let mean = RoundedMean(of: count)
        for value in 0...255 {
            for sum in value * count - count / 2 - 1...value * count - count / 2 + 1
            where (0...255 * count).contains(sum) {
                #expect(Int(mean.value(ofSum: UInt32(sum))) == (sum + count / 2) / count, "\(sum) / \(count)")
            }
        }
    }

    /// Law: at a pixel's middle a picture has that pixel's colour, up to its last one, and beyond the border that of the border.
    @Test func colorsArePixels() {
        var random = TestRandom()
        let size = ImageSize(width: 5, height: 4)
        let bytes = (0..<3 * size.width * size.height).map { _ in UInt8(random.uniform(0...255)) }
        let image = ImageBuffer(size: size, format: .rgb8, bytes: bytes)
        let picture = ReducedPicture(image, factor: 1)
        BorderSearch.run(in: image, colors: HandColors(picture) { _ in true }) { search in
            for y in -1...size.height {
                for x in -1...size.width {
                    let point = Vector2(Double(x), Double(y))
                    #expect((search.color(at: point) - picture.color(point)).max() < 1e-2)
                    #expect((picture.color(point) - search.color(at: point)).max() < 1e-2)
                }
            }
        }
    }
}
