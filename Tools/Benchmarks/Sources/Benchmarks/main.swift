// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

// Measures arsim's geometry against Eigen and OpenCV, in one run, and prints one line for each comparison.

let million = 1_000_000
let repetitions = 21

func benchmarks(size: Int) -> [Benchmark] {
    matrixBenchmarks(size: size, total: million) + poseBenchmarks(size: size, total: million)
        + cameraBenchmarks(size: size, total: million)
}

func padded(_ text: String) -> String { text + String(repeating: " ", count: max(0, 40 - text.count)) }

for (title, size) in [
    ("A million different items", million), ("A thousand items, in the cache, a thousand times", 1000),
] {
    print("\(title). Nanoseconds an item, medians of \(repetitions) interleaved runs.")
    print(padded("") + "   ours  theirs   ratio  (10 %…90 %)")
    for benchmark in benchmarks(size: size) {
        let measurement = Measurement(benchmark, repetitions: repetitions)
        let ratio = measurement.ratio
        print(
            padded("\(benchmark.name) / \(benchmark.rival)")
                + String(
                    format: "%7.2f %7.2f %7.3f  (%.3f…%.3f), results agree to %.0e", measurement.ourMedian,
                    measurement.theirMedian, ratio.median, ratio.low, ratio.high, benchmark.disagreement()))
    }
    print("")
}
