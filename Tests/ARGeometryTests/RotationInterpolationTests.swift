// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@Suite struct RotationInterpolationTests {
    @Test(arguments: 0..<100) func fromTo(number: Int) throws {
        var random = TestRandom(case: number)
        let source = random.direction()
        let target = random.direction()
        let rotation = try #require(Rotation(from: source * 1e-200, to: target * 1e200))
        expectClose(rotation * source, target, tolerance: 4e-15)
        // Shortest: its angle is the angle between the directions, and its axis is at a right angle to both.
        expectClose(rotation.angle, atan2(source.cross(target).length, source.dot(target)), tolerance: 4e-15)
    }

    @Test(arguments: [0, 1e-300, 1e-17, 1e-16, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3]) func fromToAlmostOpposite(
        distance: Double
    ) throws {
        var random = TestRandom()
        for _ in 0..<50 {
            let source = random.direction()
            let aside = try #require(source.anyPerpendicular())
            let target = try #require((aside * distance - source).normalized())
            let rotation = try #require(Rotation(from: source, to: target))
            expectClose(rotation * source, target, tolerance: 4e-15)
            expectClose(rotation.angle, .pi - atan(distance), tolerance: 4e-15)
        }
    }

    @Test(arguments: [0, 1e-17, 1e-12, 1e-6]) func fromToAlmostTheSame(distance: Double) throws {
        var random = TestRandom()
        let source = random.direction()
        let aside = try #require(source.anyPerpendicular())
        let rotation = try #require(Rotation(from: source, to: source + aside * distance))
        // A rounding error of the directions' components turns the rotation by as much.
        expectClose(rotation.rotationVector, source.cross(aside) * atan(distance), tolerance: 4e-16)
    }

    @Test func fromToOfNoDirection() {
        #expect(Rotation(from: .zero, to: Vector3(1, 0, 0)) == nil)
        #expect(Rotation(from: Vector3(1, 0, 0), to: .zero) == nil)
        #expect(Rotation(from: Vector3(1, .nan, 0), to: Vector3(1, 0, 0)) == nil)
    }

    /// Against Shoemake's formula with sines, where that is well conditioned.
    @Test(arguments: 0..<100) func slerp(number: Int) throws {
        var random = TestRandom(case: number)
        let source = random.rotation()
        let target = source * Rotation(rotationVector: random.direction() * random.uniform(0.1...3))
        let fraction = random.uniform(0...1)
        let p = source.coefficients
        let q = p.dot(target.coefficients) < 0 ? -target.coefficients : target.coefficients
        let halfAngle = acos(p.dot(q))
        let expected = p * sin((1 - fraction) * halfAngle) + q * sin(fraction * halfAngle)
        // The arc cosine costs the formula, not us, up to 1e-15 / sin(0.05).
        expectClose(
            source.interpolated(to: target, fraction: fraction),
            try #require(Rotation(x: expected.x, y: expected.y, z: expected.z, w: expected.w)), tolerance: 1e-13)
    }

    @Test(arguments: 0..<100) func constantSpeedOnTheShortestArc(number: Int) {
        var random = TestRandom(case: number)
        let source = random.rotation()
        let target = random.rotation()
        let angle = source.angle(to: target)
        expectClose(source.interpolated(to: target, fraction: 0), source, tolerance: 4e-15)
        expectClose(source.interpolated(to: target, fraction: 1), target, tolerance: 4e-15)
        for fraction in [0.25, 0.5, 0.9] {
            let between = source.interpolated(to: target, fraction: fraction)
            expectClose(source.angle(to: between), fraction * angle, tolerance: 4e-15)
            expectClose(between.angle(to: target), (1 - fraction) * angle, tolerance: 4e-15)
        }
    }

    @Test(arguments: 0..<50) func antipodalQuaternions(number: Int) {
        var random = TestRandom(case: number)
        let source = random.rotation()
        let target = random.rotation()
        let opposite = Rotation(unitCoefficients: -target.coefficients)
        expectClose(source.interpolated(to: source, fraction: 0.3), source, tolerance: 4e-15)
        expectClose(
            source.interpolated(to: Rotation(unitCoefficients: -source.coefficients), fraction: 0.3), source,
            tolerance: 4e-15)
        expectClose(
            source.interpolated(to: opposite, fraction: 0.3), source.interpolated(to: target, fraction: 0.3),
            tolerance: 4e-15)
    }

    @Test func halfATurnApart() {
        let target = Rotation(unitCoefficients: Vector4(-1, 0, 0, 0))
        expectClose(
            Rotation.identity.interpolated(to: target, fraction: 0.5),
            Rotation(rotationVector: Vector3(.pi / 2, 0, 0)), tolerance: 1e-15)
    }
}
