// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// The minimal problem of a camera that knows what is up: its place and heading from two points.
///
/// `level` is a frame at the camera with +Y up and any heading. With f the direction in it in which a point X is seen,
/// X = R_Y(θ) λ f + c. The difference of two points gives, with h for the horizontal part,
///
///     X₁.y − X₂.y = λ₁ f₁.y − λ₂ f₂.y,   |(X₁ − X₂)h| = |λ₁ f₁h − λ₂ f₂h|:
///
/// a line in the plane of λ₁ and λ₂, and along it a quadratic equation. θ turns one horizontal difference into the other.
/// - Reference: Kukelova, Bujnak, Pajdla 2010, "Closed-form solutions to minimal absolute pose problems with known
///   vertical direction", section 2, which eliminates the depths instead of the heading.
///
/// Law: `LevelPoseTests.twoPointsGiveThePose`.
enum LevelPose {
    /// A point and the direction in which it is seen from the camera, in level axes.
    struct Sight {
        var directionInLevel: Vector3
        var pointInWorld: Point3
    }

    /// worldFromLevel, by both roots of the equation, where the points are seen in front; `nil` for the others, and for
    /// both where the points lie one above the other or are both seen along the horizon.
    static func worldFromLevel(_ a: Sight, _ b: Sight) -> (RigidTransform?, RigidTransform?) {
        let (f, g) = (a.directionInLevel, b.directionInLevel)
        let difference = a.pointInWorld - b.pointInWorld
        let steepness = Vector2(f.y, -g.y)
        guard steepness.squaredLength > leastSquaredSteepness, difference.horizontal.squaredLength > 0 else {
            return (nil, nil)
        }
        // The depths are foot + s · along.
        let foot = steepness * (difference.y / steepness.squaredLength)
        let along = steepness.perpendicular
        let atFoot = f.horizontal * foot.x - g.horizontal * foot.y
        let perStep = f.horizontal * along.x - g.horizontal * along.y
        let quadratic = perStep.squaredLength
        let halfLinear = perStep.dot(atFoot)
        let discriminant =
            halfLinear * halfLinear - quadratic * (atFoot.squaredLength - difference.horizontal.squaredLength)
        guard quadratic > 0, discriminant >= 0 else { return (nil, nil) }
        func pose(_ step: Double) -> RigidTransform? {
            let depths = foot + along * step
            guard depths.x > 0, depths.y > 0 else { return nil }
            let seen = atFoot + perStep * step
            // A turn by θ about +Y takes the horizontal (z, x) by θ from +z to +x.
            let heading =
                atan2(difference.horizontal.y, difference.horizontal.x) - atan2(seen.y, seen.x)
            let rotation = Rotation(rotationVector: Vector3(0, heading, 0))
            return RigidTransform(
                rotation: rotation, translation: a.pointInWorld - rotation * (f * depths.x))
        }
        let root = discriminant.squareRoot()
        return (pose((-halfLinear + root) / quadratic), pose((-halfLinear - root) / quadratic))
    }

    /// Below, heights say nothing about depths: both points within 0.06° of the horizon.
    private static let leastSquaredSteepness = 1e-6
}

extension Vector3 {
    /// (z, x): the part across the world's +Y, in the order in which turns about +Y count.
    fileprivate var horizontal: Vector2 { Vector2(z, x) }
}
