// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Tells how far work on the frames of a session has come, every few hundred frames.
struct FrameProgress: Sendable {
    private let words: String
    private let total: Int?

    init(_ words: String, total: Int?) {
        self.words = words
        self.total = total
    }

    /// Tells it, if it is time.
    func show(_ frameCount: Int) {
        guard frameCount % 300 == 0 else { return }
        tell("\(words) \(frameCount)\(total.map { " of \($0)" } ?? "") frames")
    }
}

/// Writes a line to the standard error stream.
func tell(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
