// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import AREvaluation
import ARGeometry
import Foundation
import TestSupport
import Testing

@Suite struct AlignmentTests {
    private func evaluate(
        _ estimate: Trajectory, _ alignment: TrajectoryAlignment, up: Vector3 = Vector3(0, 1, 0)
    ) throws -> Evaluation {
        var options = EvaluationOptions()
        options.alignment = alignment
        options.up = up
        return try Evaluation(of: estimate, against: windingWay(), options)
    }

    @Test(arguments: 0..<20) func whatWasDoneIsFound(number: Int) throws {
        var random = TestRandom(case: number)
        let truth = windingWay()
        for alignment in [TrajectoryAlignment.rigid, .similarity, .origin, .originYaw, .yaw, .scale] {
            let moved: Similarity
            switch alignment {
            case .rigid, .origin:
                moved = Similarity(RigidTransform(rotation: random.rotation(), translation: random.vector3()))
            case .yaw, .originYaw: moved = Similarity(random.yawAndPlace())
            case .scale: moved = Similarity(scale: random.uniform(0.1...10))
            default:
                moved = Similarity(
                    scale: random.uniform(0.1...10), rotation: random.rotation(), translation: random.vector3())
            }
            let found = try #require(
                alignment.truthFromEstimate(estimate: truth.moved(by: moved).transforms, truth: truth.transforms))
            expectClose(
                found, moved.inverse, radians: 1e-12, metres: 1e-11 / moved.scale, scale: 1e-12, "\(alignment)")
        }
    }

    @Test(arguments: 0..<10) func errorsDoNotDependOnWhatIsAlignedAway(number: Int) throws {
        var random = TestRandom(case: number)
        let estimate = windingWay().disturbed(&random)
        let rigid = RigidTransform(rotation: random.rotation(), translation: random.vector3(-5...5))
        let scaled = Similarity(
            scale: random.uniform(0.2...5), rotation: rigid.rotation, translation: rigid.translation)
        let cases: [(TrajectoryAlignment, Similarity)] = [
            (.rigid, Similarity(rigid)), (.origin, Similarity(rigid)), (.similarity, scaled),
            (.yaw, Similarity(random.yawAndPlace())), (.originYaw, Similarity(random.yawAndPlace())),
        ]
        for (alignment, change) in cases {
            let before = try evaluate(estimate, alignment)
            let after = try evaluate(estimate.moved(by: change), alignment)
            #expect(before.position.rmse > 1e-3)
            for (a, b) in zip(before.errors, after.errors) {
                expectClose(a.metres, b.metres, tolerance: 1e-11, "\(alignment)")
                expectClose(a.radians, b.radians, tolerance: 1e-11, "\(alignment)")
            }
        }
    }

    @Test(arguments: [Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(0.6, 0, -0.8)])
    func yawLeavesGravityAlone(up: Vector3) throws {
        var random = TestRandom()
        for alignment in [TrajectoryAlignment.yaw, .originYaw] {
            let tilted = windingWay().disturbed(&random).moved(by: random.rigidTransform())
            let found = try evaluate(tilted, alignment, up: up).truthFromEstimate
            expectClose(found.rotation * up, up, tolerance: 1e-14, "\(alignment)")
            #expect(found.scale == 1)
        }
    }

    @Test(arguments: 0..<10) func noNearbyAlignmentIsBetter(number: Int) throws {
        var random = TestRandom(case: number)
        let truth = windingWay().transforms.map(\.translation)
        let estimate = windingWay().disturbed(&random).moved(by: random.similarity())
        let points = estimate.transforms.map(\.translation)
        func cost(_ transform: Similarity) -> Double {
            zip(points, truth).reduce(0) { $0 + (transform * $1.0 - $1.1).squaredLength }
        }
        for alignment in [TrajectoryAlignment.rigid, .similarity, .yaw] {
            let best = try evaluate(estimate, alignment).truthFromEstimate
            let lowest = cost(best)
            for _ in 0..<20 {
                let turn = alignment == .yaw ? Vector3(0, random.uniform(), 0) : random.vector3()
                let change = Similarity(
                    scale: alignment == .similarity ? 1 + 1e-3 * random.uniform() : 1,
                    rotation: Rotation(rotationVector: 1e-3 * turn), translation: 1e-3 * random.vector3())
                #expect(cost(change * best) > lowest)
                #expect(cost(best * change) > lowest)
            }
        }
    }

    @Test func posesOnALineDoNotDetermineARotation() throws {
        let line = windingWay().mapPoses { index, _ in
            RigidTransform(translation: Vector3(Double(index), 2, 0.5 * Double(index)))
        }
        let upright = windingWay().mapPoses { index, _ in RigidTransform(translation: Vector3(1, Double(index), 3)) }
        let still = windingWay().mapPoses { _, _ in RigidTransform(translation: Vector3(1, 2, 3)) }
        for (truth, undetermined) in [
            (line, [TrajectoryAlignment.rigid, .similarity, .scale]),
            (upright, [.rigid, .similarity, .scale, .yaw]), (still, [.rigid, .similarity, .scale, .yaw]),
        ] {
            for alignment in TrajectoryAlignment.allCases {
                let found = alignment.truthFromEstimate(estimate: truth.transforms, truth: truth.transforms)
                #expect((found == nil) == undetermined.contains(alignment), "\(alignment)")
            }
        }
        #expect(TrajectoryAlignment.none.truthFromEstimate(estimate: [], truth: []) == nil)
    }

    @Test func aPlaneDeterminesARotation() throws {
        let flat = windingWay().mapPoses { RigidTransform(translation: Vector3($1.translation.x, 0, $1.translation.z)) }
        var random = TestRandom()
        let moved = Similarity(RigidTransform(rotation: random.rotation(), translation: random.vector3()))
        let found = TrajectoryAlignment.rigid.truthFromEstimate(
            estimate: flat.moved(by: moved).transforms, truth: flat.transforms)
        expectClose(try #require(found), moved.inverse, radians: 1e-12, metres: 1e-12, scale: 0)
    }

    @Test func aMirrorImageIsNotTakenForARotation() throws {
        let mirrored = windingWay().mapPoses {
            RigidTransform(translation: $1.translation * Vector3(1, 1, -1))
        }
        let evaluation = try evaluate(mirrored, .rigid)
        #expect(evaluation.position.rmse > 0.1)
        expectClose(evaluation.truthFromEstimate.rotation.coefficients.length, 1, tolerance: 1e-12)
    }
}
