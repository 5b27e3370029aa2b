// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// A small or finite motion in the tangent space of the rigid transforms: what their logarithm is.
///
/// In Solà's notation τ = (ρ, θ), translation first. The translation part is not where the motion ends: along a screw
/// the moved origin follows an arc, and ρ is its length unrolled.
public struct Twist: Hashable, Sendable {
    /// ρ, in metres.
    public var translation: Vector3
    /// θ, the rotation vector, in radians.
    public var rotation: Vector3

    /// The twist with these parts.
    @inlinable public init(translation: Vector3 = .zero, rotation: Vector3 = .zero) {
        self.translation = translation
        self.rotation = rotation
    }

    /// No motion.
    @inlinable public static var zero: Twist { Twist() }

    @inlinable public static func + (a: Twist, b: Twist) -> Twist {
        Twist(translation: a.translation + b.translation, rotation: a.rotation + b.rotation)
    }

    @inlinable public static func - (a: Twist, b: Twist) -> Twist {
        Twist(translation: a.translation - b.translation, rotation: a.rotation - b.rotation)
    }

    @inlinable public static prefix func - (a: Twist) -> Twist {
        Twist(translation: -a.translation, rotation: -a.rotation)
    }

    @inlinable public static func * (s: Double, a: Twist) -> Twist {
        Twist(translation: s * a.translation, rotation: s * a.rotation)
    }
}
