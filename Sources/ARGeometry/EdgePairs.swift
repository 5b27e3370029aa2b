// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// All pairs of segments whose bounding boxes touch: what algorithms on outlines look at closely.
struct EdgePairs {
    private let segments: [Segment2]
    private let fromLeftToRight: [Int]

    init(_ segments: [Segment2]) {
        self.segments = segments
        fromLeftToRight = segments.indices.sorted { (segments[$0].minimumX, $0) < (segments[$1].minimumX, $1) }
    }

    /// Calls `body` with the indices of each pair once, until it returns false; true when it never did.
    ///
    /// A vertical line sweeps to the right and keeps the segments that it crosses.
    /// - Complexity: O(n log n + n k), with k the segments that a vertical line crosses.
    func allSatisfy(_ body: (Int, Int) -> Bool) -> Bool {
        var crossed: [Int] = []
        for index in fromLeftToRight {
            let segment = segments[index]
            crossed.removeAll { segments[$0].maximumX < segment.minimumX }
            for other in crossed where segments[other].overlapsVertically(segment) {
                guard body(other, index) else { return false }
            }
            crossed.append(index)
        }
        return true
    }
}

extension Segment2 {
    fileprivate var minimumX: Double { min(start.x, end.x) }
    fileprivate var maximumX: Double { max(start.x, end.x) }

    fileprivate func overlapsVertically(_ other: Segment2) -> Bool {
        min(start.y, end.y) <= max(other.start.y, other.end.y) && min(other.start.y, other.end.y) <= max(start.y, end.y)
    }
}
