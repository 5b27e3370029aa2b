// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// An exact rectangle in the world: eight numbers.
struct RectangleShape: Hashable, Sendable {
    var worldFromRectangle: RigidTransform
    var size: RectangleSize

    /// How many numbers it has: three of the place, three of the attitude, two of the size.
    static let dimension = 8

    /// Where the corners are in the rectangle's axes, in half widths and half heights.
    private static let signs = [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)]

    /// Top left, top right, bottom right, bottom left, in the world.
    var corners: [Point3] { (0..<4).map { worldFromRectangle * corner($0) } }

    var normal: Vector3 { worldFromRectangle.rotation * Vector3(0, 1, 0) }

    /// A corner in the rectangle's own axes.
    func corner(_ index: Int) -> Vector3 {
        let sign = Self.signs[index]
        return Vector3(sign.0 * size.width / 2, 0, sign.1 * size.height / 2)
    }

    /// The rectangle moved by δ: its middle by δ₀…₂ in the world, turned by Exp(δ₃…₅) in its own axes, and its sides longer by
    /// the factors exp δ₆ and exp δ₇.
    func moved(by step: [Double]) -> RectangleShape {
        let turn = Rotation(rotationVector: Vector3(step[3], step[4], step[5]))
        return RectangleShape(
            worldFromRectangle: RigidTransform(
                rotation: (worldFromRectangle.rotation * turn).normalized,
                translation: worldFromRectangle.translation + Vector3(step[0], step[1], step[2])),
            size: RectangleSize(width: size.width * exp(step[6]), height: size.height * exp(step[7])))
    }

    /// How a corner's place in the world changes with δ of ``moved(by:)``: eight columns.
    /// Law: `RectangleFitTests.cornersChangeWithTheShape`.
    func derivative(ofCorner index: Int) -> [Vector3] {
        let (corner, rotation) = (corner(index), worldFromRectangle.rotation)
        let axes = [Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1)]
        return axes + axes.map { rotation * $0.cross(corner) }
            + [rotation * Vector3(corner.x, 0, 0), rotation * Vector3(0, 0, corner.z)]
    }

    /// The same rectangle with its corners counted from the `steps`-th.
    func turned(by steps: Int) -> RectangleShape {
        let steps = (steps % 4 + 4) % 4
        // Each step makes the right side the top: +X is then where +Z was.
        let turn = Rotation(rotationVector: Vector3(0, -Double(steps) * .pi / 2, 0))
        return RectangleShape(
            worldFromRectangle: RigidTransform(
                rotation: (worldFromRectangle.rotation * turn).normalized,
                translation: worldFromRectangle.translation),
            size: steps % 2 == 0 ? size : RectangleSize(width: size.height, height: size.width))
    }

    /// How the corners err when the shape's numbers have that covariance.
    func errors(_ covariance: SquareMatrix) -> CornerErrors {
        let derivatives = (0..<4).map(derivative)
        let factor = covariance.choleskyFactor ?? SquareMatrix(order: Self.dimension)
        return CornerErrors(
            shifts: (0..<Self.dimension).map { source in
                derivatives.map { derivative in
                    (source..<Self.dimension).reduce(Vector3.zero) { $0 + factor[$1, source] * derivative[$1] }
                }
            })
    }
}
