// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A rigid transform that also scales: x ↦ scale · (rotation · x) + translation.
///
/// What aligns a map of unknown scale with the world, or a trajectory with its truth. Named `targetFromSource` like
/// ``RigidTransform``.
public struct Similarity: Hashable, Sendable {
    /// The length in the target of a length of one in the source. Greater than zero.
    public let scale: Double
    /// The rotation of the source's axes into the target's.
    public var rotation: Rotation
    /// The source's origin in the target's coordinates.
    public var translation: Vector3

    /// The transform that scales and turns, then moves. The scale must be positive and finite.
    @inlinable public init(scale: Double = 1, rotation: Rotation = .identity, translation: Vector3 = .zero) {
        precondition(scale > 0 && scale.isFinite, "a similarity's scale must be positive and finite, not \(scale)")
        self.scale = scale
        self.rotation = rotation
        self.translation = translation
    }

    /// The rigid transform, with scale one.
    @inlinable public init(_ rigid: RigidTransform) {
        self.init(rotation: rigid.rotation, translation: rigid.translation)
    }

    /// The transform that changes nothing.
    @inlinable public static var identity: Similarity { Similarity() }

    /// The transform that undoes this one.
    @inlinable public var inverse: Similarity {
        let inverse = rotation.inverse
        return Similarity(
            scale: 1 / scale, rotation: inverse, translation: -(inverse * translation) / scale)
    }

    /// Composition: `aFromC = aFromB * bFromC`.
    @inlinable public static func * (aFromB: Similarity, bFromC: Similarity) -> Similarity {
        Similarity(
            scale: aFromB.scale * bFromC.scale,
            rotation: aFromB.rotation * bFromC.rotation,
            translation: aFromB * bFromC.translation)
    }

    /// The point in the target's coordinates.
    @inlinable public static func * (aFromB: Similarity, pointInB: Point3) -> Point3 {
        aFromB.scale * (aFromB.rotation * pointInB) + aFromB.translation
    }
}
