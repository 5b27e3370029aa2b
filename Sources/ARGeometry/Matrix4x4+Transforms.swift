// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

extension Matrix4x4 {
    /// The matrix of a rigid transform: `columns.3` is its translation, the last row is 0 0 0 1.
    public init(_ transform: RigidTransform) {
        self.init(linear: transform.rotation.matrix, translation: transform.translation)
    }

    /// The matrix of a similarity: `columns.3` is its translation, the last row is 0 0 0 1.
    public init(_ transform: Similarity) {
        self.init(linear: transform.scale * transform.rotation.matrix, translation: transform.translation)
    }

    /// The matrix of the affine map x ↦ linear · x + translation.
    @inlinable public init(linear: Matrix3x3, translation: Vector3) {
        self.init(
            Vector4(linear.columns.0, 0), Vector4(linear.columns.1, 0), Vector4(linear.columns.2, 0),
            Vector4(translation, 1))
    }

    /// The upper left 3×3 block.
    @inlinable public var linear: Matrix3x3 { Matrix3x3(columns.0.xyz, columns.1.xyz, columns.2.xyz) }
}

/// Why a 4×4 matrix is not the matrix of a transform.
public enum TransformMatrixError: Error, Hashable, Sendable {
    /// An element is infinite or not a number.
    case notFinite(column: Int, row: Int)
    /// The last row is not 0 0 0 1: the map is projective, or the matrix is transposed.
    case lastRow(found: Vector4)
    /// The columns, after division by `scale`, are not at right angles or not of length one: an element of RᵀR is off
    /// by `deviation`.
    case notOrthonormal(deviation: Double, scale: Double, tolerance: Double)
    /// The determinant is not positive: the map mirrors space, or collapses it.
    case reflection(determinant: Double)
}

extension TransformMatrixError: CustomStringConvertible {
    /// What was found, what was expected, and what to do.
    public var description: String {
        switch self {
        case .notFinite(let column, let row):
            "element at column \(column), row \(row) is not a finite number"
        case .lastRow(let found):
            "last row is \(found.x) \(found.y) \(found.z) \(found.w), expected 0 0 0 1; "
                + "transpose the matrix if its last column is 0 0 0 1"
        case .notOrthonormal(let deviation, let scale, let tolerance):
            "columns divided by \(scale) are off from orthonormal by \(deviation), more than \(tolerance); "
                + "remove scale and shear, or allow a greater tolerance"
        case .reflection(let determinant):
            "determinant is \(determinant), expected a positive one; negate one axis to make it a rotation"
        }
    }
}

extension RigidTransform {
    /// The rigid transform with the given matrix. Refuses every matrix that is none.
    ///
    /// - Parameter tolerance: how far an element of RᵀR, and of the last row, may be from its ideal value; such
    ///   deviations are rounded off. The default admits matrices that went through Float.
    ///
    /// Law: `TransformMatrixTests.rigidRoundTrip`.
    public init(_ matrix: Matrix4x4, tolerance: Double = 1e-5) throws(TransformMatrixError) {
        let linear = try matrix.linearPartOfTransform(tolerance: tolerance)
        self.init(
            rotation: try Rotation(linear, scale: 1, tolerance: tolerance), translation: matrix.columns.3.xyz)
    }
}

extension Similarity {
    /// The similarity with the given matrix. Refuses every matrix that is none.
    ///
    /// - Parameter tolerance: as for a rigid transform, after division by the scale, which is the cube root of the
    ///   determinant and therefore must lie between 1e-100 and 1e100.
    ///
    /// Law: `TransformMatrixTests.similarityRoundTrip`.
    public init(_ matrix: Matrix4x4, tolerance: Double = 1e-5) throws(TransformMatrixError) {
        let linear = try matrix.linearPartOfTransform(tolerance: tolerance)
        let scale = cbrt(linear.determinant)
        self.init(
            scale: scale, rotation: try Rotation(linear, scale: scale, tolerance: tolerance),
            translation: matrix.columns.3.xyz)
    }
}

extension Matrix4x4 {
    /// The upper left block of a matrix that is finite, affine and keeps right-handed axes right-handed.
    fileprivate func linearPartOfTransform(tolerance: Double) throws(TransformMatrixError) -> Matrix3x3 {
        for column in 0..<4 {
            for row in 0..<4 where !self[column, row].isFinite {
                throw .notFinite(column: column, row: row)
            }
        }
        let lastRow = Vector4(columns.0.w, columns.1.w, columns.2.w, columns.3.w)
        guard (lastRow - Vector4(0, 0, 0, 1)).length <= tolerance else { throw .lastRow(found: lastRow) }
        guard linear.determinant > 0 else { throw .reflection(determinant: linear.determinant) }
        return linear
    }
}

extension Rotation {
    /// The rotation whose matrix, times `scale`, is given.
    fileprivate init(_ matrix: Matrix3x3, scale: Double, tolerance: Double) throws(TransformMatrixError) {
        let unscaled = (1 / scale) * matrix
        guard let rotation = Rotation(unscaled, tolerance: tolerance) else {
            throw .notOrthonormal(deviation: unscaled.deviationFromOrthonormal, scale: scale, tolerance: tolerance)
        }
        self = rotation
    }
}
