// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A picture's parts: windows of 9 × 9 pixels, 8 apart. A print is believed when its parts are seen where they belong, so parts
/// tell what two pictures have in common.
struct PictureParts: Sendable {
    /// Windows, each about its mean and of length one, row after row.
    private let windows: [[Float]]
    /// Which windows show anything.
    private let isStructured: [Bool]

    private static let (reach, cell) = (4, 8)
    /// From this correlation on a part looks the same.
    private static let leastCorrelation: Float = 0.7
    /// What deviates less from its mean, in grey values, is noise; or by this share of what deviates most.
    private static let (leastDeviation, leastShare): (Float, Float) = (3, 0.15)

    init(of plane: GrayPlane) {
        let side = 2 * Self.reach + 1
        var (windows, deviations): ([[Float]], [Float]) = ([], [])
        let rows = stride(from: Self.cell / 2, to: plane.size.height, by: Self.cell)
        let columns = stride(from: Self.cell / 2, to: plane.size.width, by: Self.cell)
        for y in rows {
            for x in columns {
                var window: [Float] = []
                window.reserveCapacity(side * side)
                for v in (y - Self.reach)...(y + Self.reach) {
                    for u in (x - Self.reach)...(x + Self.reach) {
                        window.append(
                            plane[min(max(u, 0), plane.size.width - 1), min(max(v, 0), plane.size.height - 1)])
                    }
                }
                let mean = window.reduce(0, +) / Float(window.count)
                let length = window.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
                windows.append(window.map { length > 0 ? ($0 - mean) / length : 0 })
                deviations.append(length / Float(side))
            }
        }
        let least = max(Self.leastDeviation, Self.leastShare * (deviations.max() ?? 0))
        (self.windows, isStructured) = (windows, deviations.map { $0 > least })
    }

    /// Which part of the picture shows anything, 0 … 1.
    var extent: Double { Double(isStructured.count { $0 }) / Double(max(isStructured.count, 1)) }

    /// Which share of the parts that show anything look the same in a picture of the same size; 0 without any.
    func shareSeen(in other: PictureParts) -> Double {
        let structured = windows.indices.filter { isStructured[$0] }
        let seen = structured.count { Self.correlation(windows[$0], other.windows[$0]) >= Self.leastCorrelation }
        return Double(seen) / Double(max(structured.count, 1))
    }

    /// Which share of the parts that one or the other shows are the same in both.
    func likeness(to other: PictureParts) -> Double {
        var (same, all) = (0, 0)
        for index in windows.indices where isStructured[index] || other.isStructured[index] {
            all += 1
            if isStructured[index], Self.correlation(windows[index], other.windows[index]) >= Self.leastCorrelation {
                same += 1
            }
        }
        return all > 0 ? Double(same) / Double(all) : 0
    }

    private static func correlation(_ a: [Float], _ b: [Float]) -> Float {
        var sum: Float = 0
        for index in a.indices { sum += a[index] * b[index] }
        return sum
    }
}

/// A picture in the four ways in which it may be taken for another, or for itself: a square, turned by quarters.
struct PictureTurns: Sendable {
    private let turns: [PictureParts]

    private static let side = 96

    init(of picture: GrayPlane) {
        var square = Self.square(picture)
        var turns: [PictureParts] = []
        for _ in 0..<4 {
            turns.append(PictureParts(of: square))
            square = square.turnedByQuarter
        }
        self.turns = turns
    }

    /// Which share of the parts is the same after that many quarter turns.
    func likeness(afterQuarterTurns count: Int) -> Double { turns[0].likeness(to: turns[count & 3]) }

    /// Which share of the parts of two pictures is the same, in the quarter turn in which most are.
    func likeness(to other: GrayPlane) -> Double {
        let parts = PictureParts(of: Self.square(other))
        return turns.map { $0.likeness(to: parts) }.max() ?? 0
    }

    private static func square(_ picture: GrayPlane) -> GrayPlane {
        picture.enlarged(toAtLeast: side).resampled(to: ImageSize(width: side, height: side))
            .blurred([6.0 / 16, 4.0 / 16, 1.0 / 16])
    }
}

extension GrayPlane {
    /// The plane with each value repeated until no side is shorter.
    fileprivate func enlarged(toAtLeast side: Int) -> GrayPlane {
        let factor = (side + min(size.width, size.height) - 1) / max(min(size.width, size.height), 1)
        guard factor > 1 else { return self }
        let target = ImageSize(width: size.width * factor, height: size.height * factor)
        return GrayPlane(
            size: target,
            values: (0..<target.height).flatMap { y in (0..<target.width).map { self[$0 / factor, y / factor] } })
    }

    /// A square plane, turned by a quarter.
    fileprivate var turnedByQuarter: GrayPlane {
        let last = size.width - 1
        return GrayPlane(
            size: size, values: (0..<size.height).flatMap { y in (0..<size.width).map { self[y, last - $0] } })
    }
}
