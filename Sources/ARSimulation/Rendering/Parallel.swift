// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

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
        // Whoever is free takes the next: a thread that comes late, or is held up, holds nobody up.
        let next = Counter()
        withoutActuallyEscaping(body) { body in
            DispatchQueue.concurrentPerform(iterations: min(threads, count)) { thread in
                while let index = next.take(below: count) { body(index, thread) }
            }
        }
    }

    /// Numbers from zero on, each given once.
    private final class Counter: Sendable {
        private let next = Atomic(0)

        func take(below end: Int) -> Int? {
            let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
            return number < end ? number : nil
        }
    }
}
