// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// When each row of a picture is exposed: all at once by a global shutter, one after the other by a rolling one.
struct ShutterTiming: Hashable, Sendable {
    /// The number of rows, at least two.
    let rowCount: Int
    /// The time from the first row's exposure to the last row's; zero for a global shutter.
    let readoutSeconds: Double

    /// The time from a frame's instant, which is the middle of the exposure of the middle row, to the middle of the
    /// exposure of a row.
    ///
    /// Rows count from zero; between two rows the time is between theirs.
    func offsetSeconds(ofRow row: Double) -> Double {
        readoutSeconds * (row / Double(rowCount - 1) - 0.5)
    }
}
