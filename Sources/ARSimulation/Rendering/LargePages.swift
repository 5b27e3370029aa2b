// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Memory for much that is read here and there: neighbouring rows of a large texture lie on pages of their own, so that
/// with small pages the processor looks up an address for nearly every texel.
enum LargePages {
    private static let bytesPerPage = 1 << 21

    /// Uninitialised memory, to be deallocated as any other; in large pages if it fills one and the system has them.
    static func allocate<Element: BitwiseCopyable>(capacity: Int) -> UnsafeMutablePointer<Element> {
        let byteCount = capacity * MemoryLayout<Element>.stride
        guard byteCount >= bytesPerPage else { return .allocate(capacity: capacity) }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: bytesPerPage)
        // A wish: where it is refused, everything works as well, only slower.
        _ = madvise(memory, byteCount, MADV_HUGEPAGE)
        return memory.bindMemory(to: Element.self, capacity: capacity)
    }
}
