// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@Suite struct PlaneTests {
    /// Lengths from micrometres to megametres, so that a hidden absolute tolerance would show.
    static let scales = [1e-6, 1, 1e6]

    @Test(arguments: 0..<100) func threePointsLieOnTheirPlane(number: Int) throws {
        var random = TestRandom(case: number)
        let scale = Self.scales[number % 3]
        let (a, b, c) = (scale * random.vector3(), scale * random.vector3(), scale * random.vector3())
        let plane = try #require(Plane(through: a, b, c))
        for point in [a, b, c] { #expect(abs(plane.signedDistance(to: point)) < 1e-14 * scale) }
        let above = a + scale * (b - a).cross(c - a).normalized()!
        #expect(abs(plane.signedDistance(to: above) - scale) < 1e-11 * scale)
    }

    @Test(arguments: 0..<100) func rigidTransformKeepsDistances(number: Int) throws {
        var random = TestRandom(case: number)
        let plane = try #require(Plane(normal: random.direction(), through: random.vector3()))
        let bFromA = random.rigidTransform()
        let point = random.vector3()
        let tolerance = 1e-15 * (10 + bFromA.translation.length)
        #expect(abs((bFromA * plane).signedDistance(to: bFromA * point) - plane.signedDistance(to: point)) < tolerance)
    }

    @Test(arguments: 0..<50) func projectionIsTheNearestPoint(number: Int) throws {
        var random = TestRandom(case: number)
        let plane = try #require(Plane(normal: random.direction(), through: random.vector3()))
        let point = random.vector3()
        let foot = plane.projection(of: point)
        #expect(abs(plane.signedDistance(to: foot)) < 1e-15)
        #expect(abs((point - foot).length - abs(plane.signedDistance(to: point))) < 1e-15)
        #expect(plane.flipped.signedDistance(to: point) == -plane.signedDistance(to: point))
    }

    @Test func planeAnchorsHaveTheirNormalAlongY() throws {
        var random = TestRandom()
        let worldFromPlane = random.rigidTransform()
        let plane = Plane(worldFromPlane: worldFromPlane)
        let height = plane.signedDistance(to: worldFromPlane * Point3(3, 0.25, -2))
        #expect(abs(height - 0.25) < 1e-12)
    }

    @Test func degenerateInputHasNoPlane() {
        #expect(Plane(normal: .zero, through: .zero) == nil)
        #expect(Plane(normal: Vector3(.nan, 0, 0), through: .zero) == nil)
        #expect(Plane(through: Point3(1, 1, 1), Point3(2, 2, 2), Point3(4, 4, 4)) == nil)
        #expect(Plane(through: Point3(1, 1, 1), Point3(1, 1, 1), Point3(4, 0, 4)) == nil)
    }
}
