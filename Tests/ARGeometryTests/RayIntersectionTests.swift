// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@Suite struct RayIntersectionTests {
    @Test(arguments: 0..<200) func planeHitsLieOnBothRayAndPlane(number: Int) throws {
        var random = TestRandom(case: number)
        let scale = [1e-6, 1, 1e6][number % 3]
        let ray = Ray(origin: scale * random.vector3(), unitDirection: random.direction())
        let plane = try #require(Plane(normal: random.direction(), through: scale * random.vector3()))
        let approaches = (plane.signedDistance(to: ray.origin) > 0) == (plane.normal.dot(ray.direction) < 0)
        let distance = ray.distance(to: plane)
        #expect((distance != nil) == approaches)
        if let distance {
            let steepness = abs(plane.normal.dot(ray.direction))
            #expect(
                abs(plane.signedDistance(to: ray.point(at: distance))) < 1e-15 * (10 * scale + distance) / steepness)
            #expect(ray.intersection(with: plane) == ray.point(at: distance))
        }
    }

    @Test func whatIsParallelOrBehindIsNoHit() {
        let floor = Plane(unitNormal: Vector3(0, 1, 0), offset: 0)
        #expect(Ray(origin: Point3(0, 1, 0), unitDirection: Vector3(1, 0, 0)).distance(to: floor) == nil)
        #expect(Ray(origin: Point3(0, 0, 0), unitDirection: Vector3(1, 0, 0)).distance(to: floor) == nil)
        #expect(Ray(origin: Point3(0, 1, 0), unitDirection: Vector3(0, 1, 0)).distance(to: floor) == nil)
        #expect(Ray(origin: Point3(0, -1, 0), unitDirection: Vector3(0, 1, 0)).distance(to: floor) == 1)
        #expect(Ray(origin: .zero, direction: .zero) == nil)
        #expect(Ray(from: Point3(1, 2, 3), through: Point3(1, 2, 3)) == nil)
    }

    @Test(arguments: 0..<200) func triangleHitsAreWhereTheirWeightsSay(number: Int) throws {
        var random = TestRandom(case: number)
        let scale = [1e-6, 1, 1e6][number % 3]
        let corners = (0..<3).map { _ in scale * random.vector3() }
        let weights = Vector3(random.uniform(0.01...1), random.uniform(0.01...1), random.uniform(0.01...1))
        let target = (weights.x * corners[0] + weights.y * corners[1] + weights.z * corners[2]) / weights.sum()
        let plane = try #require(Plane(through: corners[0], corners[1], corners[2]))
        let origin = target + scale * random.uniform() * 5 * (plane.normal + 0.5 * random.vector3())
        let ray = try #require(Ray(from: origin, through: target))
        let hit = try #require(ray.intersection(withTriangle: corners[0], corners[1], corners[2]))
        #expect((ray.point(at: hit.distance) - target).length < 1e-11 * scale)
        #expect((hit.barycentrics - weights / weights.sum()).length < 1e-10)
        #expect(hit.isFrontFace == (plane.signedDistance(to: origin) > 0))
        let away = Ray(origin: origin, unitDirection: -ray.direction)
        #expect(away.intersection(withTriangle: corners[0], corners[1], corners[2]) == nil)
        let outside = corners[0] + 0.01 * (corners[0] - 0.5 * (corners[1] + corners[2]))
        let miss = try #require(Ray(from: origin, through: outside))
        #expect(miss.intersection(withTriangle: corners[0], corners[1], corners[2]) == nil)
    }

    @Test(arguments: 0..<2000) func trianglesAreWatertight(number: Int) throws {
        var random = TestRandom(case: number)
        // A fan around the origin, tilted; rays aimed at points of the common edges may not slip through.
        let tilt = random.rotation()
        let rim = (0..<6).map { tilt * Point3(cos(Double($0) * .pi / 3), 0, sin(Double($0) * .pi / 3)) }
        let target = random.uniform(0...0.99) * rim[number % 6]
        let ray = try #require(Ray(from: tilt * Point3(random.uniform(), 2, random.uniform()), through: target))
        let hits = (0..<6).compactMap { ray.intersection(withTriangle: .zero, rim[$0], rim[($0 + 1) % 6]) }
        #expect(!hits.isEmpty)
    }

    @Test(arguments: 0..<300) func boxesAreTwelveTriangles(number: Int) throws {
        var random = TestRandom(case: number)
        let scale = [1e-6, 1, 1e6][number % 3]
        let box = OrientedBox(
            worldFromBox: RigidTransform(rotation: random.rotation(), translation: scale * random.vector3()),
            halfExtents: scale * Vector3(random.uniform(0.1...1), random.uniform(0.1...1), random.uniform(0.1...1)))
        let ray = Ray(origin: 3 * scale * random.vector3(), unitDirection: random.direction())
        let hits = TriangleMesh(box).triangleCorners.compactMap { ray.intersection(withTriangle: $0, $1, $2)?.distance }
        let interval = ray.distances(through: box)
        #expect((interval != nil) == !hits.isEmpty)
        guard let interval, let first = hits.min(), let last = hits.max() else { return }
        #expect(abs(interval.upperBound - last) < 1e-12 * scale)
        #expect(interval.lowerBound == 0 || abs(interval.lowerBound - first) < 1e-12 * scale)
        #expect((interval.lowerBound == 0) == box.contains(ray.origin))
    }

    @Test func raysAlongAFaceOfABoxHitIt() {
        let box = AxisAlignedBox(minimum: Point3(0, 0, 0), maximum: Point3(1, 1, 1))
        #expect(Ray(origin: Point3(-1, 0, 0.5), unitDirection: Vector3(1, 0, 0)).distances(through: box) == 1...2)
        #expect(Ray(origin: Point3(-1, -1e-300, 0.5), unitDirection: Vector3(1, 0, 0)).distances(through: box) == nil)
        #expect(Ray(origin: Point3(2, 0.5, 0.5), unitDirection: Vector3(1, 0, 0)).distances(through: box) == nil)
        #expect(Ray(origin: Point3(0.5, 0.5, 0.5), unitDirection: Vector3(0, 0, -1)).distances(through: box) == 0...0.5)
    }

    @Test(arguments: 0..<100) func closestPointOfABoxIsNearerThanItsOtherPoints(number: Int) {
        var random = TestRandom(case: number)
        let box = OrientedBox(worldFromBox: random.rigidTransform(), halfExtents: Vector3(0.5, 0.1, 2))
        let point = box.worldFromBox * (3 * random.vector3())
        let closest = box.closestPoint(to: point)
        let nearest = (point - closest).length
        for _ in 0..<20 {
            let other = box.worldFromBox * (box.halfExtents * random.vector3())
            #expect(box.contains(other))
            #expect(nearest <= (point - other).length + 1e-12)
        }
        #expect((nearest < 1e-12) == box.contains(point))
        #expect(box.corners.allSatisfy { ((box.worldFromBox.inverse * $0).squaredLength - 4.26) < 1e-9 })
    }

    @Test(arguments: 0..<50) func transformedRaysKeepTheirDistances(number: Int) {
        var random = TestRandom(case: number)
        let bFromA = random.rigidTransform()
        let ray = Ray(origin: random.vector3(), unitDirection: random.direction())
        let distance = random.uniform(0...10)
        let error = bFromA * ray.point(at: distance) - (bFromA * ray).point(at: distance)
        #expect(error.length < 1e-14 * (10 + bFromA.translation.length))
        #expect(ray.distance(to: ray.point(at: distance)) < 1e-14)
    }
}
