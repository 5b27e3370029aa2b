// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARRecording
import Foundation
import TestSupport
import Testing

@testable import ARSimulation

/// A published trajectory, in the file's own axes.
func publishedPoses(_ file: String) throws -> [TimedPose] {
    let reader = try TrajectoryReader(RealData.url("motion/\(file)"))
    var poses: [TimedPose] = []
    var first: Int64?
    while let row = try reader.next() {
        first = first ?? row.timestamp.nanoseconds
        let seconds = Double(row.timestamp.nanoseconds - (first ?? 0)) * 1e-9
        poses.append(TimedPose(seconds: seconds, worldFromBody: row.worldFromBody))
    }
    return poses
}

@Suite struct TrajectoryFitTests {
    /// A hand-held motion with knots every 0.2 s, and its poses at 100 Hz.
    private static func motion(_ random: inout TestRandom) -> (truth: PoseSpline, poses: [TimedPose]) {
        var pose = RigidTransform(rotation: random.rotation(), translation: random.vector3(-9...9))
        var knots = [pose]
        for _ in 0..<60 {
            pose =
                pose
                * RigidTransform(
                    rotation: Rotation(rotationVector: random.vector3(-0.1...0.1)),
                    translation: random.vector3(-0.03...0.03))
            knots.append(pose)
        }
        let truth = PoseSpline(through: knots, intervalSeconds: 0.2)
        return (
            truth,
            (0...1200).map {
                TimedPose(seconds: Double($0) / 100, worldFromBody: truth.worldFromBody(at: Double($0) / 100))
            }
        )
    }

    /// The root mean squares of the errors of acceleration and angular velocity, away from the ends and from a gap.
    private static func errors(
        of fit: PoseSpline, _ truth: PoseSpline, without gap: ClosedRange<Double> = 0...0
    ) -> (acceleration: Double, rate: Double) {
        let times = stride(from: 0.5, through: 11.5, by: 0.01).filter { !gap.contains($0) }
        let squares = times.map { time -> Vector2 in
            let (a, b) = (fit.state(at: time), truth.state(at: time))
            return Vector2(
                (a.acceleration - b.acceleration).squaredLength,
                (a.angularVelocityInBody - b.angularVelocityInBody).squaredLength)
        }
        let mean = squares.reduce(Vector2.zero, +) / Double(squares.count)
        return (mean.x.squareRoot(), mean.y.squareRoot())
    }

    @Test(arguments: 0..<5) func exactPosesGiveTheirMotion(number: Int) {
        var random = TestRandom(case: number)
        let (truth, poses) = Self.motion(&random)
        let fit = TrajectoryFit(poses, positionCutoffInHertz: 12, rotationCutoffInHertz: 12)
        let errors = Self.errors(of: fit.motion, truth)
        // The truth's acceleration, some 2 m/s², has bends at its knots, whose waves beyond 12 Hz are taken away.
        #expect(errors.acceleration < 0.06)
        #expect(errors.rate < 2e-3)
        #expect(fit.positionResidual < 5e-5)
        #expect(fit.rotationResidualRadians < 2e-4)
    }

    /// Half a millimetre and a milliradian of jitter at 100 Hz are 5 m/s² in second differences; doubled stamps and a gap
    /// are what published files have. The motion's accelerations must come out all the same.
    @Test(arguments: 0..<5) func jitterDoesNotBecomeAcceleration(number: Int) {
        var random = TestRandom(case: number)
        let (truth, exact) = Self.motion(&random)
        var poses: [TimedPose] = []
        for (index, pose) in exact.enumerated() where !(600..<640).contains(index) {
            var noisy = pose
            noisy.worldFromBody.translation += random.vector3(-0.0009...0.0009)
            noisy.worldFromBody.rotation =
                noisy.worldFromBody.rotation * Rotation(rotationVector: random.vector3(-0.0017...0.0017))
            poses.append(noisy)
            if index % 50 == 0 { poses.append(noisy) }
        }
        let fit = TrajectoryFit(poses)
        #expect((2...8).contains(fit.positionCutoffInHertz))
        #expect((2...9).contains(fit.rotationCutoffInHertz))
        let errors = Self.errors(of: fit.motion, truth, without: 5.7...6.7)
        #expect(errors.acceleration < 0.5)
        #expect(errors.rate < 0.03)
        // Over the gap nothing is known, and nothing wild is made up: the truth's accelerations reach some 4 m/s².
        for time in stride(from: 5.7, through: 6.7, by: 0.01) {
            #expect(fit.motion.state(at: time).acceleration.length < 8)
        }
        // What is left over is the jitter: the mean square of three uniform numbers.
        #expect(abs(fit.positionResidual - 0.0009) < 0.0002)
        #expect(abs(fit.rotationResidualRadians - 0.0017) < 0.0004)
    }

