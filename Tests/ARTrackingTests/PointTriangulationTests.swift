// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// Points that several cameras saw: found where they are, as well as said, or not at all.
@Suite struct PointTriangulationTests {
    /// Cameras about the origin, half a metre apart, and a point that all of them see, one to six metres away.
    private struct Geometry {
        var cameras: [RigidTransform]
        var point: Point3

        init(_ random: inout TestRandom, cameraCount: Int) {
            let distance = random.uniform(1...6)
            point = random.direction() * distance
            let point = point
            cameras = (0..<cameraCount).map { _ in
                let place = random.vector3(-0.25...0.25)
                // The optical axis looks at the point, but for up to 0.4 rad, whichever way is up.
                let axis = (point - place).normalized()!
                let facing = Rotation(from: Vector3(0, 0, 1), to: axis) ?? Rotation(rotationVector: Vector3(.pi, 0, 0))
                let roll = Rotation(rotationVector: Vector3(0, 0, random.uniform(-3...3)))
                let off = Rotation(rotationVector: random.vector3(-0.23...0.23))
                return RigidTransform(rotation: (facing * roll * off).normalized, translation: place)
            }
        }

        /// What the cameras see, each direction with noise of that deviation.
        func sights(deviation: Double = 0, _ random: inout TestRandom) -> [Sight] {
            cameras.map { camera in
                let seen = camera.inverse * point
                let noise = deviation == 0 ? Vector2.zero : random.normalVector2() * deviation
                return Sight(worldFromOptical: camera, direction: Vector2(seen.x, seen.y) / seen.z + noise)
            }
        }

        /// x/z, y/z and 1/z in the first camera.
        var coordinates: Vector3 {
            let seen = cameras[0].inverse * point
            return Vector3(seen.x, seen.y, 1) / seen.z
        }
    }

    /// Without noise the point is where it is. With cameras half a metre apart and the point six metres away, the rounding of
    /// directions grows by about a hundred, and the last step stops at a part in 1e9 of what is left.
    @Test(arguments: 0..<200) func findsPointsWhereTheyAre(number: Int) throws {
        var random = TestRandom(case: number)
        let geometry = Geometry(&random, cameraCount: 2 + number % 11)
        let found = try #require(Triangulation(geometry.sights(&random)))
        expectClose(found.coordinates, geometry.coordinates, tolerance: 1e-7)
        #expect(found.error < 1e-9)
    }

    /// Where the world's origin is changes nothing, nor does the order of the sights after the first.
    @Test(arguments: 0..<50) func dependsOnNothingButTheGeometry(number: Int) throws {
        var random = TestRandom(case: number)
        let geometry = Geometry(&random, cameraCount: 6)
        let sights = geometry.sights(deviation: 1e-3, &random)
        let found = try #require(Triangulation(sights))
        let otherFromWorld = RigidTransform(rotation: random.rotation(), translation: random.vector3(-10...10))
        let moved = sights.map {
            Sight(worldFromOptical: otherFromWorld * $0.worldFromOptical, direction: $0.direction)
        }
        let reordered = [sights[0]] + sights.dropFirst().reversed()
        for other in [moved, reordered] {
            let again = try #require(Triangulation(other))
            // Both stop within a part in 1e9 of the smallest cost, which is flat there.
            expectClose(again.coordinates, found.coordinates, tolerance: 1e-6)
            expectClose(again.error, found.error, tolerance: 1e-8)
            expectClose(
                again.inverseDepthDeviation, found.inverseDepthDeviation, tolerance: 1e-4,
                scale: found.inverseDepthDeviation)
        }
    }

    /// No point near the one that was found explains the directions better, and the error is what is left of them.
    @Test(arguments: 0..<50) func explainsTheDirectionsBest(number: Int) throws {
        var random = TestRandom(case: number)
        let sights = Geometry(&random, cameraCount: 2 + number % 9).sights(deviation: 2e-3, &random)
        let found = try #require(Triangulation(sights))
        func error(_ coordinates: Vector3) -> Double {
            let point = sights[0].worldFromOptical * (Point3(coordinates.x, coordinates.y, 1) / coordinates.z)
            let squares = sights.map { sight in
                let seen = sight.worldFromOptical.inverse * point
                return (Vector2(seen.x, seen.y) / seen.z - sight.direction).squaredLength
            }
            return (squares.reduce(0, +) / Double(sights.count)).squareRoot()
        }
        let least = error(found.coordinates)
        expectClose(found.error, least, tolerance: 1e-12)
        for _ in 0..<20 {
            #expect(error(found.coordinates + random.direction() * 1e-3) >= least)
        }
    }

