// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import CFeatures
import Synchronization

/// An index's postings as lookups see them once targets were removed: theirs are nobody's, so that they take no vote and no
/// place from those that are left.
///
/// They are copied when the first picture is looked at, and not before: many targets may be removed in a row.
final class ShownPostings: Sendable {
    private let isShown: [Bool]
    private let postings = Mutex<[CFeaturesPosting]?>(nil)

    /// - Parameter isShown: of each target whether it is left.
    init(isShown: [Bool]) { self.isShown = isShown }

    /// The postings that take the place of an index's, the same number in the same order.
    func replacing(_ index: CFeaturesIndex) -> [CFeaturesPosting] {
        postings.withLock { postings in
            if let postings { return postings }
            var shown = Array(UnsafeBufferPointer(start: index.postings, count: Int(index.posting_count)))
            isShown.withUnsafeBufferPointer { isShown in
                for place in shown.indices {
                    let target = Int(shown[place].target)
                    if target < isShown.count, !isShown[target] { shown[place].target = Self.nobody }
                }
            }
            postings = shown
            return shown
        }
    }

    /// More than any number of a target: kernels pass over it.
    private static let nobody = UInt32.max
}
