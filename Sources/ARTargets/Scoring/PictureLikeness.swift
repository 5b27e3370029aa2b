// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// A picture as it is seen from afar: what two pictures have in common that a small or blurred view confuses.
struct PictureLikeness: Sendable {
    /// Grey values about their mean, of length one, in a square.
    private let values: [Float]

    private static let side = 24

    init(of picture: ImageBuffer) {
        // As small as the square in steps of two at most, so that one mean never jumps over what lies between.
        let plane = GrayPlane(picture, longerSide: 8 * Self.side)
        let side = ImageSize(width: Self.side, height: Self.side)
        let square = plane.enlarged(toAtLeast: Self.side).resampled(to: side)
        let mean = square.values.reduce(0, +) / Float(square.values.count)
        let length = square.values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }.squareRoot()
        values = square.values.map { length > 1 ? ($0 - mean) / length : 0 }
    }

    /// How like the other picture is, turned by that many quarters: 1 the same, 0 nothing in common, −1 inverse.
    func correlation(with other: PictureLikeness, quarterTurns: Int = 0) -> Double {
        let last = Self.side - 1
        var sum: Float = 0
        for row in 0..<Self.side {
            for column in 0..<Self.side {
                let (x, y) =
                    switch quarterTurns & 3 {
                    case 1: (row, last - column)
                    case 2: (last - column, last - row)
                    case 3: (last - row, column)
                    default: (column, row)
                    }
                sum += values[row * Self.side + column] * other.values[y * Self.side + x]
            }
        }
        return Double(sum)
    }

    /// The largest correlation with the other picture in any quarter turn.
    func likeness(to other: PictureLikeness) -> Double {
        (0..<4).map { correlation(with: other, quarterTurns: $0) }.max() ?? 0
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
}
