// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Passes over the bands of a picture, of which each needs what the one before has made of a band and of its neighbours.
///
/// Each pass follows two bands behind the one before, so that a band is worked on again while the processor's caches still
/// have it, and so that threads part and meet once a picture instead of once a pass.
enum BandPasses {
    private static let lag = 2

    /// Calls `body` once for each pass and each band, as soon as the pass before is done with that band and its neighbours,
    /// and tells which of the threads makes the call.
    ///
    /// Each call must write only what belongs to its pass and band, or what nobody reads until the next pass: then the
    /// number of threads changes no result.
    static func run(
        bands: Int, passes: Int, threads: Int, _ body: @Sendable (_ pass: Int, _ band: Int, _ thread: Int) -> Void
    ) {
        let progress = Progress(bands: bands, passes: passes)
        // Work is begun in this order: what a piece of work waits for has begun before, and does not wait for it.
        let steps = bands + lag * (passes - 1)
        Parallel.run(count: steps * passes, threads: threads) { number, thread in
            let (step, pass) = (number / passes, number % passes)
            let band = step - lag * pass
            guard (0..<bands).contains(band) else { return }
            if pass > 0 {
                for neighbour in max(band - 1, 0)...min(band + 1, bands - 1) {
                    progress.wait(for: pass - 1, of: neighbour)
                }
            }
            body(pass, band, thread)
            progress.finish(pass, of: band)
        }
    }

    /// Which passes are done with which bands.
    private final class Progress: Sendable {
        private nonisolated(unsafe) let isDone: UnsafeMutablePointer<Atomic<Bool>>
        private let bands: Int
        private let count: Int
        private static let patience = 2000

        init(bands: Int, passes: Int) {
            self.bands = bands
            count = bands * passes
            isDone = .allocate(capacity: count)
            for number in 0..<count { (isDone + number).initialize(to: Atomic(false)) }
        }

        deinit {
            isDone.deinitialize(count: count)
            isDone.deallocate()
        }

        func finish(_ pass: Int, of band: Int) { isDone[pass * bands + band].store(true, ordering: .releasing) }

        /// Another thread is at it, and mostly about to finish; when it is held up, so that processors are scarce, this one
        /// gives way.
        func wait(for pass: Int, of band: Int) {
            var tries = 0
            while !isDone[pass * bands + band].load(ordering: .acquiring) {
                tries += 1
                if tries > Self.patience { sched_yield() }
            }
        }
    }
}
