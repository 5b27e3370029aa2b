// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARSensing
import Testing

@Suite struct TimestampTests {
    @Test func spansAreExactFarFromTheOrigin() {
        let start = Timestamp(nanoseconds: 1_403_715_273_262_142_976)
        let end = start.advanced(byNanoseconds: 1)
        #expect(end > start)
        #expect(end.nanoseconds(since: start) == 1)
        #expect(end.seconds(since: start) == 1e-9)
        #expect(start.seconds(since: end) == -1e-9)
    }
}
