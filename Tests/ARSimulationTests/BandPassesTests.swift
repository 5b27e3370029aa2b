// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import ARSimulation

@Suite struct BandPassesTests {
    /// Each pass works on each band once, after the pass before is done with it and its neighbours, whatever the number of
    /// threads and bands, and however long a piece of work takes.
    @Test(arguments: [1, 2, 3, 7], [1, 2, 5, 8, 9, 60]) func passesFollowEachOther(threads: Int, bands: Int) {
        let passes = 6
        let log = Mutex([(pass: Int, band: Int, isBegin: Bool)]())
        BandPasses.run(bands: bands, passes: passes, threads: threads) { pass, band, thread in
            #expect((0..<threads).contains(thread))
            log.withLock { $0.append((pass, band, true)) }
            if (pass * 31 + band * 17) % 13 == 0 { usleep(300) }
            log.withLock { $0.append((pass, band, false)) }
        }
        var (begun, done) = (Set<[Int]>(), Set<[Int]>())
        for (pass, band, isBegin) in log.withLock({ $0 }) {
            guard isBegin else {
                done.insert([pass, band])
                continue
            }
            #expect(begun.insert([pass, band]).inserted)
            guard pass > 0 else { continue }
            for neighbour in max(band - 1, 0)...min(band + 1, bands - 1) {
                #expect(done.contains([pass - 1, neighbour]))
            }
        }
        #expect(begun.count == passes * bands && done == begun)
    }

    /// Where one thread is held up the other does all that does not need its work: here the first piece of one is never done,
    /// and the other gets three quarters of everything.
    @Test func nobodyWaitsForWhoIsHeldUp() throws {
        let (bands, passes) = (60, 6)
        var state = BandPasses.State(bands: bands, passes: passes, threads: 2)
        let first = state.take(for: 0)
        let heldUp = try #require(first)
        var done = 0
        while let work = state.take(for: 1) {
            state.finish(work)
            done += 1
        }
        #expect(done > bands * passes * 3 / 4 && !state.isAllBegun)
        state.finish(heldUp)
        while let work = state.take(for: 1) {
            state.finish(work)
            done += 1
        }
        #expect(done + 1 == bands * passes && state.isAllBegun)
    }

    /// Two threads have each their end of the picture, and each makes most passes on the bands that it has taken.
    @Test func whoTakesABandKeepsIt() {
        let (bands, passes) = (60, 6)
        let threads = Mutex([[Int]](repeating: [], count: bands))
        BandPasses.run(bands: bands, passes: passes, threads: 2) { _, band, thread in
            threads.withLock { $0[band].append(thread) }
            usleep(100)
        }
        let owners = threads.withLock { $0.map { $0[0] } }
        #expect(owners == owners.sorted())
        let kept = threads.withLock { $0.reduce(0) { sum, own in sum + own.count { $0 == own[0] } } }
        #expect(kept > bands * passes * 3 / 4)
    }
}
