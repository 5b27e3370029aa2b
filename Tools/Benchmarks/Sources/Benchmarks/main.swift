// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

// Measures arsim's geometry against Eigen and OpenCV, in one run, and prints one line for each comparison.

let million = 1_000_000
let repetitions = 21

let groups: [(title: String, benchmarks: [Benchmark])] = [
    (
        "a million different items",
        matrixBenchmarks(size: million, total: million)
            + poseBenchmarks(size: million, total: million)
    ),
    (
        "a thousand items in the cache, a thousand times",
        matrixBenchmarks(size: 1000, total: million)
            + poseBenchmarks(size: 1000, total: million)
    ),
]

func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}

for group in groups {
    print("\(group.title): nanoseconds an item, medians of \(repetitions) interleaved runs")
    print(padded("", to: 34) + "    ours  theirs   ratio  (10 %…90 %)")
    for benchmark in group.benchmarks {
        let measurement = Measurement(benchmark, repetitions: repetitions)
        let disagreement = benchmark.disagreement()
        let ratio = measurement.ratio
        print(
            padded("\(benchmark.name) / \(benchmark.rival)", to: 38)
                + String(
                    format: "%7.2f %7.2f %7.3f  (%.3f…%.3f)  agree to %.0e", measurement.ourMedian,
                    measurement.theirMedian, ratio.median, ratio.low, ratio.high, disagreement))
    }
    print("")
}
