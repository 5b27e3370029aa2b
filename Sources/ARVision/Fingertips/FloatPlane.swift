// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension [Float] {
    /// The least value of the 5 × 5 about each place of a plane.
    func leastOfFive(width: Int, height: Int) -> [Float] {
        let rows = plane { from, to in
            for start in stride(from: 0, to: width * height, by: width) {
                func least(_ x: Int) -> Float {
                    (Swift.max(x - 2, 0)...Swift.min(x + 2, width - 1)).reduce(.infinity) {
                        Swift.min($0, from[start + $1])
                    }
                }
                for x in 0..<Swift.min(2, width) { to[start + x] = least(x) }
                for x in Swift.min(2, width)..<Swift.max(width - 2, Swift.min(2, width)) {
                    let at = start &+ x
                    let sides = Swift.min(
                        Swift.min(from[at &- 2], from[at &- 1]), Swift.min(from[at &+ 1], from[at &+ 2]))
                    to[at] = Swift.min(from[at], sides)
                }
                for x in Swift.max(width - 2, Swift.min(2, width))..<width { to[start + x] = least(x) }
            }
        }
        return rows.plane { from, to in
            for y in 0..<height {
                let start = y * width
                for x in start..<start + width { to[x] = from[x] }
                for other in Swift.max(y - 2, 0)...Swift.min(y + 2, height - 1) where other != y {
                    let offset = (other - y) * width
                    for x in start..<start + width { to[x] = Swift.min(to[x], from[x &+ offset]) }
                }
            }
        }
    }

    /// Each value of a plane averaged with its neighbours; at the border, with those that there are.
    func averagedOverThree(width: Int, height: Int) -> [Float] {
        guard width >= 3, height >= 3 else { return self }
        let rows = plane { from, to in
            for start in stride(from: 0, to: width * height, by: width) {
                let last = start + width - 1
                to[start] = (from[start] + from[start + 1]) / 2
                for at in start + 1..<last { to[at] = (from[at &- 1] + from[at] + from[at &+ 1]) * (1 / 3) }
                to[last] = (from[last - 1] + from[last]) / 2
            }
        }
        return rows.plane { from, to in
            let last = (height - 1) * width
            for at in 0..<width { to[at] = (from[at] + from[at &+ width]) / 2 }
            for at in width..<last { to[at] = (from[at &- width] + from[at] + from[at &+ width]) * (1 / 3) }
            for at in last..<last + width { to[at] = (from[at &- width] + from[at]) / 2 }
        }
    }

    /// 1 where a value exceeds a threshold, 0 elsewhere.
    func mask(above threshold: Float) -> [UInt8] {
        withUnsafeBufferPointer { from in
            [UInt8](unsafeUninitializedCapacity: count) { mask, initialized in
                for at in 0..<from.count { mask[at] = from[at] > threshold ? 1 : 0 }
                initialized = from.count
            }
        }
    }

    /// A plane of the same size, every place of which is written from this one.
    private func plane(_ write: (UnsafeBufferPointer<Float>, UnsafeMutableBufferPointer<Float>) -> Void) -> [Float] {
        withUnsafeBufferPointer { from in
            [Float](unsafeUninitializedCapacity: count) { to, initialized in
                write(from, to)
                initialized = count
            }
        }
    }
}
