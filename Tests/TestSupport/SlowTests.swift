// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

extension Tag {
    /// A test that takes seconds. `Tools/test` runs it; `swift test` alone leaves it out.
    @Tag public static var slow: Self
}

extension Trait where Self == ConditionTrait {
    /// The condition of a slow test: the environment's `ARSIM_SLOW_TESTS` is set, as `Tools/test` does.
    public static var whenSlowTestsRun: Self {
        .enabled(if: ProcessInfo.processInfo.environment["ARSIM_SLOW_TESTS"] != nil, "slow: Tools/test runs it")
    }
}
