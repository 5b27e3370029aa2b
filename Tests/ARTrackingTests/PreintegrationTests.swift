// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRandom
import ARSensing
import Foundation
import TestSupport
import Testing

@testable import ARTracking

/// Inertial samples of a motion that is known in closed form, integrated.
@Suite struct PreintegrationTests {
    /// A hand's turns and pushes: sums of sines, with attitude and position integrated finely for the truth.
    private static func reading(_ t: Double) -> ImuReading {
        ImuReading(
            angularVelocity: Vector3(1.1 * sin(7 * t), 0.8 * cos(5 * t), 0.6 * sin(3 * t + 1)),
            specificForce: Vector3(2 * cos(6 * t), 9.8 + sin(4 * t), 1.5 * sin(9 * t)))
    }

    static let densities = PreintegratedMotion.Densities(gyroscope: 1e-6, accelerometer: 1e-4)

    /// Motions of so many steps, as noise spoils them all.
    static func noisyMotions(
        to ends: [Int], seconds dt: Double, _ random: inout SeededRandom
    ) -> [PreintegratedMotion] {
        let gyroscope = (densities.gyroscope / dt).squareRoot()
        let accelerometer = (densities.accelerometer / dt).squareRoot()
        var motion = PreintegratedMotion(errors: ImuErrors())
        var motions: [PreintegratedMotion] = []
        for step in 0..<(ends.last ?? 0) {
            // White noise of a step is the same at both its ends.
            var (a, b) = (reading(Double(step) * dt), reading(Double(step + 1) * dt))
            let noise = (random.normalTriple() * gyroscope, random.normalTriple() * accelerometer)
            a.angularVelocity += noise.0
            b.angularVelocity += noise.0
            a.specificForce += noise.1
            b.specificForce += noise.1
            motion.advance(from: a, to: b, seconds: dt, densities: densities)
            if ends.contains(step + 1) { motions.append(motion) }
        }
        return motions
    }

    static func motion(
        steps: Int, seconds: Double = 1, errors: ImuErrors = ImuErrors(), detail: PreintegratedMotion.Detail = .noise
    ) -> PreintegratedMotion {
        var motion = PreintegratedMotion(errors: errors, detail: detail)
        let dt = seconds / Double(steps)
        for step in 0..<steps {
            motion.advance(
                from: reading(Double(step) * dt), to: reading(Double(step + 1) * dt), seconds: dt, densities: densities)
        }
        return motion
    }

    /// The error falls with the second power of the step: that of taking rates between two samples as straight lines. At a
    /// phone's 100 Hz it is below what its noise adds.
    @Test func integratesGeneratedMotions() {
        let truth = Self.motion(steps: 20_000)
        var last = Double.infinity
        for steps in [50, 100, 200, 400] {
            let found = Self.motion(steps: steps)
            let error = found.rotation.angle(to: truth.rotation) + (found.velocity - truth.velocity).length
            #expect(error < last / 3.5)
            last = error
        }
        let found = Self.motion(steps: 100)
        #expect(found.rotation.angle(to: truth.rotation) < 2e-4)
        #expect((found.position - truth.position).length < 1e-3)
    }

    /// What else is known of a motion does not change it.
    @Test func detailChangesNothing() {
        let known = Self.motion(steps: 50)
        for detail in [PreintegratedMotion.Detail.motion, .derivatives] {
            let found = Self.motion(steps: 50, detail: detail)
            #expect(found.rotation == known.rotation && found.position == known.position)
            #expect(found.velocity == known.velocity && found.seconds == known.seconds)
            let areDerivativesKnown = found.byGyroscope.x.position == known.byGyroscope.x.position
            #expect(areDerivativesKnown == (detail == .derivatives))
        }
    }

    /// What happened is what happened first and then what happened next.
    @Test func isAdditive() {
        let whole = Self.motion(steps: 200)
        var (first, second) = (PreintegratedMotion(errors: ImuErrors()), PreintegratedMotion(errors: ImuErrors()))
        for step in 0..<200 {
            let (a, b) = (Self.reading(Double(step) * 0.005), Self.reading(Double(step + 1) * 0.005))
            if step < 80 {
                first.advance(from: a, to: b, seconds: 0.005, densities: Self.densities)
            } else {
                second.advance(from: a, to: b, seconds: 0.005, densities: Self.densities)
            }
        }
        let both = first.followed(by: second)
        #expect(both.rotation.angle(to: whole.rotation) < 1e-12)
        #expect((both.velocity - whole.velocity).length < 1e-12)
        #expect((both.position - whole.position).length < 1e-12)
    }

