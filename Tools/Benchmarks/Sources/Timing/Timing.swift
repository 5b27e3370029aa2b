// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The milliseconds that work takes by a clock: by default the processor time of this thread, so that what other processes
/// take does not count.
public func milliseconds(on clock: clockid_t = CLOCK_THREAD_CPUTIME_ID, _ work: () throws -> Void) rethrows -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) * 1e-6
    }
    let start = now()
    try work()
    return now() - start
}

/// The value that a part of the values, 0 … 1, does not exceed. There must be values.
public func quantile(_ values: [Double], _ part: Double) -> Double {
    values.sorted()[Int((Double(values.count - 1) * part).rounded())]
}

/// The value in the middle. There must be values.
public func median(_ values: [Double]) -> Double { quantile(values, 0.5) }
