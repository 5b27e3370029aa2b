// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A shape as its signed distance: negative inside, positive outside, about the distance to the surface.
///
/// Shapes that blend into each other, such as a hand's, are easy to say this way.
indirect enum SignedDistance: Sendable {
    /// A bone with flesh: a segment whose radius goes from one end to the other.
    case bone(Bone)
    /// Several shapes in one, blended where they meet over about that distance.
    case union([SignedDistance], blend: Double)
    /// What of a shape lies on the side of a plane away from its normal, with an edge that is rounded off over about
    /// that distance.
    case cut(SignedDistance, normal: Vector3, offset: Double, rounding: Double)

    /// A segment with a radius at either end.
    struct Bone: Sendable {
        var start: Point3
        var end: Point3
        var startRadius: Double
        var endRadius: Double
    }

    /// The distance of a point.
    func callAsFunction(_ point: Point3) -> Double {
        switch self {
        case .bone(let bone):
            let axis = bone.end - bone.start
            let along = min(max((point - bone.start).dot(axis) / axis.squaredLength, 0), 1)
            return (point - bone.start - axis * along).length - mix(bone.startRadius, bone.endRadius, along)
        case .union(let shapes, let blend):
            return shapes.reduce(.infinity) { Self.smoothMinimum($0, $1(point), blend: blend) }
        case .cut(let shape, let normal, let offset, let rounding):
            return -Self.smoothMinimum(-shape(point), offset - normal.dot(point), blend: rounding)
        }
    }

    /// The distance of a point, and the direction in which it grows, as long as it grows fast.
    ///
    /// Law: the gradient is the numeric one, see `SurfaceNetTests.gradients`.
    func withGradient(at point: Point3) -> (distance: Double, gradient: Vector3) {
        switch self {
        case .bone(let bone):
            let axis = bone.end - bone.start
            let along = (point - bone.start).dot(axis) / axis.squaredLength
            let inside = min(max(along, 0), 1)
            let fromAxis = point - bone.start - axis * inside
            let length = fromAxis.length
            let growth = inside == along ? (bone.endRadius - bone.startRadius) / axis.squaredLength : 0
            return (
                length - mix(bone.startRadius, bone.endRadius, inside),
                fromAxis / max(length, .leastNormalMagnitude) - axis * growth
            )
        case .union(let shapes, let blend):
            return shapes.reduce((.infinity, .zero)) {
                Self.smoothMinimum($0, $1.withGradient(at: point), blend: blend)
            }
        case .cut(let shape, let normal, let offset, let rounding):
            let inner = shape.withGradient(at: point)
            let (distance, gradient) = Self.smoothMinimum(
                (-inner.distance, -inner.gradient), (offset - normal.dot(point), -normal), blend: rounding)
            return (-distance, -gradient)
        }
    }

    /// The minimum, rounded off where the two are closer than `blend`: a quadratic (Quílez 2013, "Smooth minimum").
    private static func smoothMinimum(_ a: Double, _ b: Double, blend: Double) -> Double {
        guard blend > 0, a.isFinite, b.isFinite else { return min(a, b) }
        let overlap = max(blend - abs(a - b), 0) / blend
        return min(a, b) - overlap * overlap * blend / 4
    }
    /// The same, with the gradients of both: the smaller one's gives way to the other's as the two come close.
    private static func smoothMinimum(
        _ a: (distance: Double, gradient: Vector3), _ b: (distance: Double, gradient: Vector3), blend: Double
    ) -> (distance: Double, gradient: Vector3) {
        let (lower, upper) = a.distance <= b.distance ? (a, b) : (b, a)
        guard blend > 0, upper.distance < lower.distance + blend else { return lower }
        let overlap = (blend - (upper.distance - lower.distance)) / blend
        return (
            lower.distance - overlap * overlap * blend / 4, mix(lower.gradient, upper.gradient, overlap / 2)
        )
    }
}
