// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Which of some rows belongs to which of some columns, so that the sum of their gains is greatest.
///
/// No row and no column belongs to more than one, and pairs without gain stay apart. The columns' prices are raised along
/// the shortest way to a free one, row by row.
/// - Reference: Kuhn 1955, "The Hungarian method for the assignment problem"; Jonker and Volgenant 1987, "A shortest
///   augmenting path algorithm for dense and sparse linear assignment problems". Law: `AssignmentTests.noOtherIsBetter`.
struct Assignment {
    /// For each row the column that belongs to it, or `nil`.
    let columns: [Int?]

    /// The best assignment; gains are not negative, and zero where a pair cannot be.
    /// - Complexity: O(n³) for n rows or columns, whichever are more.
    init(gains: [[Double]]) {
        let columnCount = gains.first?.count ?? 0
        let size = max(gains.count, columnCount)
        func cost(_ row: Int, _ column: Int) -> Double {
            row < gains.count && column < columnCount ? -gains[row][column] : 0
        }
        var rowOfColumn = [Int](repeating: -1, count: size)
        var (rowPrices, columnPrices) = ([Double](repeating: 0, count: size), [Double](repeating: 0, count: size))
        for row in 0..<size {
            var way = ShortestWay(from: row, size: size)
            while let column = way.advance(rowOfColumn, { cost($0, $1) - rowPrices[$0] - columnPrices[$1] }) {
                guard rowOfColumn[column] < 0 else { continue }
                way.raise(&rowPrices, &columnPrices, rowOfColumn)
                way.reassign(&rowOfColumn, endingAt: column)
                break
            }
        }
        var columns = [Int?](repeating: nil, count: gains.count)
        for (column, row) in rowOfColumn.enumerated()
        where row >= 0 && row < gains.count && column < columnCount && gains[row][column] > 0 {
            columns[row] = column
        }
        self.columns = columns
    }
}

/// Dijkstra's search from a row without a column to a column without a row.
private struct ShortestWay {
    private let start: Int
    private var distances: [Double]
    private var rowBefore: [Int]
    private var isReached: [Bool]
    private var row: Int
    private var distance = 0.0

    init(from row: Int, size: Int) {
        start = row
        self.row = row
        distances = [Double](repeating: .infinity, count: size)
        rowBefore = [Int](repeating: row, count: size)
        isReached = [Bool](repeating: false, count: size)
    }

    /// Goes on to the nearest column that was not reached, which it gives.
    mutating func advance(_ rowOfColumn: [Int], _ reducedCost: (Int, Int) -> Double) -> Int? {
        var nearest: Int?
        for column in distances.indices where !isReached[column] {
            let length = distance + reducedCost(row, column)
            if length < distances[column] {
                distances[column] = length
                rowBefore[column] = row
            }
            if distances[column] < nearest.map({ distances[$0] }) ?? .infinity { nearest = column }
        }
        guard let nearest else { return nil }
        isReached[nearest] = true
        distance = distances[nearest]
        row = rowOfColumn[nearest]
        return nearest
    }

    /// Changes the prices so that the way costs nothing, and nothing costs less than that.
    func raise(_ rowPrices: inout [Double], _ columnPrices: inout [Double], _ rowOfColumn: [Int]) {
        rowPrices[start] += distance
        for column in distances.indices where isReached[column] {
            columnPrices[column] -= distance - distances[column]
            if rowOfColumn[column] >= 0 { rowPrices[rowOfColumn[column]] += distance - distances[column] }
        }
    }

    /// Gives each column on the way to the row before it.
    func reassign(_ rowOfColumn: inout [Int], endingAt last: Int) {
        var column = last
        while true {
            let row = rowBefore[column]
            let next = rowOfColumn.firstIndex(of: row)
            rowOfColumn[column] = row
            guard row != start, let next else { return }
            column = next
        }
    }
}
