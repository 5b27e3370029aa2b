// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

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
                ours.append(Self.nanoseconds(benchmark.ours) / Double(benchmark.count))
                theirs.append(Self.nanoseconds(benchmark.theirs) / Double(benchmark.count))
            } else {
                theirs.append(Self.nanoseconds(benchmark.theirs) / Double(benchmark.count))
                ours.append(Self.nanoseconds(benchmark.ours) / Double(benchmark.count))
            }
        }
    }

    var ourMedian: Double { Self.quantile(ours, 0.5) }
    var theirMedian: Double { Self.quantile(theirs, 0.5) }

    /// Our time over theirs, pair by pair: the tenth, the half and the ninth of ten.
    var ratio: (low: Double, median: Double, high: Double) {
        let ratios = zip(ours, theirs).map { $0 / $1 }
        return (Self.quantile(ratios, 0.1), Self.quantile(ratios, 0.5), Self.quantile(ratios, 0.9))
    }

    /// The processor time of this thread: what other processes take does not count.
    private static func nanoseconds(_ work: () -> Void) -> Double {
        func now() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
        }
        let start = now()
        work()
        return now() - start
    }

    private static func quantile(_ values: [Double], _ fraction: Double) -> Double {
        values.sorted()[Int((Double(values.count - 1) * fraction).rounded())]
    }
}
