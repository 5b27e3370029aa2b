// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Some of the cells of a rectangular grid, a bit each: whole rows are grown and joined by a few machine words.
struct CellSet: Hashable, Sendable {
    let columns: Int
    let rows: Int
    /// Row by row, the first column in the lowest bit. Bits beyond the last column are zero.
    private var words: [UInt64]
    private var wordsByRow: Int { Self.wordCount(of: columns) }

    private static func wordCount(of columns: Int) -> Int { (columns + 63) / 64 }

    /// No cell of a grid.
    init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
        words = [UInt64](repeating: 0, count: Self.wordCount(of: columns) * rows)
    }

    /// Whether a cell belongs to the set; one outside the grid does not.
    subscript(column: Int, row: Int) -> Bool {
        get {
            guard column >= 0, row >= 0, column < columns, row < rows else { return false }
            return words[row * wordsByRow + column / 64] >> UInt64(column % 64) & 1 == 1
        }
        set {
            precondition(
                column >= 0 && row >= 0 && column < columns && row < rows,
                "there is no cell (\(column), \(row)) among \(columns) columns and \(rows) rows")
            let (word, bit) = (row * wordsByRow + column / 64, UInt64(1) << UInt64(column % 64))
            if newValue { words[word] |= bit } else { words[word] &= ~bit }
        }
    }

    /// Adds neighbouring cells of one row.
    mutating func insert(_ columns: Range<Int>, inRow row: Int) {
        for column in columns { self[column, row] = true }
    }

    /// How many cells there are.
    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// The cells that are not in the set.
    var complement: CellSet {
        var others = self
        for index in words.indices { others.words[index] = ~words[index] & validBits(ofWord: index % wordsByRow) }
        return others
    }

    /// The cells of both sets, which must be of the same grid.
    func intersection(_ other: CellSet) -> CellSet { joined(with: other) { $0 & $1 } }

    /// Adds the cells of another set of the same grid.
    mutating func unite(with other: CellSet) { self = joined(with: other) { $0 | $1 } }

    /// The cells of this set that are not in another one of the same grid.
    func subtracting(_ other: CellSet) -> CellSet { joined(with: other) { $0 & ~$1 } }

    private func joined(with other: CellSet, _ join: (UInt64, UInt64) -> UInt64) -> CellSet {
        precondition(columns == other.columns && rows == other.rows, "the sets are of different grids")
        var result = self
        for index in words.indices { result.words[index] = join(words[index], other.words[index]) }
        return result
    }

    /// The cells of a row in runs of neighbours, from the first column on.
    func runs(inRow row: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var column = 0
        while let start = next(from: column, inRow: row, belongs: true) {
            column = next(from: start, inRow: row, belongs: false) ?? columns
            runs.append(start..<column)
        }
        return runs
    }

    /// The first column from one on whose cell belongs to the set, or does not.
    private func next(from column: Int, inRow row: Int, belongs: Bool) -> Int? {
        var start = column
        while start < columns {
            let word = words[row * wordsByRow + start / 64]
            let ahead = (belongs ? word : ~word) >> UInt64(start % 64)
            if ahead != 0 {
                let found = start + ahead.trailingZeroBitCount
                return found < columns ? found : nil
            }
            start = (start / 64 + 1) * 64
        }
        return nil
    }

    /// The cells at most that many cells from one of the set, by steps of 5 to the side, 7 across a corner and 11 for a knight's
    /// move, a fifth of a cell each.
    ///
    /// - Reference: Borgefors 1986, "Distance transformations in digital images": within 2 % of the Euclidean distance.
    ///   Law: `CellSetTests.cellsWithinARadius`.
    func grown(by radius: Int) -> CellSet {
        var result = CellSet(columns: columns, rows: rows)
        // The farther up or down, the fewer cells aside: from the farthest row on, rows only become wider.
        var widened = (cells: self, by: 0)
        for distance in (0...max(0, radius)).reversed() {
            let width = Self.greatestWidth(at: distance, within: 5 * radius)
            widened.cells.widen(from: widened.by, to: width)
            widened.by = width
            result.unite(with: widened.cells, movedBy: distance)
            if distance > 0 { result.unite(with: widened.cells, movedBy: -distance) }
        }
        return result
    }

    /// The set without what is nowhere wider than twice that many cells (morphological opening: Serra 1982). Law:
    /// `CellSetTests.openingAndClosing`.
    func opened(by radius: Int) -> CellSet { complement.grown(by: radius).complement.grown(by: radius) }

    /// The set with the gaps between its cells that are nowhere wider (closing).
    func closed(by radius: Int) -> CellSet { grown(by: radius).complement.grown(by: radius).complement }

    /// How many columns aside a cell lies at most that is that many rows away and no farther than so many steps' lengths.
    private static func greatestWidth(at rows: Int, within length: Int) -> Int {
        var width = 0
        while stepLength(width + 1, rows) <= length { width += 1 }
        return width
    }

    /// The length of the shortest way to a cell so many columns and rows away.
    private static func stepLength(_ columns: Int, _ rows: Int) -> Int {
        let (long, short) = (max(columns, rows), min(columns, rows))
        return long >= 2 * short ? 5 * long + short : 4 * long + 3 * short
    }

    /// Adds the neighbours in the rows of a set that has been widened already.
    private mutating func widen(from former: Int, to width: Int) {
        var former = former
        while former < width {
            // What is moved that far still touches what is not, also where the grid's edge has cut one side off.
            let step = min(width - former, former + 1, 63)
            widen(by: UInt64(step))
            former += step
        }
    }

    /// Adds the cells that lie that many columns, 1 to 63, to the left of one and to the right.
    private mutating func widen(by step: UInt64) {
        let (wordsByRow, back) = (wordsByRow, 64 - step)
        let valid = (0..<wordsByRow).map(validBits)
        words.withUnsafeMutableBufferPointer { words in
            for row in 0..<rows {
                var former: UInt64 = 0
                for place in 0..<wordsByRow {
                    let index = row * wordsByRow + place
                    let word = words[index]
                    let next = place + 1 < wordsByRow ? words[index + 1] : 0
                    words[index] =
                        (word | word << step | former >> back | word >> step | next << back) & valid[place]
                    former = word
                }
            }
        }
    }

    /// Adds the cells of another set of the same grid, moved by that many rows.
    private mutating func unite(with other: CellSet, movedBy distance: Int) {
        let offset = distance * wordsByRow
        let targets = max(0, offset)..<max(max(0, offset), min(words.count, words.count + offset))
        words.withUnsafeMutableBufferPointer { words in
            other.words.withUnsafeBufferPointer { others in
                for index in targets { words[index] |= others[index - offset] }
            }
        }
    }

    /// The bits of a row's word that stand for cells.
    private func validBits(ofWord word: Int) -> UInt64 {
        let rest = columns - 64 * word
        return rest >= 64 ? ~0 : (1 << UInt64(rest)) - 1
    }
}
