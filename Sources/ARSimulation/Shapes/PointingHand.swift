// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import Foundation

/// A right hand that writes with its index finger, as a mesh whose origin is the fingertip.
///
/// The finger points along −Z and the palm down −Y; the lowest point of the mesh, with which it touches the plane, is
/// the origin. Lengths are those of an adult's hand.
/// - Reference: Greiner 1991, "Hand anthropometry of U.S. Army personnel" (index finger 7.5 cm, hand 19 cm, rounded).
struct PointingHand {
    /// How much of the finger, measured from its tip along a view, counts as the tip itself when one asks whether the
    /// tip is hidden: the point that touches the plane is always under the finger.
    static let tipThicknessMeters = 0.025

    /// The mesh.
    let mesh: ShadedMesh

    private struct Palette {
        var skin: Vector3
        var nail: Vector3
        var sleeve: Vector3
    }

    /// The hand in a finger's colours.
    init(_ finger: Scene.Finger, seed: UInt64) {
        let palette = Palette(
            skin: ColorTransfer.linear(fromSRGB: finger.skinColor),
            nail: ColorTransfer.linear(fromSRGB: finger.nailColor),
            sleeve: ColorTransfer.linear(fromSRGB: finger.sleeveColor))
        var random = SeededRandom(seed: seed, purpose: "hand")
        let noise = LatticeNoise(seed: random.next())
        let (hand, sleeve) = (Anatomy.handNet, Anatomy.sleeveNet)
        let lowest = hand.positions.min { $0.y < $1.y } ?? .zero

        var mesh = ShadedMesh(positions: [], normals: [], coat: .colors([]), triangles: [], translucency: 0.18)
        var colors: [SIMD4<Float>] = []
        Self.append(hand, tip: lowest, to: &mesh)
        colors += zip(hand.positions, hand.normals).map { place, normal in
            Self.skinLook(at: place, normal: normal, palette: palette, noise: noise)
        }
        Self.append(sleeve, tip: lowest, to: &mesh)
        colors += sleeve.positions.map { place in
            let weave =
                1 + 0.10 * noise.value(place.x / 0.004, place.z / 0.004)
                + 0.08 * noise.value(place.z / 0.0015, place.y / 0.02)
            return SIMD4(palette.sleeve * weave, 0)
        }
        mesh.coat = .colors(colors)
        self.mesh = mesh
    }

    private static func append(_ net: SurfaceNet, tip: Point3, to mesh: inout ShadedMesh) {
        let first = UInt32(mesh.positions.count)
        mesh.positions += net.positions.map { SIMD3<Float>($0 - tip) }
        mesh.normals += net.normals.map { SIMD3<Float>($0) }
        mesh.triangles += net.triangles.map { $0 &+ SIMD3(repeating: first) }
    }

    /// Skin, redder at the joints and the fingertips, with the nail on the last phalanx.
    private static func skinLook(
        at place: Point3, normal: Vector3, palette: Palette, noise: LatticeNoise
    ) -> SIMD4<Float> {
        let mottling = noise.fractal(place.x / 0.011 + 3, (place.z + place.y) / 0.011, octaves: 3, finest: 0)
        let flush: Double =
            Anatomy.reddenedPlaces.map { red -> Double in exp(-(red - place).squaredLength / (2 * 0.007 * 0.007)) }
            .max() ?? 0
        let crease = Anatomy.joints.map { joint -> Double in
            let along: Double = (place - joint.center).dot(joint.axis) / 0.0011
            func wave(_ x: Double) -> Double { exp(-x * x) }
            let waves: Double = wave(along) + 0.6 * wave(along - 3) + 0.6 * wave(along + 3)
            let aside: Double = abs(place.x - joint.center.x)
            return waves * smoothStep(0.2, 0.8, normal.dot(joint.back)) * exp(-aside / 0.006)
        }.reduce(0, +)
        let redder = palette.skin * Vector3(0.98, 0.72, 0.68)
        let skin = mix(palette.skin, redder, min(1, 0.75 * flush)) * (1 + 0.10 * mottling - 0.30 * min(crease, 1))
        let nail = Anatomy.nailPlace(of: place, normal: normal)
        let white = mix(palette.nail, Vector3(0.90, 0.86, 0.80), smoothStep(-0.62, -0.72, nail.along))
        let paint = smoothStep(1.06, 0.94, nail.radius)
        let rim = smoothStep(1.30, 1.05, nail.radius) * (1 - paint)
        let color = mix(skin * (1 - 0.30 * rim), white, paint)
        return SIMD4(color, Float(mix(0.05, 0.5, paint)))
    }
}

/// Where the bones of the hand are, in metres: +X to the hand's right, +Y to its back, +Z to the wrist.
private enum Anatomy {
    /// The index finger from its tip: centre of the end, the three joints.
    static let indexJoints = [
        Point3(0, 0, 0), Point3(0, 0.0165, 0.0185), Point3(0, 0.0315, 0.0405), Point3(0.001, 0.0450, 0.0835),
    ]
    static let wrist = [Point3(0.012, 0.046, 0.168), Point3(0.040, 0.042, 0.168)]
    static let elbow = Point3(0.034, 0.105, 0.52)

