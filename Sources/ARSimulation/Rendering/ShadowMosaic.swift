// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// What single rays to the sun have seen, one from each of some pixels in a row of blocks.
///
/// The rays of 4×4 neighbours go to all sixteen of the sun's samples: where the rays around a pixel agree, so would
/// sixteen from that pixel.
final class ShadowMosaic {
    /// How many columns before and behind a pixel's count as around it: with any four columns come all samples.
    private static let reach = 3
    /// The fewest rays that decide.
    private static let fewest: UInt8 = 8

    /// By column of pixels: how many rays there are, and how many of them see the sun.
    private let counts: UnsafeMutablePointer<SIMD2<UInt8>>
    private let columns: Int

    /// Room for a row of blocks of that width.
    init(width: Int) {
        columns = width + 2 * Self.reach
        counts = .allocate(capacity: columns)
        counts.initialize(repeating: .zero, count: columns)
    }

    deinit { counts.deallocate() }

    /// Forgets all rays.
    func clear() { counts.update(repeating: .zero, count: columns) }

    /// Adds a pixel's ray, which has seen the sun (1) or not (0).
    @inline(__always) func add(_ seen: UInt8, column: Int) { counts[column + Self.reach] &+= SIMD2(1, seen) }

    /// Whether the rays around a column all see the sun, or all do not; `nil` when they differ or are too few.
    @inline(__always) func isSunny(around column: Int) -> Bool? {
        var sum = SIMD2<UInt8>.zero
        for other in column...column + 2 * Self.reach { sum &+= counts[other] }
        guard sum.x >= Self.fewest, sum.y == 0 || sum.y == sum.x else { return nil }
        return sum.y > 0
    }

    /// How many of the sun's samples are a pixel's own: its neighbours in a row, in a column and across have the others.
    static let samplesEach = 4
    /// The most by which two pixels' own samples differ in how many lie on one side of a line across the sun.
    static let mostDifference = 2

    /// The number of one of the sun's samples, in a pixel's own order, which begins with its own ones. The first ones of 4×4
    /// neighbours are all sixteen.
    @inline(__always) static func sample(_ number: Int, column: Int, row: Int) -> Int {
        let (phase, turn) = ((row & 1) << 1 | column & 1, row & 2 | column >> 1 & 1)
        return (phase + number / samplesEach) % samplesEach + samplesEach * ((turn + number) % samplesEach)
    }
}
