// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

// The rotations that turn one list of directions into another as well as possible. Here M = Σ x yᵀ.

extension Matrix3x3 {
    /// The rotation R for which Σ y·(R x) is greatest, with that greatest value; `nil` where more than one is best, as for
    /// points on a line.
    ///
    /// The quaternion is the eigenvector of the largest eigenvalue of a symmetric 4×4 matrix, which is the value. Unlike a
    /// singular value decomposition it can give no reflection.
    /// - Reference: Horn 1987, "Closed-form solution of absolute orientation using unit quaternions", section 4.
    func bestRotation() -> (rotation: Rotation, gain: Double)? {
        let (x, y, z) = (columns.0, columns.1, columns.2)
        // M[row, column] = x_row y_column, so that columns.1.x is x₁y₂.
        let cross = Vector3(z.y - y.z, x.z - z.x, y.x - x.y)
        var matrix = SymmetricMatrix4(columns: [
            Vector4(x.x - y.y - z.z, y.x + x.y, x.z + z.x, cross.x),
            Vector4(y.x + x.y, y.y - x.x - z.z, z.y + y.z, cross.y),
            Vector4(x.z + z.x, z.y + y.z, z.z - x.x - y.y, cross.z),
            Vector4(cross, x.x + y.y + z.z),
        ])
        let (values, vectors) = matrix.diagonalized()
        let order = values.indices.sorted { values[$0] > values[$1] }
        let (best, next) = (values[order[0]], values[order[1]])
        // Twice the sum of the two smaller singular values: rounding alone leaves some 1e-15 of the largest.
        guard best > 0, best.isFinite, best - next > 1e-11 * best else { return nil }
        let q = vectors[order[0]]
        return Rotation(x: q.x, y: q.y, z: q.z, w: q.w).map { ($0, best) }
    }

    /// The turn about an axis of length one for which Σ y·(R x) is greatest, or `nil` where every turn is as good.
    func bestTurn(about axis: Vector3) -> Rotation? {
        // Σ axis·(x × y), and Σ x·y without the parts along the axis.
        let cross = Vector3(columns.2.y - columns.1.z, columns.0.z - columns.2.x, columns.1.x - columns.0.y)
        let sine = axis.dot(cross)
        let cosine = trace - axis.dot(self * axis)
        let size = maximumMagnitude
        guard size > 0, hypot(sine, cosine) > 1e-13 * size else { return nil }
        return Rotation(rotationVector: axis * atan2(sine, cosine))
    }
}

extension Rotation {
    /// The turn about an axis of length one that is nearest to this rotation; `nil` for half a turn about an axis at a
    /// right angle to it, from which all turns are as far.
    func twist(about axis: Vector3) -> Rotation? {
        let along = axis * imaginary.dot(axis)
        guard hypot(along.length, real) > 1e-12 else { return nil }
        return Rotation(x: along.x, y: along.y, z: along.z, w: real)
    }
}

/// A symmetric 4×4 matrix on its way to being diagonal.
private struct SymmetricMatrix4 {
    var columns: [Vector4]

    /// The eigenvalues with their eigenvectors, by Jacobi's rotations. (Golub and Van Loan 2013, "Matrix Computations",
    /// section 8.5.) Each sweep squares the size of what is off the diagonal; ten are more than enough.
    mutating func diagonalized() -> (values: [Double], vectors: [Vector4]) {
        var vectors = [Vector4(1, 0, 0, 0), Vector4(0, 1, 0, 0), Vector4(0, 0, 1, 0), Vector4(0, 0, 0, 1)]
        for _ in 0..<10 {
            for p in 0..<3 {
                for q in (p + 1)..<4 where columns[p][q] != 0 {
                    let (c, s) = rotation(p, q)
                    (vectors[p], vectors[q]) = (c * vectors[p] - s * vectors[q], s * vectors[p] + c * vectors[q])
                    turn(p, q, c, s)
                }
            }
        }
        return ((0..<4).map { columns[$0][$0] }, vectors)
    }

    /// Cosine and sine of the turn that brings the element (p, q) to zero.
    private func rotation(_ p: Int, _ q: Int) -> (c: Double, s: Double) {
        let τ = (columns[q][q] - columns[p][p]) / (2 * columns[p][q])
        let t = (τ < 0 ? -1 : 1) / (abs(τ) + (1 + τ * τ).squareRoot())
        let c = 1 / (1 + t * t).squareRoot()
        return (c, t * c)
    }

    private mutating func turn(_ p: Int, _ q: Int, _ c: Double, _ s: Double) {
        (columns[p], columns[q]) = (c * columns[p] - s * columns[q], s * columns[p] + c * columns[q])
        for k in 0..<4 {
            (columns[k][p], columns[k][q]) = (
                c * columns[k][p] - s * columns[k][q], s * columns[k][p] + c * columns[k][q]
            )
        }
        columns[p][q] = 0
        columns[q][p] = 0
    }
}
