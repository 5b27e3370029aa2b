// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A part of a picture, in parts of its width and height from the upper left.
public struct PictureRegion: Hashable, Sendable {
    /// From the left.
    public var x: Double
    /// From the top.
    public var y: Double
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double
}

/// How much there is to recognise a picture by in each of its cells.
struct PictureCells: Sendable {
    /// Cells along each side.
    static let side = 6

    /// What each cell's features weigh, row after row: each its contrast, shared among those that look the same.
    let weights: [Double]

    init(_ structure: PictureStructure) {
        var weights = [Double](repeating: 0, count: Self.side * Self.side)
        for feature in structure.features {
            let column = min(Int(feature.place.x * Double(Self.side)), Self.side - 1)
            let row = min(Int(feature.place.y * Double(Self.side)), Self.side - 1)
            weights[row * Self.side + column] += feature.contrast / Double(1 + feature.twinCount)
        }
        self.weights = weights
    }

    /// From how much on a cell is not empty: half a clear corner.
    private static let leastWeight = 0.3

    /// Which part of the cells is not empty.
    var coverage: Double { Double(weights.count { $0 >= Self.leastWeight }) / Double(weights.count) }

    /// The empty parts of at least four cells, the largest first; none overlaps another.
    var emptyRegions: [PictureRegion] {
        var isOpen = weights.map { $0 < Self.leastWeight }
        var regions: [PictureRegion] = []
        while let block = Self.largestBlock(in: isOpen), block.columns.count * block.rows.count >= 4 {
            for row in block.rows {
                for column in block.columns { isOpen[row * Self.side + column] = false }
            }
            let unit = 1 / Double(Self.side)
            regions.append(
                PictureRegion(
                    x: Double(block.columns.lowerBound) * unit, y: Double(block.rows.lowerBound) * unit,
                    width: Double(block.columns.count) * unit, height: Double(block.rows.count) * unit))
        }
        return regions
    }

    private typealias Block = (columns: Range<Int>, rows: Range<Int>)

    /// The largest block of open cells; of equally large ones the first from the top, then from the left.
    private static func largestBlock(in isOpen: [Bool]) -> Block? {
        var best: Block?
        for top in 0..<side {
            for left in 0..<side where isOpen[top * side + left] {
                var right = side
                for bottom in top..<side {
                    right = (left..<right).first { !isOpen[bottom * side + $0] } ?? right
                    let area = (right - left) * (bottom - top + 1)
                    if area > (best.map { $0.columns.count * $0.rows.count } ?? 0) {
                        best = (left..<right, top..<(bottom + 1))
                    }
                }
            }
        }
        return best
    }
}
