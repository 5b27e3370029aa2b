// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The normal equations of a pose, for twists on its left side.
struct NormalMatrix {
    private var matrix = [Double](repeating: 0, count: 36)
    private var right = [Double](repeating: 0, count: 6)

    /// A point of the body is off by a residual in the picture.
    mutating func add(pixelByTranslation jacobian: PixelByPoint, at point: Vector3, residual: Vector2) {
        let columns =
            [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)].map { jacobian * $0 }
            + [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)].map { jacobian * $0.cross(point) }
        for i in 0..<6 {
            right[i] += columns[i].dot(residual)
            for j in 0..<6 { matrix[6 * i + j] += columns[i].dot(columns[j]) }
        }
    }

    /// The twist that removes the residuals, to the first order.
    var solution: Twist? {
        guard let inverse = inverse else { return nil }
        return inverse
            * Twist(
                translation: Vector3(right[0], right[1], right[2]), rotation: Vector3(right[3], right[4], right[5]))
    }

    /// The inverse by Gauss and Jordan with pivots; `nil` where there is none.
    var inverse: Matrix6x6? {
        var a = matrix
        var b = (0..<36).map { $0 / 6 == $0 % 6 ? 1.0 : 0.0 }
        for column in 0..<6 {
            let pivot = (column..<6).max { abs(a[6 * $0 + column]) < abs(a[6 * $1 + column]) } ?? column
            let value = a[6 * pivot + column]
            guard abs(value) > 1e-12 else { return nil }
            for k in 0..<6 {
                a.swapAt(6 * column + k, 6 * pivot + k)
                b.swapAt(6 * column + k, 6 * pivot + k)
                a[6 * column + k] /= value
                b[6 * column + k] /= value
            }
            for row in 0..<6 where row != column {
                let factor = a[6 * row + column]
                for k in 0..<6 {
                    a[6 * row + k] -= factor * a[6 * column + k]
                    b[6 * row + k] -= factor * b[6 * column + k]
                }
            }
        }
        func block(_ row: Int, _ column: Int) -> Matrix3x3 {
            func at(_ i: Int, _ j: Int) -> Double { b[6 * (row + i) + column + j] }
            return Matrix3x3(
                rows: Vector3(at(0, 0), at(0, 1), at(0, 2)), Vector3(at(1, 0), at(1, 1), at(1, 2)),
                Vector3(at(2, 0), at(2, 1), at(2, 2)))
        }
        return Matrix6x6(
            translationByTranslation: block(0, 0), translationByRotation: block(0, 3),
            rotationByTranslation: block(3, 0), rotationByRotation: block(3, 3))
    }
}

extension Matrix6x6 {
    func scaled(by factor: Double) -> Matrix6x6 {
        Matrix6x6(
            translationByTranslation: factor * translationByTranslation,
            translationByRotation: factor * translationByRotation,
            rotationByTranslation: factor * rotationByTranslation, rotationByRotation: factor * rotationByRotation)
    }
}