    @Test func twoPosesAreEnough() {
        let far = RigidTransform(translation: Vector3(1, 2, 3))
        let fit = TrajectoryFit([
            TimedPose(seconds: 5, worldFromBody: .identity), TimedPose(seconds: 6, worldFromBody: far),
        ])
        #expect(fit.motion.startSeconds == 5 && fit.motion.endSeconds == 6)
        expectClose(fit.motion.worldFromBody(at: 5), .identity, radians: 1e-9, metres: 1e-6)
        expectClose(fit.motion.worldFromBody(at: 6), far, radians: 1e-9, metres: 1e-6)
        expectClose(fit.motion.state(at: 5.5).velocity, Vector3(1, 2, 3), tolerance: 1e-5)
    }

    /// File, and the most that may be left over: millimetres and degrees, a third above what was measured. MH_03's positions
    /// come from a laser tracker that saw a flying robot a few times a second, those of the rooms from motion capture.
    static let published: [(file: String, millimeters: Double, degrees: Double)] = [
        ("table_01.txt", 0.065, 0.033), ("table_02.txt", 0.055, 0.025), ("table_03.txt", 0.043, 0.019),
        ("dataset-room1_512_16.txt", 0.53, 0.26), ("dataset-room2_512_16.txt", 0.8, 0.4),
        ("V1_01_easy.txt", 0.043, 0.044), ("V1_02_medium.txt", 0.1, 0.061), ("MH_03_medium.txt", 2.1, 0.09),
    ]

    @Test(.enabled(if: RealData.has("motion"), "motion is absent"), arguments: published)
    func publishedTrajectories(file: String, millimeters: Double, degrees: Double) throws {
        let poses = try publishedPoses(file)
        let fit = TrajectoryFit(poses)
        #expect(fit.positionResidual * 1e3 < millimeters)
        #expect(fit.rotationResidualRadians * 180 / .pi < degrees)
        // No jerk is invented: it stays below that of plain differences of the smoothed positions.
        let jerk = stride(from: 1, to: fit.motion.endSeconds - 1, by: 0.01).map { time -> Vector3 in
            let (before, after) = (fit.motion.state(at: time - 0.005), fit.motion.state(at: time + 0.005))
            return (after.acceleration - before.acceleration) / 0.01
        }
        #expect(jerk.rootMeanSquare < 1.1 * Self.smoothedJerk(of: poses).rootMeanSquare)
    }

    /// Third differences, 0.02 s apart, of positions at 100 Hz, interpolated and each averaged with its neighbours.
    private static func smoothedJerk(of poses: [TimedPose]) -> [Vector3] {
        var next = 1
        let even = stride(from: 0, to: poses[poses.count - 1].seconds, by: 0.01).map { time -> Vector3 in
            while poses[next].seconds < time { next += 1 }
            let (a, b) = (poses[next - 1], poses[next])
            let fraction = b.seconds > a.seconds ? (time - a.seconds) / (b.seconds - a.seconds) : 0
            return a.worldFromBody.translation
                + fraction * (b.worldFromBody.translation - a.worldFromBody.translation)
        }
        let smooth = even.indices.dropFirst().dropLast().map { even[($0 - 1)...($0 + 1)].reduce(.zero, +) / 3 }
        let step = 2
        return smooth.indices.dropLast(3 * step).map { index in
            let p = (0..<4).map { smooth[index + $0 * step] }
            return (p[3] - 3 * p[2] + 3 * p[1] - p[0]) / 8e-6
        }
    }

