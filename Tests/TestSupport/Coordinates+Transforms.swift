// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

extension Twist: Coordinates {
    /// Translation, then rotation.
    public var coordinates: [Double] { translation.coordinates + rotation.coordinates }

    public init(coordinates: [Double]) {
        self.init(
            translation: Vector3(coordinates: Array(coordinates[0..<3])),
            rotation: Vector3(coordinates: Array(coordinates[3..<6])))
    }
}

extension SimilarityTwist: Coordinates {
    /// Translation, rotation, logarithm of the scale.
    public var coordinates: [Double] { translation.coordinates + rotation.coordinates + [logScale] }

    public init(coordinates: [Double]) {
        self.init(
            translation: Vector3(coordinates: Array(coordinates[0..<3])),
            rotation: Vector3(coordinates: Array(coordinates[3..<6])), logScale: coordinates[6])
    }
}

extension Matrix6x6: Coordinates {
    /// Column by column.
    public var coordinates: [Double] { (0..<6).flatMap { self[$0].coordinates } }

    public init(coordinates: [Double]) {
        func block(_ column: Int, _ row: Int) -> Matrix3x3 {
            Matrix3x3(coordinates: (0..<9).map { coordinates[(column + $0 / 3) * 6 + row + $0 % 3] })
        }
        self.init(
            translationByTranslation: block(0, 0), translationByRotation: block(3, 0),
            rotationByTranslation: block(0, 3), rotationByRotation: block(3, 3))
    }
}

extension Matrix4x4: Coordinates {
    /// Column by column.
    public var coordinates: [Double] { (0..<4).flatMap { self[$0].coordinates } }

    public init(coordinates: [Double]) {
        self.init(
            Vector4(coordinates: Array(coordinates[0..<4])), Vector4(coordinates: Array(coordinates[4..<8])),
            Vector4(coordinates: Array(coordinates[8..<12])), Vector4(coordinates: Array(coordinates[12..<16])))
    }
}
