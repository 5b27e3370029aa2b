// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Timing

/// A table in Markdown, its columns as wide as what stands in them.
struct MarkdownTable {
    private var rows: [[String]]

    init(columns: [String]) { rows = [columns] }

    mutating func append(_ row: [String]) {
        precondition(row.count == rows[0].count, "\(row.count) cells for \(rows[0].count) columns")
        rows.append(row)
    }

    var text: String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) }.joined(separator: "|") + "|"
        return ([line(rows[0]), rule] + rows.dropFirst().map(line)).joined(separator: "\n")
    }
}

/// The mean of a list and, behind it, its worst value; a dash where there is none.
func meanAndWorst(_ values: [Double], decimals: Int) -> String {
    guard let worst = values.max() else { return "–" }
    return "\(decimal(values.mean, decimals)) (\(decimal(worst, decimals)))"
}

/// A number with so many decimals; a dash for none.
func decimal(_ value: Double?, _ decimals: Int) -> String {
    value.map { String(format: "%.\(decimals)f", $0) } ?? "–"
}

/// A part of the whole, in percent.
func percent(_ part: Double?) -> String { part.map { String(format: "%.0f %%", $0 * 100) } ?? "–" }

extension [Double] {
    /// The arithmetic mean; of nothing, no number.
    var mean: Double { reduce(0, +) / Double(count) }

    /// The value that a part of the values does not exceed, or `nil` of an empty list.
    func quantile(_ part: Double) -> Double? {
        isEmpty ? nil : Timing.quantile(self, part)
    }
}

/// Radians in degrees.
func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