    /// The motion of a flight feels as the real sensor on board felt it.
    ///
    /// Up to 4 Hz, where a flight is, the power of specific force and angular velocity agrees. Above, the real sensor feels
    /// the propellers, which no trajectory knows: there the motion must feel less, and its extremes must not be wilder.
    @Test(
        .enabled(if: RealData.has("euroc_imu_only"), "euroc_imu_only is absent"),
        arguments: [
            ("V1_01_easy.txt", "V101.txt", 0.06), ("V1_02_medium.txt", "V102.txt", 0.06),
            ("MH_03_medium.txt", "MH03.txt", 0.25),
        ])
    func feelsAsTheRealSensorDid(file: String, imu: String, tolerance: Double) throws {
        let start = try #require(try TrajectoryReader(RealData.url("motion/\(file)")).next()).timestamp
        let fit = TrajectoryFit(try publishedPoses(file))
        let lines = try String(contentsOf: RealData.url("euroc_imu_only/\(imu)"), encoding: .utf8)
            .split(whereSeparator: \.isNewline)
        var (realForces, forces, realRates, rates) = ([Vector3](), [Vector3](), [Vector3](), [Vector3]())
        for line in lines.dropFirst() {
            let columns = line.split(separator: ",")
            let stamp = try #require(Int64(columns[0]))
            let seconds = Double(stamp - start.nanoseconds) * 1e-9
            guard (0...fit.motion.endSeconds).contains(seconds) else { continue }
            let numbers = columns.dropFirst().compactMap { Double($0) }
            realRates.append(Vector3(numbers[0], numbers[1], numbers[2]))
            realForces.append(Vector3(numbers[3], numbers[4], numbers[5]))
            var state = fit.motion.state(at: seconds)
            state.worldFromBody = .yUpFromZUp * state.worldFromBody
            state.acceleration = RigidTransform.yUpFromZUp.rotation * state.acceleration
            let reading = InertialSensor.perfectReading(of: state, gravity: 9.81)
            rates.append(reading.angularVelocity)
            forces.append(reading.specificForce)
        }
        for (real, ours) in [(realForces, forces), (realRates, rates)] {
            for (low, high) in [(0.25, 1.0), (1, 2), (2, 4)] {
                let (a, b) = (real.deviation(between: low, and: high), ours.deviation(between: low, and: high))
                #expect(abs(b / a - 1) < tolerance, "\(low) to \(high) Hz: \(b), the real sensor \(a)")
            }
            for (low, high) in [(4.0, 8.0), (8, 20)] {
                #expect(ours.deviation(between: low, and: high) < real.deviation(between: low, and: high))
            }
            let largest = { (vectors: [Vector3]) in vectors.map(\.length).max() ?? .nan }
            #expect(largest(ours) < 1.02 * largest(real))
        }
    }
}

extension [Vector3] {
    var rootMeanSquare: Double { (map(\.squaredLength).reduce(0, +) / Double(count)).squareRoot() }

    /// The standard deviation, over all axes, of the part of samples at 200 Hz that lies in a band: Welch's mean over
    /// pieces of four seconds.
    func deviation(between low: Double, and high: Double, rate: Double = 200) -> Double {
        let length = Int(4 * rate)
        var (power, pieces) = (0.0, 0.0)
        for start in stride(from: 0, through: count - length, by: length / 2) {
            let piece = self[start..<start + length]
            let mean = piece.reduce(.zero, +) / Double(length)
            pieces += 1
            for bin in Int((low * 4).rounded(.up))..<Int((high * 4).rounded(.up)) {
                var (cosines, sines) = (Vector3.zero, Vector3.zero)
                let turn = 2 * Double.pi * Double(bin) / Double(length)
                for (index, value) in piece.enumerated() {
                    let window = 1 - cos(2 * .pi * (Double(index) + 0.5) / Double(length))
                    cosines += (value - mean) * (window * cos(turn * Double(index)))
                    sines += (value - mean) * (window * sin(turn * Double(index)))
                }
                // The window's mean square is 3/2; both signs of the frequency count.
                power += (cosines.squaredLength + sines.squaredLength) * 2 / 1.5 / Double(length * length)
            }
        }
        return (power / pieces).squareRoot()
    }
}
