// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// The longest stretch of the picture's border that a region covers.
struct BorderStretch {
    let pixels: [Int32]
    /// How many of the region's pixels lie anywhere on the border.
    let totalCount: Int
    /// How far its pixels reach: the greatest distance of any of them from its first, which is that of its ends where it is
    /// straight. No arm comes in over more than half of the border; such a stretch is infinitely wide.
    let width: Double

    /// Gaps of so many pixels do not end a stretch.
    private static let largestGap = 6

    init(of pixels: [Int32], width: Int, height: Int) {
        // Places along the border, clockwise from the top left.
        let places: [(place: Int, pixel: Int32)] = pixels.compactMap {
            let (x, y) = (Int($0) % width, Int($0) / width)
            if y == 0 { return (x, $0) }
            if x == width - 1 { return (width + y, $0) }
            if y == height - 1 { return (width + height + width - 1 - x, $0) }
            return x == 0 ? (2 * width + height + height - 1 - y, $0) : nil
        }
        .sorted { $0.place < $1.place }
        totalCount = places.count
        var stretches: [[Int32]] = []
        var last = -2 * Self.largestGap
        for (place, pixel) in places {
            if place - last > Self.largestGap { stretches.append([]) }
            stretches[stretches.count - 1].append(pixel)
            last = place
        }
        if stretches.count > 1, let first = places.first, first.place + 2 * (width + height) - last <= Self.largestGap {
            stretches[0] = stretches.removeLast() + stretches[0]
        }
        self.pixels = stretches.max { $0.count < $1.count } ?? []
        guard let first = self.pixels.first.map(Int.init) else {
            self.width = 0
            return
        }
        guard self.pixels.count <= width + height else {
            self.width = .infinity
            return
        }
        let farthest = self.pixels.reduce(0) { farthest, pixel in
            let (across, down) = (first % width - Int(pixel) % width, first / width - Int(pixel) / width)
            return max(farthest, across * across + down * down)
        }
        self.width = Double(farthest).squareRoot() + 1
    }
}
