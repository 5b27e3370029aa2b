// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// How much of each pixel a figure covers, 0…1.
///
/// Each row of pixels is crossed by 16 lines, along which the covered length is exact: upright edges are exact, level
/// ones are off by at most 1/32. Only sums, products and square roots of doubles are taken: the same path gives the same
/// numbers on every machine.
struct Coverage: Hashable, Sendable {
    /// Columns and rows.
    let size: ImageSize
    /// Row after row.
    private(set) var values: [Float]

    private static let linesPerRow = 16

    /// The coverage of a path in pixels, where pixel (0, 0) reaches from 0 to 1; by the non-zero rule.
    init(of path: VectorPath, size: ImageSize) {
        self.size = size
        values = [Float](repeating: 0, count: size.width * size.height)
        let crossings = Self.crossings(of: path, size: size)
        var first = 0
        while first < crossings.count {
            let line = crossings[first].line
            var winding = 0
            var index = first
            while index < crossings.count, crossings[index].line == line {
                winding += crossings[index].winding
                if winding != 0, index + 1 < crossings.count, crossings[index + 1].line == line {
                    cover(crossings[index].x, crossings[index + 1].x, row: line / Self.linesPerRow)
                }
                index += 1
            }
            first = index
        }
    }

    /// An edge that crosses a line downwards (+1) or upwards (−1).
    private struct Crossing {
        let line: Int
        let x: Double
        let winding: Int
    }

    /// Where the path crosses the lines, in the order in which they are read.
    private static func crossings(of path: VectorPath, size: ImageSize) -> [Crossing] {
        let lines = Double(linesPerRow)
        let lineCount = size.height * linesPerRow
        var crossings: [Crossing] = []
        for points in path.polylines(tolerance: 0.05) {
            let following = points.dropFirst() + points.prefix(1)
            for (start, end) in zip(points, following) where start.y != end.y {
                let (top, bottom) = start.y < end.y ? (start, end) : (end, start)
                // Line k lies at (k + ½) / 16; it belongs to the edge when top ≤ y < bottom.
                let first = (top.y * lines - 0.5).rounded(.up).clamped(to: 0...Double(lineCount))
                let last = (bottom.y * lines - 0.5).rounded(.up).clamped(to: 0...Double(lineCount))
                let slope = (bottom.x - top.x) / (bottom.y - top.y)
                for line in Int(first)..<max(Int(first), Int(last)) {
                    let y = (Double(line) + 0.5) / lines
                    crossings.append(
                        Crossing(line: line, x: top.x + (y - top.y) * slope, winding: start.y < end.y ? 1 : -1))
                }
            }
        }
        return crossings.sorted { ($0.line, $0.x) < ($1.line, $1.x) }
    }

    /// Adds a line's piece from one x to another.
    private mutating func cover(_ start: Double, _ end: Double, row: Int) {
        let left = start.clamped(to: 0...Double(size.width))
        let right = end.clamped(to: 0...Double(size.width))
        guard left < right else { return }
        let share = 1 / Float(Self.linesPerRow)
        let firstOfRow = row * size.width
        let (first, last) = (Int(left), min(Int(right), size.width - 1))
        if first == last {
            values[firstOfRow + first] += share * Float(right - left)
        } else {
            values[firstOfRow + first] += share * Float(Double(first + 1) - left)
            for column in (first + 1)..<last { values[firstOfRow + column] += share }
            values[firstOfRow + last] += share * Float(right - Double(last))
        }
    }
}

extension Coverage {
    /// The part of both.
    func intersection(_ other: Coverage) -> Coverage {
        var result = self
        for index in values.indices { result.values[index] *= other.values[index] }
        return result
    }
}

extension Double {
    fileprivate func clamped(to range: ClosedRange<Double>) -> Double {
        Swift.min(Swift.max(self, range.lowerBound), range.upperBound)
    }
}
