// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A bar on the terminal's standard error; silent when that is no terminal.
struct ProgressBar {
    private let title: String
    private let total: Int?
    private let isTerminal = isatty(STDERR_FILENO) == 1
    private var shown = -1

    /// A bar for that many steps, or a counter when their number is not known beforehand.
    init(_ title: String, total: Int?) {
        self.title = title
        self.total = total
    }

    /// Shows how many steps are done.
    mutating func show(_ done: Int) { show(done, of: total) }

    /// Shows how many of all steps are done; repeats nothing that is on the screen already.
    mutating func show(_ done: Int, of total: Int?) {
        guard isTerminal else { return }
        guard let total, total > 0 else {
            if done % 50 == 0 { write("\r\(title) \(done)") }
            return
        }
        let percent = min(100, 100 * done / total)
        guard percent != shown else { return }
        shown = percent
        let filled = 30 * percent / 100
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
        write("\r\(title) \(bar) \(percent) %")
    }

    /// Takes the bar away.
    func finish() {
        if isTerminal { write("\r\u{1B}[2K") }
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
