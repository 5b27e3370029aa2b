// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@Suite struct EulerAnglesTests {
    /// Each of the three turns against its matrix, written out: the signs are those of ARKit's axes.
    @Test func singleTurns() {
        let angle = 0.3
        let (c, s) = (cos(angle), sin(angle))
        expectClose(
            Rotation(EulerAngles(pitch: angle, yaw: 0, roll: 0)).matrix,
            Matrix3x3(rows: Vector3(1, 0, 0), Vector3(0, c, -s), Vector3(0, s, c)), tolerance: 1e-15)
        expectClose(
            Rotation(EulerAngles(pitch: 0, yaw: angle, roll: 0)).matrix,
            Matrix3x3(rows: Vector3(c, 0, s), Vector3(0, 1, 0), Vector3(-s, 0, c)), tolerance: 1e-15)
        expectClose(
            Rotation(EulerAngles(pitch: 0, yaw: 0, roll: angle)).matrix,
            Matrix3x3(rows: Vector3(c, -s, 0), Vector3(s, c, 0), Vector3(0, 0, 1)), tolerance: 1e-15)
    }

    /// A camera that yaws by +90° and pitches up looks where a person's words say.
    @Test func directionsOfAPerson() {
        let forward = Vector3(0, 0, -1)
        expectClose(
            Rotation(EulerAngles(pitch: 0, yaw: .pi / 2, roll: 1)) * forward, Vector3(-1, 0, 0), tolerance: 1e-15)
        expectClose(
            Rotation(EulerAngles(pitch: .pi / 2, yaw: 2, roll: 0)) * forward, Vector3(0, 1, 0), tolerance: 1e-15)
    }

    @Test(arguments: 0..<100) func productOfThreeTurns(number: Int) {
        var random = TestRandom(case: number)
        let angles = EulerAngles(
            pitch: random.uniform(-4...4), yaw: random.uniform(-4...4), roll: random.uniform(-4...4))
        func turn(_ angle: Double, _ axis: Vector3) -> Matrix3x3 { Rotation(rotationVector: axis * angle).matrix }
        expectClose(
            Rotation(angles).matrix,
            turn(angles.yaw, [0, 1, 0]) * turn(angles.pitch, [1, 0, 0]) * turn(angles.roll, [0, 0, 1]),
            tolerance: 4e-15)
    }

    @Test(arguments: 0..<300) func roundTrip(number: Int) {
        var random = TestRandom(case: number)
        let rotation = random.rotation()
        let angles = rotation.eulerAngles
        expectClose(Rotation(angles), rotation, tolerance: 1e-14)
        #expect(abs(angles.pitch) <= .pi / 2 && abs(angles.yaw) <= .pi && abs(angles.roll) <= .pi, "\(angles)")
    }

    @Test(arguments: 0..<100) func anglesRoundTrip(number: Int) {
        var random = TestRandom(case: number)
        let angles = EulerAngles(
            pitch: random.uniform(-1.5...1.5), yaw: random.uniform(-3.1...3.1), roll: random.uniform(-3.1...3.1))
        let found = Rotation(angles).eulerAngles
        // Within 0.07 rad of the poles the rounding errors of the quaternion count up to thirtyfold.
        expectClose(
            Vector3(found.pitch, found.yaw, found.roll), Vector3(angles.pitch, angles.yaw, angles.roll),
            tolerance: 2e-14)
    }

    /// Towards the pole only yaw and roll lose digits, not the rotation that they describe.
    @Test(arguments: [1e-3, 1e-6, 1e-9, 1e-12, 1e-13, 3e-14, 1e-14, 1e-15, 0], [-1.0, 1.0])
    func closeToThePole(distance: Double, side: Double) {
        var random = TestRandom()
        for _ in 0..<20 {
            let rotation = Rotation(
                EulerAngles(
                    pitch: side * (.pi / 2 - distance), yaw: random.uniform(-3...3), roll: random.uniform(-3...3)))
            expectClose(Rotation(rotation.eulerAngles), rotation, tolerance: 4e-14)
        }
    }

    @Test(arguments: [-1.0, 1.0]) func atThePoleTheRollIsZero(side: Double) {
        let angles = Rotation(EulerAngles(pitch: side * .pi / 2, yaw: 0.5, roll: 0.25)).eulerAngles
        #expect(angles.roll == 0)
        expectClose(angles.yaw, 0.5 - side * 0.25, tolerance: 1e-14)
        expectClose(angles.pitch, side * .pi / 2, tolerance: 1e-14)
    }
}
