// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@testable import ARTracking

@Suite struct RotationHeadingTests {
    private static func about(_ axis: Vector3, _ angle: Double) -> Rotation { Rotation(angle: angle, axis: axis)! }

    /// Turning the camera about the vertical turns its heading as much, however it is tilted, straight down included; a tilt
    /// alone leaves it.
    @Test func headingFollowsTurnsAboutUp() {
        for tilt in [-Double.pi / 2, -1.52, -0.7, 0, 0.7, 1.3] {
            let tilted = Self.about(Vector3(1, 0, 0), tilt)
            #expect(tilted.heading.angle(to: .identity) < 1e-9, "tilt \(tilt)")
            for angle in [-2.5, -0.3, 0.8, 3.0] {
                let turn = Self.about(Vector3(0, 1, 0), angle)
                #expect((turn * tilted).heading.angle(to: turn) < 1e-9, "tilt \(tilt), turn \(angle)")
            }
        }
    }

    @Test func partAboutUpComesNearest() {
        let rotation = Rotation(rotationVector: Vector3(0.4, 1.1, -0.3))
        let nearest = rotation.partAboutUp
        for step in -20...20 {
            let other = Self.about(Vector3(0, 1, 0), Double(step) * 0.15)
            #expect(rotation.angle(to: nearest) <= rotation.angle(to: other) + 1e-12)
        }
    }
}
