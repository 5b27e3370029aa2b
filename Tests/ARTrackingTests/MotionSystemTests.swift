// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARSimulation
import CSolve
import TestSupport
import Testing

@testable import ARTracking

@Suite struct MotionSystemTests {
    /// The residuals of a walk of a second or more, about a motion that is a little wrong; the first points are not seen at first, the last
    /// ones not to the end.
    private static func residuals() throws -> (MotionResiduals, WindowSights) {
        let session = try OdometryTests.session(OdometryTests.paths[1], seconds: 3, seed: 5)
        var (frames, samples) = session.take(during: 1.2..<2.4)
        let ids = frames[0].points.map(\.id).sorted()
        let (late, early) = (Set(ids.prefix(ids.count / 3)), Set(ids.suffix(ids.count / 3)))
        for index in frames.indices {
            let (isFirst, isLast) = (index < frames.count / 4, index > 3 * frames.count / 4)
            frames[index].points.removeAll { isFirst && late.contains($0.id) || isLast && early.contains($0.id) }
        }
        let (settings, camera) = (InitialisationSettings(), CameraState(session.calibration))
        let sights = try #require(WindowSights(frames: frames, calibration: camera, settings: settings))
        let guess = LinearProblem.Guess(gyroscopeBias: Vector3(0.003, -0.002, 0.004), timeShift: 0.002)
        let problem = LinearProblem(sights: sights, history: samples, calibration: camera, settings: settings)
        let linear = try #require(problem.solution(guess))
        let motion = RefinedMotion(
            linear, guess, frameCount: sights.instants.count, calibration: camera, settings)
        let window = try #require(AlignmentWindow(sights, samples, motion))
        let residuals = try #require(
            MotionResiduals(motion, window, RefinedMotion.points(of: linear, sights, motion.calibration)))
        return (residuals, sights)
    }

    /// All unknowns, and the points after them, by the rows themselves.
    private struct WholeSystem {
        var matrix: DenseMatrix
        var right: [Double]
        let unknowns: Int

        init(_ residuals: MotionResiduals, _ system: MotionSystem) {
            let frameCount = residuals.frames.count
            let byCommon = RayLayout.byCommonUnknowns(residuals.frames)
            unknowns = residuals.motion.unknownCount
            let size = unknowns + 3 * residuals.places.count
            matrix = DenseMatrix(rows: size, columns: size)
            right = [Double](repeating: 0, count: size)
            var ray = [Double](repeating: 0, count: RayLayout.count + 1)
            for (number, place) in residuals.places.enumerated() {
                for view in residuals.views[number] {
                    for axis in 0..<2 {
                        let own = view.writeRow(axis, of: place, system.points[number].tangent, into: &ray)
                        var row = [Double](repeating: 0, count: size)
                        for index in 0..<RayLayout.count {
                            let variable = RayLayout.variable(index, ofFrame: view.frame, of: frameCount)
                            for unknown in 0..<RefinedMotion.commonCount {
                                row[unknown] += byCommon[unknown, variable] * ray[index]
                            }
                        }
                        for index in 0..<PoseNoise.size {
                            row[RefinedMotion.commonCount + PoseNoise.size * view.frame + index] =
                                ray[RayLayout.turn + index]
                        }
                        for axis in 0..<3 { row[unknowns + 3 * number + axis] = own[axis] }
                        add(row, residual: ray[RayLayout.count])
                    }
                }
            }
            for prior in residuals.priors {
                var row = [Double](repeating: 0, count: size)
                for (unknown, value) in prior.derivatives { row[unknown] = value }
                add(row, residual: prior.residual)
            }
            let values = residuals.motion.noise.flatMap(\.values)
            for (column, value) in values.enumerated() {
                for row in values.indices {
                    let information = residuals.noise.information[row, column]
                    matrix[RefinedMotion.commonCount + row, RefinedMotion.commonCount + column] += information
                    right[RefinedMotion.commonCount + row] -= information * value
                }
            }
            for index in unknowns..<size { matrix[index, index] += 1e-9 }
        }

        private mutating func add(_ row: [Double], residual: Double) {
            let used = row.indices.filter { row[$0] != 0 }
            for i in used {
                right[i] += row[i] * residual
                for j in used { matrix[i, j] += row[i] * row[j] }
            }
        }

        /// What solves it where points and unknowns are damped as Levenberg and Marquardt do, those after these.
        func solution(damping: Double, _ system: MotionSystem) throws -> [Double] {
            var damped = matrix
            for index in unknowns..<right.count { damped[index, index] += damping * (matrix[index, index] - 1e-9) }
            for (index, stiffness) in try remaining(damped).enumerated() { damped[index, index] += damping * stiffness }
            var solution = right
            let status = csolve_solve_positive_definite(damped.values, Int32(right.count), &solution, 1)
            try #require(status == CSOLVE_OK)
            return solution
        }

        /// The diagonal of what is left of the unknowns' equations without the points.
        private func remaining(_ damped: DenseMatrix) throws -> [Double] {
            let count = right.count - unknowns
            var own = DenseMatrix(rows: count, columns: count)
            var cross = DenseMatrix(rows: count, columns: unknowns)
            for column in 0..<count {
                for row in 0..<count { own[row, column] = damped[unknowns + row, unknowns + column] }
            }
            for column in 0..<unknowns {
                for row in 0..<count { cross[row, column] = damped[unknowns + row, column] }
            }
            var moved = cross
            let status = csolve_solve_positive_definite(own.values, Int32(count), &moved.values, Int32(unknowns))
            try #require(status == CSOLVE_OK)
            return (0..<unknowns).map { unknown in
                (0..<count).reduce(damped[unknown, unknown]) { $0 - cross[$1, unknown] * moved[$1, unknown] }
            }
        }
    }

    /// A step with the points eliminated is that of all equations at once: of the unknowns and of each point; so is the covariance, of
    /// what is metric; and what a point has to do with the unknowns is what stands there.
    @Test func solvesAllAtOnce() throws {
        let (residuals, sights) = try Self.residuals()
        #expect(Set(sights.rays.map { $0.map(\.frame).min() }).count > 1, "all points are seen from the first frame on")
        #expect(Set(sights.rays.map { $0.map(\.frame).max() }).count > 1, "all points are seen up to the last frame")
        let system = try #require(MotionSystem(residuals))
        let whole = WholeSystem(residuals, system)
        for damping in [1e-9, 0.01, 3] {
            let step = try #require(system.step(damping: damping))
            let expected = try whole.solution(damping: damping, system)
            let found = step.unknowns + step.points.flatMap { [$0.x, $0.y, $0.z] }
            for (index, (found, expected)) in zip(found, expected).enumerated() {
                let size = 1 / whole.matrix[index, index].squareRoot()
                #expect(abs(found - expected) < 1e-4 * (abs(expected) + size), "\(index): \(found), \(expected)")
            }
        }

        for number in [0, sights.rays.count / 2, sights.rays.count - 1] {
            for (unknown, cross) in system.cross(ofPoint: number).enumerated() {
                for axis in 0..<3 {
                    let expected = whole.matrix[whole.unknowns + 3 * number + axis, unknown]
                    #expect(abs(cross[axis] - expected) < 1e-9 * (abs(expected) + 1))
                }
            }
        }

        let covariance = try #require(system.covariance())
        let kept = (0..<whole.right.count).filter { $0 != RefinedMotion.inverseScale }
        let metric = kept.flatMap { column in kept.map { whole.matrix[$0, column] } }
        for unknown in stride(from: 0, to: covariance.rows, by: 7) {
            var column = [Double](repeating: 0, count: kept.count)
            column[unknown] = 1
            let status = csolve_solve_positive_definite(metric, Int32(kept.count), &column, 1)
            try #require(status == CSOLVE_OK)
            for row in 0..<covariance.rows {
                let size = (covariance[row, row] * covariance[unknown, unknown]).squareRoot()
                #expect(abs(covariance[row, unknown] - column[row]) < 1e-4 * size)
            }
        }
    }

    /// Turn, place and velocity of each frame change with the unknowns as the motions do that samples, velocity and gravity make: those by
    /// the sensors' errors within 5 %, because they take each step of the samples as a whole.
    @Test func framesMoveWithTheUnknowns() throws {
        let exact = "accelerometer_noise_density_m_per_s2_per_sqrt_hz: 0, accelerometer_step_m_per_s2: 0"
        let session = try OdometryTests.session(
            OdometryTests.paths[1], seconds: 3, seed: 5, imu: "rate_hz: 1000, \(exact)")
        let (frames, samples) = session.take(during: 1.2..<2.4)
        let (start, ends) = (frames[0].timestamp, [5, 12, 30].map { frames[$0].timestamp })
        let (velocity, gravity) = (Vector3(0.4, 0.1, -0.7), Vector3(0.3, -9.7, 0.2))
        /// Turn, place and velocity of all frames, after a change of an unknown.
        func states(_ unknown: Int, _ change: Double) -> [(turn: Rotation, place: Vector3, velocity: Vector3)] {
            var all = [Double](repeating: 0, count: StartLayout.extrinsicRotation)
            if unknown < all.count { all[unknown] = change }
            func part(_ first: Int) -> Vector3 { Vector3(all[first], all[first + 1], all[first + 2]) }
            var errors = ImuErrors(
                gyroscopeBias: part(StartLayout.gyroscopeBias), accelerometerBias: part(StartLayout.accelerometerBias))
            for column in 0..<3 {
                errors.gyroscopeDistortion[column] += part(StartLayout.gyroscopeDistortion + 3 * column)
                errors.accelerometerDistortion[column] += part(StartLayout.accelerometerDistortion + 3 * column)
            }
            errors.accelerometerLag = all[StartLayout.accelerometerLag]
            let (v, g) = (velocity + part(StartLayout.velocity), gravity + part(StartLayout.gravity))
            return samples.motions(from: start, to: ends, errors: errors).map {
                let t = $0.seconds
                return ($0.rotation, v * t + g * (0.5 * t * t) + $0.position, v + g * t + $0.velocity)
            }
        }
        let motions = samples.motions(from: start, to: ends, errors: ImuErrors(), detail: .derivatives)
        let derivatives = RayLayout.byCommonUnknowns(motions)
        for unknown in 0..<StartLayout.extrinsicRotation {
            let h = 1e-5
            for (frame, (after, before)) in zip(states(unknown, h), states(unknown, -h)).enumerated() {
                let changes = [
                    (RayLayout.turn, (after.turn * before.turn.inverse).rotationVector),
                    (RayLayout.place, after.place - before.place),
                    (RayLayout.velocity, after.velocity - before.velocity),
                ]
                for (first, change) in changes {
                    let numeric = change / (2 * h)
                    let column = RayLayout.variable(first, ofFrame: frame, of: ends.count)
                    let told = Vector3(
                        derivatives[unknown, column], derivatives[unknown, column + 1], derivatives[unknown, column + 2]
                    )
                    #expect(
                        (told - numeric).length < 0.05 * numeric.length + 1e-6,
                        "unknown \(unknown), frame \(frame), \(first): \(told) instead of \(numeric)")
                }
            }
        }
    }
}