    private static func bone(_ start: Point3, _ end: Point3, _ startRadius: Double, _ endRadius: Double)
        -> SignedDistance
    {
        .bone(.init(start: start, end: end, startRadius: startRadius, endRadius: endRadius))
    }

    private static func chain(_ joints: [Point3], _ radii: [Double], blend: Double) -> SignedDistance {
        .union(
            joints.indices.dropLast().map { bone(joints[$0], joints[$0 + 1], radii[$0], radii[$0 + 1]) }, blend: blend)
    }

    private static let index = chain(indexJoints, [0.0066, 0.0077, 0.0088, 0.0108], blend: 0.004)

    /// Middle, ring and little finger, curled under the hand.
    private static let curled: [SignedDistance] = [
        (knuckle: Point3(0.0205, 0.0475, 0.0815), scale: 1.0),
        (knuckle: Point3(0.0395, 0.0455, 0.0870), scale: 0.95),
        (knuckle: Point3(0.0570, 0.0405, 0.0965), scale: 0.80),
    ].map { finger in
        let bends = [
            Vector3(0, 0, 0), Vector3(0, -0.0145, -0.0330), Vector3(-0.001, -0.0335, -0.0215),
            Vector3(-0.001, -0.0335, -0.0010),
        ]
        return chain(
            bends.map { finger.knuckle + $0 * finger.scale },
            [0.0105, 0.0092, 0.0084, 0.0074].map { $0 * finger.scale },
            blend: 0.004)
    }

    private static let thumb = chain(
        [
            Point3(-0.010, 0.036, 0.140), Point3(-0.024, 0.029, 0.108), Point3(-0.023, 0.021, 0.076),
            Point3(-0.013, 0.017, 0.052),
        ],
        [0.0150, 0.0125, 0.0098, 0.0078], blend: 0.006)

    private static let palm = SignedDistance.union(
        [
            bone(indexJoints[3], wrist[0], 0.0112, 0.0185),
            bone(Point3(0.0205, 0.0475, 0.0815), wrist[0], 0.0110, 0.0190),
            bone(Point3(0.0395, 0.0455, 0.0870), wrist[1], 0.0108, 0.0185),
            bone(Point3(0.0570, 0.0405, 0.0965), wrist[1], 0.0098, 0.0180),
            bone(Point3(0.010, 0.034, 0.105), Point3(0.040, 0.032, 0.135), 0.0140, 0.0150),
        ], blend: 0.012)

    private static let forearmStart = SignedDistance.union(
        [
            bone(wrist[0], Point3(0.014, 0.052, 0.23), 0.0185, 0.021),
            bone(wrist[1], Point3(0.042, 0.048, 0.23), 0.0180, 0.021),
        ],
        blend: 0.012)

    static let hand = SignedDistance.cut(
        .union(
            [.union([palm, forearmStart, thumb], blend: 0.010), .union([index] + curled, blend: 0.003)], blend: 0.005),
        normal: Vector3(0, 0, 1), offset: 0.218, rounding: 0.005)

    static let sleeve = SignedDistance.cut(
        .union(
            [
                bone(Point3(0.014, 0.048, 0.14), elbow, 0.0265, 0.046),
                bone(Point3(0.042, 0.044, 0.14), elbow, 0.0260, 0.046),
                // The cuff.
                bone(Point3(0.014, 0.050, 0.193), Point3(0.042, 0.046, 0.193), 0.0315, 0.031),
            ], blend: 0.012),
        normal: Vector3(0, -0.12, -1).normalized() ?? Vector3(0, 0, -1), offset: -0.190, rounding: 0.006)

    /// The surfaces, which are the same for every hand.
    static let handNet = SurfaceNet(
        of: hand, from: Point3(-0.065, -0.015, -0.025), to: Point3(0.095, 0.10, 0.225), cell: 0.00125)
    static let sleeveNet = SurfaceNet(
        of: sleeve, from: Point3(-0.06, -0.02, 0.165), to: Point3(0.12, 0.20, 0.56), cell: 0.003)

    /// Where blood shows through.
    static let reddenedPlaces = [indexJoints[0], indexJoints[1], indexJoints[2], indexJoints[3]]

    /// The index finger's upper joints, whose skin is creased: centre, the finger's axis, the side of its back.
    static let joints: [(center: Point3, axis: Vector3, back: Vector3)] = [1, 2].map { number in
        let axis = (indexJoints[number + 1] - indexJoints[number - 1]).normalized() ?? Vector3(0, 0, 1)
        return (indexJoints[number], axis, axis.cross(Vector3(1, 0, 0)).normalized() ?? Vector3(0, 1, 0))
    }

    /// The nail covers radius < 1; `along` runs from −1 at its free edge to 1 at its root.
    static func nailPlace(of place: Point3, normal: Vector3) -> (radius: Double, along: Double) {
        let axis = (indexJoints[1] - indexJoints[0]).normalized() ?? Vector3(0, 0, 1)
        let back = axis.cross(Vector3(1, 0, 0))
        let fromTip = place - indexJoints[0]
        let along = (fromTip.dot(axis) - 0.0030) / 0.0082
        // Around the finger rather than across it, so that the nail bends with it.
        let around = atan2(fromTip.x, fromTip.dot(back)) / 0.80
        let (a, b) = (along * along, around * around)
        return ((a * a + b * b).squareRoot().squareRoot(), along)
    }
}
