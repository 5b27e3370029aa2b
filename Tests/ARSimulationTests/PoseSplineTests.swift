// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import TestSupport
import Testing

@testable import ARSimulation

@Suite struct PoseSplineTests {
    /// Poses whose steps are at most about half a radian and half a metre, as a hand-held camera's are.
    private static func motion(_ random: inout TestRandom) -> (poses: [RigidTransform], spline: PoseSpline) {
        var poses = [RigidTransform(rotation: random.rotation(), translation: random.vector3())]
        for _ in 0..<8 {
            let step = RigidTransform(
                rotation: Rotation(rotationVector: random.vector3(-0.3...0.3)), translation: random.vector3(-0.3...0.3))
            poses.append(poses[poses.count - 1] * step)
        }
        return (poses, PoseSpline(through: poses, intervalSeconds: 0.4))
    }

    @Test(arguments: 0..<20) func passesThroughItsPoses(number: Int) {
        var random = TestRandom(case: number)
        let (poses, spline) = Self.motion(&random)
        for (index, pose) in poses.enumerated() {
            let found = spline.worldFromBody(at: Double(index) * 0.4)
            #expect((found.translation - pose.translation).length < 1e-12)
            // The controls are found by iteration; fifty rounds halve the error at least fifty times.
            #expect(found.rotation.angle(to: pose.rotation) < 1e-12)
        }
    }

    @Test(arguments: 0..<20) func velocitiesAreTheDerivatives(number: Int) {
        var random = TestRandom(case: number)
        let spline = Self.motion(&random).spline
        // Central differences of step h err by h²: 1e-8 here, times the third derivative, which is below 100.
        let h = 1e-4
        for _ in 0..<20 {
            let t = random.uniform(0.01...3.19)
            let (before, after) = (spline.worldFromBody(at: t - h), spline.worldFromBody(at: t + h))
            let velocity = (after.translation - before.translation) / (2 * h)
            #expect((velocity - spline.velocity(at: t)).length < 1e-6)
            let acceleration = (spline.velocity(at: t + h) - spline.velocity(at: t - h)) / (2 * h)
            // Across a knot the acceleration has a bend, and the difference errs by h times it.
            #expect((acceleration - spline.acceleration(at: t)).length < 2e-2)
            let turn = (before.rotation.inverse * after.rotation).rotationVector / (2 * h)
            #expect((turn - spline.angularVelocityInBody(at: t)).length < 1e-5)
        }
    }

    @Test(arguments: 0..<20) func isTwiceContinuouslyDifferentiable(number: Int) {
        var random = TestRandom(case: number)
        let spline = Self.motion(&random).spline
        // Over a knot, velocities and accelerations may change by no more than the next derivative allows in 2 ns.
        let h = 1e-9
        for knot in 1..<8 {
            let t = Double(knot) * 0.4
            #expect((spline.velocity(at: t + h) - spline.velocity(at: t - h)).length < 1e-6)
            #expect((spline.acceleration(at: t + h) - spline.acceleration(at: t - h)).length < 1e-5)
            #expect((spline.angularVelocityInBody(at: t + h) - spline.angularVelocityInBody(at: t - h)).length < 1e-6)
            // The angular acceleration from either side.
            let step = 1e-5
            let before = (spline.angularVelocityInBody(at: t - h) - spline.angularVelocityInBody(at: t - step)) / step
            let after = (spline.angularVelocityInBody(at: t + step) - spline.angularVelocityInBody(at: t + h)) / step
            #expect((before - after).length < 2e-2 + 2 * step * 1e3)
        }
    }

    @Test func standsStillOutside() {
        var random = TestRandom()
        let (poses, spline) = Self.motion(&random)
        #expect((spline.worldFromBody(at: -1).translation - poses[0].translation).length < 1e-12)
        #expect((spline.worldFromBody(at: 99).translation - poses[8].translation).length < 1e-12)
        #expect(spline.endSeconds == 8 * 0.4)
    }
}
