// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Passes over the bands of a picture, of which each needs what the one before has made of a band and of its neighbours.
///
/// Two threads begin at the two ends of a picture and take one band after the other until they meet, wherever that is; more
/// threads have parts of the picture, two a part. Whoever has taken a band makes all passes on it, each as soon as it can be
/// made: so what a pass reads is in the caches of the processor that has written it, and in the next frame, which mostly
/// costs the same, the same processor has the band again. Who has nothing left helps the others: one that comes late, or is
/// held up, holds nobody up. Law: `BandPassesTests`.
enum BandPasses {
    /// Calls `body` once for each pass and each band, as soon as the pass before is done with that band and its neighbours,
    /// and tells which of the threads makes the call.
    ///
    /// Each call must write only what belongs to its pass and band, or what nobody reads until the next pass: then the
    /// number of threads changes no result.
    static func run(
        bands: Int, passes: Int, threads: Int, _ body: @Sendable (_ pass: Int, _ band: Int, _ thread: Int) -> Void
    ) {
        let schedule = Schedule(bands: bands, passes: passes, threads: threads)
        Parallel.run(count: threads, threads: threads) { thread in
            var done: Work?
            while let work = schedule.next(for: thread, after: done) {
                body(work.pass, work.band, thread)
                done = work
            }
        }
    }

    /// A pass over a band.
    struct Work {
        let pass: Int
        let band: Int
    }

    /// Who does what next.
    private final class Schedule: Sendable {
        private let state: Mutex<State>
        /// Grows whenever something is done.
        private let changes = Atomic(0)
        private static let patience = 2000

        init(bands: Int, passes: Int, threads: Int) {
            state = Mutex(State(bands: bands, passes: passes, threads: threads))
        }

        /// Takes down what a thread has done, and gives it its next work; `nil` when all has been begun.
        func next(for thread: Int, after done: Work?) -> Work? {
            var done = done
            while true {
                let seenChanges = changes.load(ordering: .relaxed)
                let (work, isOver) = state.withLock { state in
                    if let done { state.finish(done) }
                    let work = state.take(for: thread)
                    return (work, state.isAllBegun)
                }
                if done != nil { changes.wrappingAdd(1, ordering: .relaxed) }
                if work != nil || isOver { return work }
                // Only what others are at can bring work: mostly they are about to finish; when they are held up, so that
                // processors are scarce, this one gives way.
                let known = seenChanges + (done == nil ? 0 : 1)
                var tries = 0
                while changes.load(ordering: .relaxed) == known {
                    tries += 1
                    if tries > Self.patience { sched_yield() }
                }
                done = nil
            }
        }
    }

    /// What has been begun and what is done, and by whom: the rule by which work is given out, without threads.
    struct State {
        private let passes: Int
        private let bands: Int
        /// By pass and band.
        private var isDone: [Bool]
        private var begun = 0
        /// The bands of each part of the picture that nobody has taken.
        private var parts: [Range<Int>]
        private var workers: [Worker]

        /// A thread's bands, in the order in which it has taken them, and how many of them each pass has begun.
        private struct Worker {
            var bands: [Int] = []
            var begun: [Int]
        }

        init(bands: Int, passes: Int, threads: Int) {
            self.passes = passes
            self.bands = bands
            isDone = [Bool](repeating: false, count: passes * bands)
            let count = (threads + 1) / 2
            parts = (0..<count).map { bands * $0 / count..<bands * ($0 + 1) / count }
            workers = [Worker](repeating: Worker(begun: [Int](repeating: 0, count: passes)), count: threads)
        }

        var isAllBegun: Bool { begun == passes * bands }

        mutating func finish(_ work: Work) { isDone[work.pass * bands + work.band] = true }

        /// A thread's next work: on its own bands, on a new one, or on others'.
        mutating func take(for thread: Int) -> Work? {
            if let work = takeFromBands(of: thread) ?? takeNewBand(for: thread) { return work }
            for offset in workers.indices.dropFirst() {
                if let work = takeFromBands(of: (thread + offset) % workers.count) { return work }
            }
            return nil
        }

        /// Work of the last pass that can go on, so that what was just written is read.
        private mutating func takeFromBands(of owner: Int) -> Work? {
            for pass in (1..<passes).reversed() {
                let number = workers[owner].begun[pass]
                if number < workers[owner].bands.count, allows(pass, of: workers[owner].bands[number]) {
                    return begin(pass, of: number, owner: owner)
                }
            }
            return nil
        }

        /// The first or the last band of the thread's part, or of another one when there is none.
        private mutating func takeNewBand(for thread: Int) -> Work? {
            let own = thread / 2
            for offset in parts.indices {
                let part = (own + offset) % parts.count
                guard !parts[part].isEmpty else { continue }
                if thread.isMultiple(of: 2) {
                    workers[thread].bands.append(parts[part].removeFirst())
                } else {
                    workers[thread].bands.append(parts[part].removeLast())
                }
                return begin(0, of: workers[thread].bands.count - 1, owner: thread)
            }
            return nil
        }

        private mutating func begin(_ pass: Int, of number: Int, owner: Int) -> Work {
            workers[owner].begun[pass] += 1
            begun += 1
            return Work(pass: pass, band: workers[owner].bands[number])
        }

        /// Whether the pass before is done with a band and its neighbours.
        private func allows(_ pass: Int, of band: Int) -> Bool {
            (max(band - 1, 0)...min(band + 1, bands - 1)).allSatisfy { isDone[(pass - 1) * bands + $0] }
        }
    }
}
