// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

/// Rotations at the ends of what numbers can say: no direction, no angle, half a turn, many turns.
@Suite struct RotationDomainTests {
    @Test(arguments: [0.0, .leastNonzeroMagnitude, 1e-200, 1e-9, 1, 3.141592653589793, 6.283, 1e3, 1e15, 1e300])
    func anglesOfAnySize(
        angle: Double
    ) throws {
        var random = TestRandom()
        let axis = random.direction()
        let rotation = try #require(Rotation(angle: angle, axis: axis * 1e-250))
        expectClose(rotation.coefficients.length, 1, tolerance: 4e-16)
        #expect(rotation.angle <= .pi)
        // What the axis is turned to is the axis, what is at a right angle to it turns by the angle.
        expectClose(rotation * axis, axis, tolerance: 4e-16)
        let across = try #require(axis.anyPerpendicular())
        let turned = rotation * across
        // The doubled half angle is exact, so that the only errors are those of the products.
        expectClose(turned.dot(across), cos(angle), tolerance: 2e-15)
        expectClose(turned.dot(axis.cross(across)), sin(angle), tolerance: 2e-15)
        let undone = try #require(Rotation(angle: -angle, axis: axis))
        expectClose(rotation * undone, .identity, tolerance: 1e-15)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func noAngle(angle: Double) {
        #expect(Rotation(angle: angle, axis: Vector3(0, 1, 0)) == nil)
    }

    @Test(arguments: [Vector3.zero, Vector3(.nan, 1, 0), Vector3(1, 0, .nan), Vector3(0, .infinity, 0)])
    func noAxis(axis: Vector3) {
        #expect(Rotation(angle: 1, axis: axis) == nil)
        #expect(axis.normalized() == nil)
        #expect(Rotation(from: axis, to: Vector3(1, 0, 0)) == nil)
        #expect(Ray(origin: .zero, direction: axis) == nil)
        #expect(Plane(normal: axis, through: .zero) == nil)
        for position in 0..<4 {
            var q = [axis.x, axis.y, axis.z]
            q.insert(0, at: position)
            #expect(Rotation(x: q[0], y: q[1], z: q[2], w: q[3]) == nil)
        }
    }

    /// Half a turn about each axis: the quaternion's real part is zero, and both signs of the axis are right.
    @Test(arguments: [
        Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(-0.6, 0.8, 0), Vector3(0, 0.6, -0.8),
    ])
    func exactlyHalfATurn(axis: Vector3) throws {
        let rotation = Rotation(unitCoefficients: Vector4(axis, 0))
        let negated = Rotation(unitCoefficients: Vector4(-axis, 0))
        #expect(rotation == negated)
        #expect(rotation.hashValue == negated.hashValue)
        #expect(rotation.angle == .pi)
        #expect(rotation.rotationVector == negated.rotationVector)
        expectClose(rotation.rotationVector.length, .pi, tolerance: 5e-16)
        expectClose(Rotation(rotationVector: rotation.rotationVector), rotation, tolerance: 4e-16)
        expectClose(try #require(Rotation(rotation.matrix)), rotation, tolerance: 4e-16)
        expectClose(Rotation(rotation.eulerAngles), rotation, tolerance: 1e-15)
        let twist = RigidTransform(rotation: rotation, translation: Vector3(1, 2, 3)).twist
        expectClose(
            RigidTransform(twist), RigidTransform(rotation: rotation, translation: Vector3(1, 2, 3)), radians: 1e-15,
            metres: 4e-15)
    }

    /// Directions that are opposite up to the last digit cancel to noise, of which nothing may reach the result.
    @Test(arguments: 0..<2000) func oppositeUpToTheLastDigit(number: Int) throws {
        var random = TestRandom(case: number)
        let source = random.direction() * random.uniform(0.1...10)
        var target = -source * random.uniform(0.1...10)
        if number % 2 == 0 {
            target.x = number % 4 == 0 ? target.x.nextUp : target.x.nextDown
        }
        let rotation = try #require(Rotation(from: source, to: target))
        expectClose(rotation * source.normalized()!, target.normalized()!, tolerance: 4e-15)
        expectClose(rotation.angle, .pi, tolerance: 4e-15)
    }

    @Test func signsOfZeroDoNotDistinguishRotations() {
        let plus = Rotation(unitCoefficients: Vector4(0, 1, 0, 0))
        let minus = Rotation(unitCoefficients: Vector4(-0.0, 1, -0.0, -0.0))
        #expect(plus == minus && plus.hashValue == minus.hashValue)
    }
}
