// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension [UInt8] {
    /// A plane of zeros and ones without the ones that no square of 3 × 3 ones covers.
    func opened(width: Int, height: Int) -> [UInt8] {
        combined(width: width, height: height, &).combined(width: width, height: height, |)
    }

    /// A plane of zeros and ones with those that are next to a one, also at a corner.
    func widened(width: Int, height: Int) -> [UInt8] { combined(width: width, height: height, |) }

    /// Each value combined with its eight neighbours; the border, with those that there are.
    @inline(__always)
    private func combined(width: Int, height: Int, _ combine: (UInt8, UInt8) -> UInt8) -> [UInt8] {
        guard width >= 2, height >= 2 else { return self }
        let rows = withUnsafeBufferPointer { from in
            [UInt8](unsafeUninitializedCapacity: count) { to, initialized in
                for start in stride(from: 0, to: width * height, by: width) {
                    let last = start + width - 1
                    to[start] = combine(from[start], from[start + 1])
                    for at in start + 1..<last { to[at] = combine(combine(from[at &- 1], from[at]), from[at &+ 1]) }
                    to[last] = combine(from[last - 1], from[last])
                }
                initialized = width * height
            }
        }
        return rows.withUnsafeBufferPointer { from in
            [UInt8](unsafeUninitializedCapacity: count) { to, initialized in
                for at in 0..<width { to[at] = combine(from[at], from[at &+ width]) }
                for at in width..<width * (height - 1) {
                    to[at] = combine(combine(from[at &- width], from[at]), from[at &+ width])
                }
                for at in width * (height - 1)..<width * height { to[at] = combine(from[at &- width], from[at]) }
                initialized = width * height
            }
        }
    }
}
