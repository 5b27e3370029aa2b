// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

extension [Float] {
    /// The least value of the 5 × 5 about each place of a plane.
    func leastOfFive(width: Int, height: Int) -> [Float] {
        var (rows, result) = (self, self)
        for y in 0..<height {
            let start = y * width
            for x in 0..<width {
                var least = self[start + x]
                for a in Swift.max(x - 2, 0)...Swift.min(x + 2, width - 1) { least = Swift.min(least, self[start + a]) }
                rows[start + x] = least
            }
        }
        for y in 0..<height {
            for b in Swift.max(y - 2, 0)...Swift.min(y + 2, height - 1) where b != y {
                for x in 0..<width { result[y * width + x] = Swift.min(result[y * width + x], rows[b * width + x]) }
            }
            for x in 0..<width { result[y * width + x] = Swift.min(result[y * width + x], rows[y * width + x]) }
        }
        return result
    }

    /// Each value of a plane averaged with its neighbours; at the border, with those that there are.
    func averagedOverThree(width: Int, height: Int) -> [Float] {
        guard width >= 3, height >= 3 else { return self }
        var rows = self
        for y in 0..<height {
            let start = y * width
            rows[start] = (self[start] + self[start + 1]) / 2
            for at in start + 1..<start + width - 1 { rows[at] = (self[at - 1] + self[at] + self[at + 1]) * (1 / 3) }
            rows[start + width - 1] = (self[start + width - 2] + self[start + width - 1]) / 2
        }
        var result = rows
        for x in 0..<width {
            result[x] = (rows[x] + rows[x + width]) / 2
            result[(height - 1) * width + x] = (rows[(height - 2) * width + x] + rows[(height - 1) * width + x]) / 2
        }
        for at in width..<(height - 1) * width {
            result[at] = (rows[at - width] + rows[at] + rows[at + width]) * (1 / 3)
        }
        return result
    }
}
