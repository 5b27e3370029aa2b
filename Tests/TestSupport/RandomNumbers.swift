// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// A repeatable generator for tests: SplitMix64 (Steele, Lea, Flood 2014), seeded by the test's name and a case number,
/// so that adding a test never changes another test's data.
public struct TestRandom: RandomNumberGenerator {
    private var state: UInt64

    /// A generator for that case of the calling test.
    public init(case number: Int = 0, _ test: String = #function) {
        // FNV-1a, because Swift's own hashes differ from run to run.
        state = test.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 } &+ UInt64(number)
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// A number between the bounds.
    public mutating func uniform(_ range: ClosedRange<Double> = -1...1) -> Double { .random(in: range, using: &self) }

    /// A vector with each component between the bounds.
    public mutating func vector3(_ range: ClosedRange<Double> = -1...1) -> Vector3 {
        Vector3(uniform(range), uniform(range), uniform(range))
    }

    /// A vector with each component between the bounds.
    public mutating func vector2(_ range: ClosedRange<Double> = -1...1) -> Vector2 {
        Vector2(uniform(range), uniform(range))
    }

    /// A direction of length one, uniform on the sphere.
    public mutating func direction() -> Vector3 {
        while true {
            let v = vector3()
            if v.squaredLength > 1e-3, v.squaredLength <= 1, let direction = v.normalized() { return direction }
        }
    }

    /// A rotation about any axis whose angle is tiny, moderate, or close to π, in equal parts.
    public mutating func rotation() -> Rotation {
        let angles = [
            uniform(0...1e-9), uniform(0...1e-3), uniform(0...Double.pi), Double.pi - uniform(0...1e-3),
            Double.pi - uniform(0...1e-9),
        ]
        return Rotation(rotationVector: direction() * angles.randomElement(using: &self)!)
    }

    /// A rigid transform with a ``rotation()`` and a translation of tiny, moderate or huge size.
    public mutating func rigidTransform() -> RigidTransform {
        RigidTransform(rotation: rotation(), translation: vector3() * [1e-6, 1, 1e3].randomElement(using: &self)!)
    }

    /// A twist whose rotation is tiny, moderate, or up to almost one turn.
    public mutating func twist() -> Twist {
        let angle = [1e-9, 1e-3, 0.02, 0.9, 1.1, 3, 6].randomElement(using: &self)!
        return Twist(translation: vector3(-2...2), rotation: direction() * angle)
    }

    /// A similarity with a ``rigidTransform()`` and a scale between 1/10 and 10.
    public mutating func similarity() -> Similarity {
        let rigid = rigidTransform()
        return Similarity(scale: pow(10, uniform()), rotation: rigid.rotation, translation: rigid.translation)
    }

    /// A matrix with elements between −1 and 1.
    public mutating func matrix3x3() -> Matrix3x3 { Matrix3x3(vector3(), vector3(), vector3()) }

    /// A matrix with elements between −1 and 1.
    public mutating func matrix4x4() -> Matrix4x4 {
        func column(_ random: inout TestRandom) -> Vector4 { Vector4(random.vector3(), random.uniform()) }
        return Matrix4x4(column(&self), column(&self), column(&self), column(&self))
    }
}