    /// Errors of the inverse depth scatter as much as they are said to: their squares, measured by the deviation, have the
    /// mean 1. That of 2000 is good to √(2/2000), three times which is 0.1.
    @Test func scattersAsSaid() throws {
        var random = TestRandom()
        let (count, deviation) = (2000, 1e-4)
        var sum = 0.0
        for _ in 0..<count {
            let geometry = Geometry(&random, cameraCount: 4)
            let found = try #require(Triangulation(geometry.sights(deviation: deviation, &random)))
            let error = found.coordinates.z - geometry.coordinates.z
            sum += pow(error / (found.inverseDepthDeviation * deviation), 2)
        }
        #expect(abs(sum / Double(count) - 1) < 0.1)
    }

    /// In a world that is twice as large, distances are twice as large, and so are their errors.
    @Test(arguments: 0..<20) func growsWithTheWorld(number: Int) throws {
        var random = TestRandom(case: number)
        let sights = Geometry(&random, cameraCount: 5).sights(deviation: 1e-3, &random)
        let larger = sights.map { sight in
            var pose = sight.worldFromOptical
            pose.translation *= 2
            return Sight(worldFromOptical: pose, direction: sight.direction)
        }
        let (found, twice) = (try #require(Triangulation(sights)), try #require(Triangulation(larger)))
        expectClose(twice.coordinates * Vector3(1, 1, 2), found.coordinates, tolerance: 1e-6)
        expectClose(
            twice.inverseDepthDeviation * 2, found.inverseDepthDeviation, tolerance: 1e-4,
            scale: found.inverseDepthDeviation)
    }

    @Test func oneSightTellsNoDistance() {
        var random = TestRandom()
        #expect(Triangulation([]) == nil)
        #expect(Triangulation(Geometry(&random, cameraCount: 1).sights(&random)) == nil)
    }

    /// A camera that only turns tells no distance: either nothing is found, or a distance that may be anything.
    @Test(arguments: 0..<50) func turningTellsNoDistance(number: Int) {
        var random = TestRandom(case: number)
        var geometry = Geometry(&random, cameraCount: 4)
        for index in geometry.cameras.indices { geometry.cameras[index].translation = geometry.cameras[0].translation }
        let found = Triangulation(geometry.sights(deviation: 1e-4, &random))
        #expect(found.map { isUnknown($0) } ?? true)
    }

    /// Parallel rays meet nowhere.
    @Test(arguments: 0..<50) func parallelRaysTellNoDistance(number: Int) {
        var random = TestRandom(case: number)
        let direction = random.vector2(-0.5...0.5)
        let rotation = random.rotation()
        let sights = (0..<4).map { _ in
            Sight(
                worldFromOptical: RigidTransform(rotation: rotation, translation: random.vector3(-0.25...0.25)),
                direction: direction)
        }
        let found = Triangulation(sights)
        #expect(found.map { isUnknown($0) } ?? true)
    }

    /// Rays that would meet behind the cameras are no sights of a point.
    @Test(arguments: 0..<200) func pointsBehindAreRefused(number: Int) {
        var random = TestRandom(case: number)
        var geometry = Geometry(&random, cameraCount: 2 + number % 5)
        for index in geometry.cameras.indices {
            let about = Rotation(rotationVector: Vector3(0, .pi, 0))
            geometry.cameras[index].rotation = (geometry.cameras[index].rotation * about).normalized
        }
        let found = Triangulation(geometry.sights(&random))
        #expect(found.map { isUnknown($0) || isBadlyExplained($0) } ?? true)
    }

    /// Whether a direction that is off by a pixel of a phone's camera (2 mrad) leaves the distance open.
    private func isUnknown(_ found: Triangulation) -> Bool {
        found.inverseDepthDeviation * 2e-3 > 0.5 * found.coordinates.z
    }

    /// Whether directions seen and expected are further apart than three such pixels.
    private func isBadlyExplained(_ found: Triangulation) -> Bool { found.error > 6e-3 }
}

extension TestRandom {
    /// Two independent numbers of the standard normal distribution (Box, Muller 1958).
    fileprivate mutating func normalVector2() -> Vector2 {
        let radius = (-2 * log(uniform(1e-300...1))).squareRoot()
        let angle = uniform(0...2 * .pi)
        return Vector2(radius * cos(angle), radius * sin(angle))
    }
}
