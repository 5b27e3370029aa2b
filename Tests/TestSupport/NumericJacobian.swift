// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Testing

/// The columns of a function's derivative: entry i is ∂f/∂(coordinate i).
///
/// Central differences with one step of Richardson's extrapolation, (4 D(h/2) − D(h)) / 3: the error falls with h⁴, so
/// that h = 1e-3 leaves about 1e-12 of both truncation and rounding for functions of unit scale. `nil` where the
/// function is undefined within `step` of the point.
public func numericJacobian<Input: Coordinates, Output: Coordinates>(
    of function: (Input) -> Output?, at point: Input, step: Double = 1e-3
) -> [[Double]]? {
    var columns: [[Double]] = []
    for index in point.coordinates.indices {
        func centralDifference(_ h: Double) -> [Double]? {
            var ahead = point.coordinates
            var behind = point.coordinates
            ahead[index] += h
            behind[index] -= h
            guard
                let after = function(Input(coordinates: ahead)), let before = function(Input(coordinates: behind))
            else { return nil }
            // The step that was taken, after rounding.
            let span = ahead[index] - behind[index]
            return zip(after.coordinates, before.coordinates).map { ($0 - $1) / span }
        }
        guard let coarse = centralDifference(step), let fine = centralDifference(step / 2) else { return nil }
        columns.append(zip(coarse, fine).map { (4 * $1 - $0) / 3 })
    }
    return columns
}

/// Expects the analytic columns to be the derivative of the function at the point.
///
/// Each entry may be off by `tolerance` times the largest magnitude in its column (at least 1). The first entry that
/// is off further is printed with its place, its value and the numeric one.
/// - Parameter columns: ∂f/∂(coordinate i), one entry for each coordinate of the point.
public func expectJacobian<Input: Coordinates, Output: Coordinates, Column: Coordinates>(
    _ columns: [Column], of function: (Input) -> Output?, at point: Input,
    step: Double = 1e-3, tolerance: Double = 1e-9,
    _ comment: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
    guard let numeric = numericJacobian(of: function, at: point, step: step) else {
        Issue.record(
            "\(comment()) the function is undefined within \(step) of \(point)", sourceLocation: sourceLocation)
        return
    }
    guard columns.count == numeric.count else {
        Issue.record(
            "\(comment()) has \(columns.count) columns for \(numeric.count) coordinates", sourceLocation: sourceLocation
        )
        return
    }
    for (column, (analytic, numeric)) in zip(columns.map(\.coordinates), numeric).enumerated() {
        let scale = max(1, numeric.map { abs($0) }.max() ?? 1)
        for row in numeric.indices {
            guard row < analytic.count, abs(analytic[row] - numeric[row]) <= tolerance * scale else {
                let found = row < analytic.count ? "\(analytic[row])" : "nothing"
                Issue.record(
                    """
                    \(comment()) at row \(row), column \(column): analytic \(found), numeric \(numeric[row]), \
                    at \(point)
                    """, sourceLocation: sourceLocation)
                return
            }
        }
    }
}
