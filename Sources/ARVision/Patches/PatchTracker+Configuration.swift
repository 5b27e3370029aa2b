// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension PatchTracker {
    /// How much work the tracker does, as `VNRequestTrackingLevel` names it.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        /// Looks as far as one and a half sizes of the box around where it was.
        case fast
        /// Looks two and a half sizes far, remembers more, and learns longer; takes about three times as long.
        case accurate
    }

    /// How the tracker works.
    public struct Configuration: Hashable, Sendable {
        /// How much work it does.
        public var level = Level.fast
        /// Below this confidence the patch is lost, 0 … 1; 0.3 as in Vision.
        public var lossThreshold = 0.3
        /// Whether the whole picture is searched where the patch is not around its last place. Without, it is found again
        /// only near where it was lost.
        public var searchesWholePicture = true

        /// What suits most patches.
        public init() {}
    }
}

/// What the levels differ by.
struct PatchEffort: Sendable {
    /// The side of the window that is looked at, in cells.
    let cells: Int
    /// The same, in sizes of the box.
    let span: Double
    /// How many pictures the filter is trained on.
    let exampleCount: Int
    /// How long it learns from each.
    let iterations: Int
    /// The most windows into which the whole picture is cut for one search.
    let searchWindowCount: Int

    init(_ level: PatchTracker.Level) {
        switch level {
        case .fast: (cells, span, exampleCount, iterations, searchWindowCount) = (32, 4, 4, 2, 40)
        case .accurate: (cells, span, exampleCount, iterations, searchWindowCount) = (48, 6, 5, 3, 60)
        }
    }
}
