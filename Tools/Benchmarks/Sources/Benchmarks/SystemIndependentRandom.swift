// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The same numbers on every machine: a multiplicative congruential generator (Lehmer 1951), good enough for timing.
struct SystemIndependentRandom {
    private var state: UInt64 = 1

    /// A number between −1 and 1.
    mutating func uniform() -> Double {
        state = state * 48271 % 2_147_483_647
        return Double(state) / 1_073_741_823.5 - 1
    }

    mutating func vector() -> Vector3 { Vector3(uniform(), uniform(), uniform()) }

    mutating func pose() -> RigidTransform {
        RigidTransform(rotation: Rotation(rotationVector: vector()), translation: vector())
    }

    /// A point before a camera, within 35° of its axis, in optical axes.
    mutating func visiblePoint() -> Point3 { Vector3(0.5 * uniform(), 0.4 * uniform(), 1) * (3 + 2 * uniform()) }

    /// A matrix that is well away from singular.
    mutating func matrix() -> Matrix4x4 {
        var matrix = Matrix4x4(diagonal: Vector4(3, 3, 3, 3))
        for column in 0..<4 { matrix[column] += Vector4(vector(), uniform()) }
        return matrix
    }
}
