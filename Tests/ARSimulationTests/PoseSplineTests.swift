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
            // The controls are found by iteration, until nothing is lacking.
            #expect(found.rotation.angle(to: pose.rotation) < 1e-12)
        }
    }

    @Test(arguments: 0..<20) func derivativesAreTheDerivatives(number: Int) {
        var random = TestRandom(case: number)
        let spline = Self.motion(&random).spline
        for _ in 0..<20 {
            // Between knots the motion is smooth, and extrapolated differences are exact to some nine digits.
            let t = (random.uniform(0...7).rounded(.down) + random.uniform(0.1...0.9)) * 0.4
            let state = spline.state(at: t)
            #expect(state.worldFromBody == spline.worldFromBody(at: t))
            expectJacobian(
                [state.velocity], of: { spline.worldFromBody(at: $0).translation }, at: t, tolerance: 1e-8)
            expectJacobian([state.acceleration], of: { spline.state(at: $0).velocity }, at: t, tolerance: 1e-8)
            let bodyFromWorld = state.worldFromBody.rotation.inverse
            expectJacobian(
                [state.angularVelocityInBody],
                of: { (bodyFromWorld * spline.worldFromBody(at: $0).rotation).rotationVector }, at: t, tolerance: 1e-8)
            expectJacobian(
                [state.angularAccelerationInBody], of: { spline.state(at: $0).angularVelocityInBody }, at: t,
                tolerance: 1e-7)
        }
    }

    @Test(arguments: 0..<20) func isTwiceContinuouslyDifferentiable(number: Int) {
        var random = TestRandom(case: number)
        let spline = Self.motion(&random).spline
        // Over a knot, everything may change by no more than its next derivative, below 1e3, makes of 2 ns.
        let h = 1e-9
        for knot in 1..<8 {
            let (before, after) = (spline.state(at: Double(knot) * 0.4 - h), spline.state(at: Double(knot) * 0.4 + h))
            #expect((after.velocity - before.velocity).length < 2e-6)
            #expect((after.acceleration - before.acceleration).length < 2e-6)
            #expect((after.angularVelocityInBody - before.angularVelocityInBody).length < 2e-6)
            #expect((after.angularAccelerationInBody - before.angularAccelerationInBody).length < 2e-6)
        }
    }

    /// The largest turns that are promised, in any direction from one pose to the next.
    @Test(arguments: 0..<20) func passesThroughLargeTurns(number: Int) {
        var random = TestRandom(case: number)
        var rotations = [random.rotation()]
        for _ in 0..<12 {
            rotations.append(rotations[rotations.count - 1] * Rotation(rotationVector: random.direction()))
        }
        let spline = RotationSpline(through: rotations)
        let worst = rotations.indices.map { spline.value(at: Double($0)).angle(to: rotations[$0]) }.max() ?? .nan
        #expect(worst < 1e-12)
    }

    @Test func standsStillOutside() {
        var random = TestRandom()
        let (poses, spline) = Self.motion(&random)
        #expect((spline.worldFromBody(at: -1).translation - poses[0].translation).length < 1e-12)
        #expect((spline.worldFromBody(at: 99).translation - poses[8].translation).length < 1e-12)
        #expect(spline.endSeconds == 8 * 0.4)
        for outside in [-1, 99] as [Double] {
            let state = spline.state(at: outside)
            #expect(state.velocity == .zero && state.acceleration == .zero)
            #expect(state.angularVelocityInBody == .zero)
        }
    }
}
