// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Timing

/// The same work done by arsim and by the library that is the measure of it.
struct Benchmark {
    /// What is done.
    var name: String
    /// Whom we compare with.
    var rival: String
    /// How many times one run does it.
    var count: Int
    /// One run of ours.
    var ours: () -> Void
    /// One run of the rival.
    var theirs: () -> Void
    /// The largest difference between the two sides' results, relative to their size.
    var disagreement: () -> Double
}

extension Benchmark {
    /// A benchmark whose sides write to the same memory; the first `doublesCompared` doubles of each result must agree.
    init<Value>(
        name: String, rival: String, count: Int, results: Batch<Value>, comparing doublesCompared: Int,
        ours: @escaping () -> Void, theirs: @escaping () -> Void
    ) {
        self.init(
            name: name, rival: rival, count: count, ours: ours, theirs: theirs,
            disagreement: {
                ours()
                let ourResults = results.mapped { $0 }
                theirs()
                return ourResults.largestDifference(from: results, comparing: doublesCompared)
            })
    }
}

/// The times of interleaved runs of a benchmark.
struct Measurement {
    /// Nanoseconds of processor time for one item, by run.
    private var ours: [Double] = []
    private var theirs: [Double] = []

    /// Runs each side once to warm up, then both in turn, the first one of a pair changing with every repetition, so
    /// that neither a drifting clock nor a busy neighbour favours a side.
    init(_ benchmark: Benchmark, repetitions: Int) {
        benchmark.ours()
        benchmark.theirs()
        for repetition in 0..<repetitions {
            if repetition.isMultiple(of: 2) {
                ours.append(1e6 * milliseconds(benchmark.ours) / Double(benchmark.count))
                theirs.append(1e6 * milliseconds(benchmark.theirs) / Double(benchmark.count))
            } else {
                theirs.append(1e6 * milliseconds(benchmark.theirs) / Double(benchmark.count))
                ours.append(1e6 * milliseconds(benchmark.ours) / Double(benchmark.count))
            }
        }
    }

    var ourMedian: Double { quantile(ours, 0.5) }
    var theirMedian: Double { quantile(theirs, 0.5) }

    /// Our time over theirs, pair by pair: the tenth, the half and the ninth of ten.
    var ratio: (low: Double, median: Double, high: Double) {
        let ratios = zip(ours, theirs).map { $0 / $1 }
        return (quantile(ratios, 0.1), quantile(ratios, 0.5), quantile(ratios, 0.9))
    }
}
