// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import AREvaluation

@Suite struct AssignmentTests {
    /// The greatest sum of gains, by trying all assignments.
    private func best(_ gains: [[Double]], row: Int = 0, taken: Set<Int> = []) -> Double {
        guard row < gains.count else { return 0 }
        var best = best(gains, row: row + 1, taken: taken)
        for column in gains[row].indices where !taken.contains(column) {
            best = max(best, gains[row][column] + self.best(gains, row: row + 1, taken: taken.union([column])))
        }
        return best
    }

    @Test(arguments: 0..<60) func noOtherIsBetter(number: Int) {
        var random = TestRandom(case: number)
        let (rows, columns) = (Int.random(in: 0...5, using: &random), Int.random(in: 0...5, using: &random))
        var gains: [[Double]] = []
        for _ in 0..<rows {
            gains.append((0..<columns).map { _ in Bool.random(using: &random) ? random.uniform(0...1) : 0 })
        }
        let assignment = Assignment(gains: gains).columns
        #expect(assignment.count == rows)
        let taken = assignment.compactMap { $0 }
        #expect(Set(taken).count == taken.count)
        let sum = assignment.enumerated().reduce(0) { sum, pair in
            sum + (pair.element.map { gains[pair.offset][$0] } ?? 0)
        }
        expectClose(sum, best(gains), tolerance: 1e-12)
        for (row, column) in assignment.enumerated() { #expect(column.map { gains[row][$0] > 0 } ?? true) }
    }
}
