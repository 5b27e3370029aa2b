// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth
import TestSupport

extension RandomSession {
    /// A frame's truth of random values, some of them unknown.
    static func truth(_ random: inout TestRandom, at timestamp: Timestamp, hasObjects: Bool) -> FrameTruth {
        var truth = FrameTruth(timestamp: timestamp, worldFromCamera: random.rigidTransform())
        guard hasObjects else { return truth }
        // The ground truth's columns are the same in all rows: all frames have inertia.
        truth.inertia = InertiaTruth(
            velocityInWorld: random.vector3(), angularVelocityInImu: random.vector3(), gyroscopeBias: random.vector3(),
            accelerometerBias: random.vector3())
        if Bool.random(using: &random) {
            truth.fingertip = FingertipTruth(
                positionInWorld: random.vector3(), pixel: pixel(&random), isVisible: Bool.random(using: &random),
                isPenDown: Bool.random(using: &random), stroke: Bool.random(using: &random) ? 3 : nil)
        }
        truth.planes = some(&random) { PlaneTruth(name: "desk", visibleFraction: $0.uniform(0...1)) }
        truth.targets = some(&random) {
            ImageTargetTruth(
                name: "flag \"7\"", picture: "emblem-7", worldFromTarget: $0.rigidTransform(),
                size: $0.vector2(0.1...1),
                corners: corners(&$0))
        }
        truth.rectangles = some(&random) { RectangleTruth(name: "card", corners: corners(&$0)) }
        truth.codes = some(&random) {
            CodeTruth(name: "card", payload: "https://x/é\n", symbology: "qr", modulesAcross: 29, corners: corners(&$0))
        }
        truth.faces = some(&random) { random in
            let box = Bool.random(using: &random)
            return FaceTruth(
                name: "Ada", worldFromHead: random.rigidTransform(),
                box: box ? PixelBox(minimum: PixelPoint(1.5, 2), maximum: PixelPoint(7, 9.25)) : nil,
                angles: EulerAngles(
                    pitch: random.uniform(-1...1), yaw: random.uniform(-1...1), roll: random.uniform(-3...3)),
                visibleFraction: random.uniform(0...1))
        }
        return truth
    }

    private static func some<Item>(
        _ random: inout TestRandom, _ make: (inout TestRandom) -> Item
    ) -> [Item] {
        (0..<Int.random(in: 0...2, using: &random)).map { _ in make(&random) }
    }

    private static func pixel(_ random: inout TestRandom) -> PixelPoint? {
        Bool.random(using: &random) ? PixelPoint(random.vector2(-5...20)) : nil
    }

    private static func corners(_ random: inout TestRandom) -> CornersTruth {
        CornersTruth(
            inWorld: (0..<4).map { _ in random.vector3() }, pixels: (0..<4).map { _ in pixel(&random) },
            visibleFraction: random.uniform(0...1))
    }
}
