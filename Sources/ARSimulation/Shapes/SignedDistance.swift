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

    /// The direction in which the distance grows, and how fast: central differences over a tenth of a millimetre.
    func gradient(at point: Point3) -> Vector3 {
        let step = 1e-4
        func slope(_ axis: Vector3) -> Double { (self(point + axis * step) - self(point - axis * step)) / (2 * step) }
        return Vector3(slope(Vector3(1, 0, 0)), slope(Vector3(0, 1, 0)), slope(Vector3(0, 0, 1)))
    }

    /// The minimum, rounded off where the two are closer than `blend`: a quadratic (Quílez 2013, "Smooth minimum").
    private static func smoothMinimum(_ a: Double, _ b: Double, blend: Double) -> Double {
        guard blend > 0, a.isFinite, b.isFinite else { return min(a, b) }
        let overlap = max(blend - abs(a - b), 0) / blend
        return min(a, b) - overlap * overlap * blend / 4
    }
}
