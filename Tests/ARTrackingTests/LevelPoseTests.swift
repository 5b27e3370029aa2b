// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation
import TestSupport
import Testing

@testable import ARTracking

@Suite struct LevelPoseTests {
    private func sight(of point: Point3, from worldFromLevel: RigidTransform) throws -> LevelPose.Sight {
        let direction = try #require((worldFromLevel.inverse * point).normalized())
        return LevelPose.Sight(directionInLevel: direction, pointInWorld: point)
    }

    /// One of the solutions is the pose, and each of them sees both points where they are seen.
    @Test(arguments: 0..<200) func twoPointsGiveThePose(number: Int) throws {
        var random = TestRandom(case: number)
        let truth = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0, random.uniform(-3.1...3.1), 0)),
            translation: random.vector3(-5...5))
        let points = [random.vector3(-5...5), random.vector3(-5...5)]
        let sights = try points.map { try sight(of: $0, from: truth) }
        let (first, second) = LevelPose.worldFromLevel(sights[0], sights[1])
        let poses = [first, second].compactMap { $0 }
        #expect(
            poses.contains {
                $0.rotation.angle(to: truth.rotation) < 1e-6 && ($0.translation - truth.translation).length < 1e-5
            })
        for pose in poses {
            for sight in sights {
                let seen = try #require((pose.inverse * sight.pointInWorld).normalized())
                expectClose(seen, sight.directionInLevel, tolerance: 1e-7)
                expectClose(pose.rotation * Vector3(0, 1, 0), Vector3(0, 1, 0), tolerance: 1e-12)
            }
        }
    }

    /// Points one above the other leave the heading open, the horizon leaves the distance open.
    @Test func openProblemsHaveNoSolution() throws {
        let level = RigidTransform.identity
        let above = try (sight(of: Point3(1, 1, -2), from: level), sight(of: Point3(1, 2, -2), from: level))
        #expect(LevelPose.worldFromLevel(above.0, above.1) == (nil, nil))
        let horizon = try (sight(of: Point3(1, 0, -2), from: level), sight(of: Point3(-1, 0, -3), from: level))
        #expect(LevelPose.worldFromLevel(horizon.0, horizon.1) == (nil, nil))
    }
}
