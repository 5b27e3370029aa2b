// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@testable import ARTracking

/// How rays follow the poses that they were seen from.
@Suite struct CloneCorrectionsTests {
    /// An estimator in the middle of a walk.
    private static func odometry() throws -> Odometry {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 3, seed: 3)
        var run = PointCloudRun(session)
        session.forEachFrame { frame, history in run.step(frame, history: history) }
        return try #require(run.odometry)
    }

    /// Where all poses move alike, so does every ray, of the window or of the past, and nothing is bent.
    @Test func raysMoveWithTheWorld() throws {
        let odometry = try Self.odometry()
        let correction = RigidTransform(
            rotation: Rotation(rotationVector: Vector3(0, 0.3, 0)), translation: Vector3(1, -2, 3))
        var corrected = odometry
        for slot in odometry.window {
            corrected.filter.clones[slot]!.worldFromImu = correction * odometry.filter.clones[slot]!.worldFromImu
        }
        var corrections = CloneCorrections()
        corrections.update(odometry, focus: Vector3(0, 0, 1))
        corrections.update(corrected, focus: Vector3(0, 0, 1))
        for clone in [odometry.window[0], odometry.window.last!, nil] {
            var sight = PointSight(
                origin: Vector3(0.1, 0.2, 0.3), ray: Vector3(0, 0.6, 0.8), variance: 1e-6, clone: clone)
            corrections.apply(to: &sight)
            expectClose(sight.origin, correction * Vector3(0.1, 0.2, 0.3), tolerance: 1e-9)
            expectClose(sight.ray, correction.rotation * Vector3(0, 0.6, 0.8), tolerance: 1e-9)
            if clone == nil { #expect(sight.displacement < 1e-18) }
        }
    }

    /// Where the newest poses alone are moved, rays of the past may be off by as much.
    @Test func aBentWayDisplacesThePast() throws {
        let odometry = try Self.odometry()
        var bent = odometry
        bent.filter.clones[odometry.window.last!]!.worldFromImu.translation += Vector3(0, 0.01, 0)
        var corrections = CloneCorrections()
        corrections.update(odometry, focus: .zero)
        corrections.update(bent, focus: .zero)
        var sight = PointSight(origin: .zero, ray: Vector3(0, 0, 1), variance: 1e-6, clone: nil)
        corrections.apply(to: &sight)
        expectClose(sight.displacement, 1e-4, tolerance: 1e-9)
    }

    /// The formula against poses that are moved by their errors, each by a little.
    @Test func displacementsAreThoseOfTheErrors() throws {
        let filter = try Self.odometry().filter
        let slots = filter.clones.indices.filter { filter.clones[$0] != nil }
        let (first, second, point) = (slots[0], slots[slots.count / 2], Vector3(0.4, -0.3, 2))
        let step = 1e-6
        func derivative(_ variable: Int) -> Vector3 {
            var (turn, shift) = (Vector3.zero, Vector3.zero)
            if variable % 6 < 3 { turn[variable % 6] = step } else { shift[variable % 6 - 3] = step }
            let moved = Rotation(rotationVector: turn) * point + shift
            return (moved - point) * ((variable < 6 ? 1 : -1) / step)
        }
        func variable(_ index: Int) -> Int { filter.layout.clone(index < 6 ? first : second) + index % 6 }
        var expected = 0.0
        for row in 0..<12 {
            for column in 0..<12 {
                expected +=
                    filter.covariance[variable(row), variable(column)] * derivative(row).dot(derivative(column)) / 3
            }
        }
        let found = filter.displacement(ofClone: first, from: second, at: point)
        expectClose(found, expected, tolerance: 1e-4, scale: expected)
        #expect(filter.displacement(ofClone: first, from: first, at: point) == 0)
    }
}
