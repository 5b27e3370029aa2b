// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// Work on independent items, spread over threads.
enum Parallel {
    /// The number of threads that the machine runs at once.
    static var defaultThreadCount: Int { ProcessInfo.processInfo.activeProcessorCount }

    /// Calls `body` once for each index below `count`, in any order and at the same time.
    ///
    /// Each call must write only what belongs to its index: then the number of threads changes no result.
    static func run(count: Int, threads: Int, _ body: @Sendable (Int) -> Void) {
        run(count: count, threads: threads) { index, _ in body(index) }
    }

    /// The same, and tells which of the threads makes the call: what belongs to a thread may be used again and again.
    static func run(count: Int, threads: Int, _ body: @Sendable (_ index: Int, _ thread: Int) -> Void) {
        precondition(threads > 0, "work needs a thread, not \(threads)")
        guard threads > 1, count > 1 else {
            for index in 0..<count { body(index, 0) }
            return
        }
        // Interleaved, so that neighbours, which cost about the same, are shared evenly.
        withoutActuallyEscaping(body) { body in
            DispatchQueue.concurrentPerform(iterations: min(threads, count)) { thread in
                for index in stride(from: thread, to: count, by: threads) { body(index, thread) }
            }
        }
    }
}
