// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The connected regions of a plane of zeros and ones, by the runs of ones in its rows: those of two rows that share a column
/// belong together.
/// - Reference: Rosenfeld, Pfaltz 1966, "Sequential operations in digital picture processing" (labels joined row by row).
struct PixelRuns {
    /// The number of pixels of each region; regions are in the order of their first pixels.
    let counts: [Int]
    private let runs: [Range<Int32>]
    /// The region of each run.
    private let regions: [Int]

    init(_ mask: [UInt8], width: Int, height: Int) {
        var runs: [Range<Int32>] = []
        // The run to which each is joined; itself where it is the first of its region.
        var heirs: [Int] = []
        func first(_ run: Int) -> Int {
            var run = run
            while heirs[run] != run {
                heirs[run] = heirs[heirs[run]]
                run = heirs[run]
            }
            return run
        }
        var above = 0..<0
        let all = Self.runs(of: mask, width: width, height: height)
        var next = 0
        for row in 0..<height {
            let begin = runs.count
            let end = Int32((row + 1) * width)
            var candidate = above.lowerBound
            while next < all.count, all[next].lowerBound < end {
                let run = all[next]
                next += 1
                let number = runs.count
                runs.append(run)
                heirs.append(number)
                let (low, high) = (run.lowerBound - Int32(width), run.upperBound - Int32(width))
                while candidate < above.upperBound, runs[candidate].upperBound <= low { candidate += 1 }
                var other = candidate
                while other < above.upperBound, runs[other].lowerBound < high {
                    let (a, b) = (first(other), first(number))
                    heirs[max(a, b)] = min(a, b)
                    other += 1
                }
            }
            above = begin..<runs.count
        }
        var counts: [Int] = []
        var regions: [Int] = []
        for run in runs.indices {
            let heir = first(run)
            if heir == run { counts.append(0) }
            regions.append(heir == run ? counts.count - 1 : regions[heir])
            counts[regions[run]] += runs[run].count
        }
        (self.counts, self.runs, self.regions) = (counts, runs, regions)
    }

    /// The runs of ones in each row, one row after the other.
    private static func runs(of mask: [UInt8], width: Int, height: Int) -> [Range<Int32>] {
        var runs: [Range<Int32>] = []
        mask.withUnsafeBytes { mask in
            for row in 0..<height {
                var at = row * width
                let end = at + width
                while at < end {
                    // Most of a picture is no hand: eight pixels at once.
                    if at &+ 8 <= end, mask.loadUnaligned(fromByteOffset: at, as: UInt64.self) == 0 {
                        at &+= 8
                        continue
                    }
                    guard mask[at] != 0 else {
                        at &+= 1
                        continue
                    }
                    let start = at
                    while at < end, mask[at] != 0 { at &+= 1 }
                    runs.append(Int32(truncatingIfNeeded: start)..<Int32(truncatingIfNeeded: at))
                }
            }
        }
        return runs
    }

    /// The region that holds a pixel, if any does.
    func region(at pixel: Int) -> Int? {
        runs.firstIndex { $0.contains(Int32(pixel)) }.map { regions[$0] }
    }

    /// The pixels of a region, in the order of their rows.
    func pixels(of region: Int) -> [Int32] {
        var pixels: [Int32] = []
        pixels.reserveCapacity(counts[region])
        for (run, number) in zip(runs, regions) where number == region { pixels.append(contentsOf: run) }
        return pixels
    }
}