    /// The state before a motion is the one that the motion leads on from.
    @Test(arguments: 0..<20) func aMotionIsUndone(number: Int) {
        var random = TestRandom(case: number)
        let (start, end) = (Timestamp(nanoseconds: 7), Timestamp(nanoseconds: 1_000_000_007))
        let before = NavigationState(
            timestamp: start, worldFromImu: random.rigidTransform(), velocity: random.vector3(), errors: ImuErrors())
        let (motion, gravity) = (Self.motion(steps: 50), 9.8 * random.vector3())
        let after = before.advanced(by: motion, gravity: gravity, to: end)
        let found = after.before(motion, gravity: gravity, at: start)
        #expect(found.timestamp == start)
        #expect(found.worldFromImu.rotation.angle(to: before.worldFromImu.rotation) < 1e-12)
        #expect((found.worldFromImu.translation - before.worldFromImu.translation).length < 1e-11)
        #expect((found.velocity - before.velocity).length < 1e-11)
    }

    @Test func derivativesByErrors() {
        let base = Self.motion(steps: 400)
        func check(
            _ rotation: Matrix3x3?, _ velocity: Matrix3x3, _ position: Matrix3x3,
            _ errors: (Int, Double) -> ImuErrors
        ) {
            for axis in 0..<3 {
                let h = 1e-5
                let (plus, minus) = (
                    Self.motion(steps: 400, errors: errors(axis, h)), Self.motion(steps: 400, errors: errors(axis, -h))
                )
                let turn = (plus.rotation * minus.rotation.inverse).rotationVector / (2 * h)
                let numericVelocity = (plus.velocity - minus.velocity) / (2 * h)
                let numericPosition = (plus.position - minus.position) / (2 * h)
                if let rotation { #expect((turn - rotation[axis]).length < 0.01 * (0.1 + turn.length)) }
                #expect((numericVelocity - velocity[axis]).length < 0.01 * (0.1 + numericVelocity.length))
                #expect((numericPosition - position[axis]).length < 0.01 * (0.1 + numericPosition.length))
            }
        }
        let (g, a) = (base.byGyroscope, base.byAccelerometer)
        func axis(_ index: Int, _ value: Double) -> Vector3 {
            var vector = Vector3.zero
            vector[index] = value
            return vector
        }
        check(g.bias.rotation, g.bias.velocity, g.bias.position) { ImuErrors(gyroscopeBias: axis($0, $1)) }
        check(nil, a.bias.velocity, a.bias.position) { ImuErrors(accelerometerBias: axis($0, $1)) }
        for (column, (gyroscope, accelerometer)) in [(g.x, a.x), (g.y, a.y), (g.z, a.z)].enumerated() {
            check(gyroscope.rotation, gyroscope.velocity, gyroscope.position) { row, value in
                var errors = ImuErrors()
                errors.gyroscopeDistortion[column] = axis(row, value)
                return errors
            }
            check(nil, accelerometer.velocity, accelerometer.position) { row, value in
                var errors = ImuErrors()
                errors.accelerometerDistortion[column] = axis(row, value)
                return errors
            }
        }
    }

    /// Many noisy integrations scatter as the covariance says.
    @Test func noiseIsAsSimulated() {
        var random = SeededRandom(seed: 1, purpose: "preintegration noise")
        let truth = Self.motion(steps: 100, seconds: 0.5)
        var (turn, speed, place) = (0.0, 0.0, 0.0)
        let count = 400
        for _ in 0..<count {
            let motion = Self.noisyMotions(to: [100], seconds: 0.005, &random)[0]
            turn += (motion.rotation * truth.rotation.inverse).rotationVector.squaredLength
            speed += (motion.velocity - truth.velocity).squaredLength
            place += (motion.position - truth.position).squaredLength
        }
        // A mean of 400 sums of three squares is good to 4 %; three standard deviations.
        #expect(abs(turn / Double(count) / truth.noise.rotation.trace - 1) < 0.13)
        #expect(abs(speed / Double(count) / truth.noise.velocity.trace - 1) < 0.15)
        #expect(abs(place / Double(count) / truth.noise.position.trace - 1) < 0.15)
    }
}
