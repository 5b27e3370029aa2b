// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Synchronization

/// Does independent pieces of work, so many at a time.
struct Workers: Sendable {
    /// How many pieces are done at a time.
    let count: Int

    /// The results in the order of the items, whichever was done first. The first error ends it all, once what has begun is
    /// done.
    func map<Item: Sendable, Result: Sendable>(
        _ items: [Item], _ work: @Sendable (Item) throws -> Result
    ) throws -> [Result] {
        let state = Mutex(State<Result>(count: items.count))
        withoutActuallyEscaping(work) { work in
            DispatchQueue.concurrentPerform(iterations: min(count, max(items.count, 1))) { _ in
                while let index = state.withLock({ $0.take() }) {
                    do {
                        let result = try work(items[index])
                        state.withLock { $0.results[index] = result }
                    } catch {
                        state.withLock { $0.error = $0.error ?? error }
                    }
                }
            }
        }
        return try state.withLock { state in
            if let error = state.error { throw error }
            return state.results.compactMap { $0 }
        }
    }

    /// The same, and tells of each item that is done.
    func map<Item: Sendable, Result: Sendable>(
        _ items: [Item], named name: @Sendable (Item) -> String, _ work: @Sendable (Item) throws -> Result
    ) throws -> [Result] {
        let doneCount = Mutex(0)
        return try map(items) { item in
            let result = try work(item)
            let done = doneCount.withLock { count in
                count += 1
                return count
            }
            tell("\(name(item)): done, \(done) of \(items.count)")
            return result
        }
    }

    private struct State<Result: Sendable>: Sendable {
        var results: [Result?]
        var error: (any Error)?
        private var next = 0

        init(count: Int) { results = Array(repeating: nil, count: count) }

        /// The next item's place, or `nil` when there is none or something failed.
        mutating func take() -> Int? {
            guard error == nil, next < results.count else { return nil }
            next += 1
            return next - 1
        }
    }
}
