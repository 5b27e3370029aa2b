// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A linear map from twists to twists, or the covariance of one: four 3×3 blocks, translation first.
///
/// A block's name says what it yields by what it takes: `translationByRotation` is the upper right one.
public struct Matrix6x6: Hashable, Sendable {
    /// The upper left block.
    public var translationByTranslation: Matrix3x3
    /// The upper right block.
    public var translationByRotation: Matrix3x3
    /// The lower left block.
    public var rotationByTranslation: Matrix3x3
    /// The lower right block.
    public var rotationByRotation: Matrix3x3

    /// The matrix of these four blocks.
    @inlinable public init(
        translationByTranslation: Matrix3x3, translationByRotation: Matrix3x3,
        rotationByTranslation: Matrix3x3, rotationByRotation: Matrix3x3
    ) {
        self.translationByTranslation = translationByTranslation
        self.translationByRotation = translationByRotation
        self.rotationByTranslation = rotationByTranslation
        self.rotationByRotation = rotationByRotation
    }

    /// The matrix whose diagonal blocks are both `block`, with `translationByRotation` above and zero below: the form
    /// of Jacobians of the rigid transforms.
    @inlinable init(diagonalBlock block: Matrix3x3, translationByRotation: Matrix3x3) {
        self.init(
            translationByTranslation: block, translationByRotation: translationByRotation,
            rotationByTranslation: .zero, rotationByRotation: block)
    }

    /// The identity.
    @inlinable public static var identity: Matrix6x6 {
        Matrix6x6(diagonalBlock: .identity, translationByRotation: .zero)
    }

    /// The matrix of zeros.
    @inlinable public static var zero: Matrix6x6 { Matrix6x6(diagonalBlock: .zero, translationByRotation: .zero) }

    /// Rows become columns.
    @inlinable public var transpose: Matrix6x6 {
        Matrix6x6(
            translationByTranslation: translationByTranslation.transpose,
            translationByRotation: rotationByTranslation.transpose,
            rotationByTranslation: translationByRotation.transpose,
            rotationByRotation: rotationByRotation.transpose)
    }

    /// The column with that index, 0…5: what the map makes of that basis twist.
    @inlinable public subscript(column: Int) -> Twist {
        column < 3
            ? Twist(translation: translationByTranslation[column], rotation: rotationByTranslation[column])
            : Twist(translation: translationByRotation[column - 3], rotation: rotationByRotation[column - 3])
    }

    @inlinable public static func * (a: Matrix6x6, v: Twist) -> Twist {
        Twist(
            translation: a.translationByTranslation * v.translation + a.translationByRotation * v.rotation,
            rotation: a.rotationByTranslation * v.translation + a.rotationByRotation * v.rotation)
    }

    @inlinable public static func * (a: Matrix6x6, b: Matrix6x6) -> Matrix6x6 {
        Matrix6x6(
            translationByTranslation: a.translationByTranslation * b.translationByTranslation
                + a.translationByRotation * b.rotationByTranslation,
            translationByRotation: a.translationByTranslation * b.translationByRotation
                + a.translationByRotation * b.rotationByRotation,
            rotationByTranslation: a.rotationByTranslation * b.translationByTranslation
                + a.rotationByRotation * b.rotationByTranslation,
            rotationByRotation: a.rotationByTranslation * b.translationByRotation
                + a.rotationByRotation * b.rotationByRotation)
    }

    @inlinable public static func + (a: Matrix6x6, b: Matrix6x6) -> Matrix6x6 {
        Matrix6x6(
            translationByTranslation: a.translationByTranslation + b.translationByTranslation,
            translationByRotation: a.translationByRotation + b.translationByRotation,
            rotationByTranslation: a.rotationByTranslation + b.rotationByTranslation,
            rotationByRotation: a.rotationByRotation + b.rotationByRotation)
    }
}
