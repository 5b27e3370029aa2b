// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CSolve

/// What an alignment does not solve linearly, and how it finds it.
struct LinearProblem {
    let sights: WindowSights
    let history: ImuHistory
    let calibration: CameraState
    let settings: InitialisationSettings

    /// What must be known before the rest is linear.
    struct Guess {
        /// The gyroscope's bias, in rad/s.
        var gyroscopeBias = Vector3.zero
        /// What is to be added to the clocks' offset, in seconds.
        var timeShift = 0.0

        /// The four numbers, each in units in which it may be of size one.
        fileprivate subscript(index: Int, settings: InitialisationSettings) -> Double {
            get {
                index < 3 ? gyroscopeBias[index] / settings.gyroscopeBias : timeShift / settings.calibration.timeOffset
            }
            set {
                if index < 3 {
                    gyroscopeBias[index] = newValue * settings.gyroscopeBias
                } else {
                    let latest = Double(WindowSights.largestTimeShiftNanoseconds) * 1e-9
                    timeShift = min(max(newValue * settings.calibration.timeOffset, -latest), latest)
                }
            }
        }
    }

    func solution(_ guess: Guess) -> LinearSolution? {
        LinearSolution(sights, guess, history: history, calibration: calibration, settings)
    }

    /// The guess with which the rays should meet best: a Gauss-Newton step with numeric derivatives.
    func better(than guess: Guess, _ solution: LinearSolution) -> Guess? {
        let delta = 2e-3
        var columns: [[Double]] = []
        for index in 0..<4 {
            var moved = guess
            moved[index, settings] += delta
            guard let other = self.solution(moved), other.residuals.count == solution.residuals.count else {
                return nil
            }
            columns.append(zip(other.residuals, solution.residuals).map { ($0 - $1) / delta })
        }
        var (information, step) = (DenseMatrix(rows: 4, columns: 4), [Double](repeating: 0, count: 4))
        for index in 0..<4 {
            for other in 0..<4 {
                information[index, other] = zip(columns[index], columns[other]).reduce(0) { $0 + $1.0 * $1.1 }
            }
            information[index, index] += 1
            step[index] =
                zip(columns[index], solution.residuals).reduce(0) { $0 - $1.0 * $1.1 } - guess[index, settings]
        }
        guard csolve_solve_positive_definite(information.values, 4, &step, 1) == CSOLVE_OK else { return nil }
        var better = guess
        for index in 0..<4 { better[index, settings] += step[index] }
        return better
    }
}

/// What is linear, for one guess of what is not.
struct LinearSolution {
    var velocity = Vector3.zero
    var gravity = Vector3.zero
    var accelerometerBias = Vector3.zero
    /// In standard deviations: two a ray.
    var residuals: [Double] = []
    /// By point, in the first IMU's frame.
    var points: [Point3] = []

    var cost: Double { residuals.reduce(0) { $0 + $1 * $1 } }

    /// Where the camera was when a ray was seen: in the first IMU's frame, p = byVelocity v + byGravity g + constant − byBias ba.
    private struct CameraPlace {
        var rotation: Rotation
        var time: Double
        var constant: Vector3
        var byBias: Matrix3x3
    }

    init?(
        _ sights: WindowSights, _ guess: LinearProblem.Guess, history: ImuHistory, calibration: CameraState,
        _ settings: InitialisationSettings
    ) {
        let errors = ImuErrors(gyroscopeBias: guess.gyroscopeBias)
        let instants = sights.instants(shiftedBySeconds: guess.timeShift)
        let motions = history.motions(from: sights.start, to: instants, errors: errors)
        let readouts = instants.map {
            ReadoutMotion(
                about: $0, readoutNanoseconds: calibration.readoutNanoseconds, history: history, errors: errors)
        }
        let places = sights.rays.map { rays in
            rays.map { Self.place(of: $0, motion: motions[$0.frame], readout: readouts[$0.frame], calibration) }
        }
        // Rays count by angle: distances are divided by the point's depth, which the first solution tells.
        var depths = sights.rays.map { $0.map { _ in 1.0 } }
        for round in 0..<2 {
            guard
                let system = Self.system(sights, places, depths, settings),
                let x = Self.solve(system.matrix, system.right, gravityStrength: settings.gravityStrength)
            else { return nil }
            velocity = Vector3(x[0], x[1], x[2])
            gravity = Vector3(x[3], x[4], x[5])
            accelerometerBias = Vector3(x[6], x[7], x[8])
            residuals.removeAll(keepingCapacity: true)
            points = system.points.map { $0.point(at: x) }
            for (index, rays) in sights.rays.enumerated() {
                for (number, ray) in rays.enumerated() {
                    let place = places[index][number]
                    let position =
                        place.constant + velocity * place.time
                        + gravity * (0.5 * place.time * place.time) + place.byBias * accelerometerBias
                    let offset = points[index] - position
                    let direction = place.rotation * ray.direction
                    let depth = offset.dot(direction)
                    if round == 0 { depths[index][number] = max(depth, 0.1) }
                    let (a, b) = Self.normals(of: direction)
                    let weight = 1 / (depths[index][number] * settings.directionDeviation)
                    residuals.append(a.dot(offset) * weight)
                    residuals.append(b.dot(offset) * weight)
                }
            }
        }
    }

    private static func place(
        of ray: WindowSights.Ray, motion: PreintegratedMotion, readout: ReadoutMotion, _ calibration: CameraState
    ) -> CameraPlace {
        let tau = ray.secondsAfterInstant
        let (turn, displacement) = readout.motion(at: tau)
        let rotation = motion.rotation * turn
        return CameraPlace(
            rotation: rotation * calibration.imuFromOptical.rotation, time: motion.seconds + tau,
            constant: motion.position + motion.velocity * tau + motion.rotation * displacement
                + rotation * calibration.imuFromOptical.translation,
            byBias: motion.byAccelerometer.bias.position + tau * motion.byAccelerometer.bias.velocity)
    }

    /// Two directions at right angles to a ray and to each other.
    private static func normals(of direction: Vector3) -> (Vector3, Vector3) {
        let first = direction.anyPerpendicular() ?? Vector3(1, 0, 0)
        return (first, direction.cross(first))
    }

    /// How a point follows from the nine unknowns: f = constant + Σ columns x.
    private struct EliminatedPoint {
        var constant: Vector3
        var columns: [Vector3]
        func point(at x: [Double]) -> Point3 { zip(columns, x).reduce(constant) { $0 + $1.0 * $1.1 } }
    }

    private static func system(
        _ sights: WindowSights, _ places: [[CameraPlace]], _ depths: [[Double]], _ settings: InitialisationSettings
    ) -> (matrix: [Double], right: [Double], points: [EliminatedPoint])? {
        var (matrix, right) = ([Double](repeating: 0, count: 81), [Double](repeating: 0, count: 9))
        var points: [EliminatedPoint] = []
        for (index, rays) in sights.rays.enumerated() {
            // n·f − n·(v t + ½ g t² + B ba) = n·c, weighted.
            var byPoint = Matrix3x3.zero
            var cross = [Vector3](repeating: .zero, count: 9)
            var pointRight = Vector3.zero
            for (number, ray) in rays.enumerated() {
                let place = places[index][number]
                let direction = place.rotation * ray.direction
                let (a, b) = normals(of: direction)
                let weight = 1 / (depths[index][number] * settings.directionDeviation)
                for normal in [a * weight, b * weight] {
                    let constant = normal.dot(place.constant)
                    let v = normal * -place.time
                    let g = normal * (-0.5 * place.time * place.time)
                    let bias = -(place.byBias.transpose * normal)
                    let row = [v.x, v.y, v.z, g.x, g.y, g.z, bias.x, bias.y, bias.z]
                    byPoint = byPoint + Matrix3x3.outerProduct(normal, normal)
                    pointRight += normal * constant
                    for i in 0..<9 {
                        cross[i] += normal * row[i]
                        right[i] += row[i] * constant
                        for j in 0..<9 { matrix[j * 9 + i] += row[i] * row[j] }
                    }
                }
            }
            guard let inverse = byPoint.inverse else { return nil }
            let columns = cross.map { -1 * (inverse * $0) }
            let constant = inverse * pointRight
            points.append(EliminatedPoint(constant: constant, columns: columns))
            for i in 0..<9 {
                right[i] -= cross[i].dot(constant)
                for j in 0..<9 { matrix[j * 9 + i] += cross[i].dot(columns[j]) }
            }
        }
        let prior = 1 / (settings.accelerometerBias * settings.accelerometerBias)
        for i in 6..<9 { matrix[i * 9 + i] += prior }
        return (matrix, right, points)
    }

    /// The least squares solution whose gravity is as strong as it should be: (A + λ E) x = b with E one for gravity, zero
    /// elsewhere. 1/|g| grows almost linearly with λ, so that Newton's method in 1/|g| needs few steps (Moré &
    /// Sorensen 1983, "Computing a trust region step").
    private static func solve(_ matrix: [Double], _ right: [Double], gravityStrength: Double) -> [Double]? {
        var (lambda, solution) = (0.0, right)
        for _ in 0..<8 {
            var shifted = matrix
            for i in 3..<6 { shifted[i * 9 + i] += lambda }
            var candidate = right
            guard csolve_solve_positive_definite(shifted, 9, &candidate, 1) == CSOLVE_OK else {
                // Beyond the pole: half way back.
                lambda /= 2
                continue
            }
            solution = candidate
            let gravity = Vector3(solution[3], solution[4], solution[5])
            let length = gravity.length
            guard length > 0, abs(length - gravityStrength) > 1e-6 * gravityStrength else { break }
            // d|g|/dλ = −g·(A + λE)⁻¹ (0, g, 0) / |g|.
            var change = [0, 0, 0, gravity.x, gravity.y, gravity.z, 0, 0, 0]
            guard csolve_solve_positive_definite(shifted, 9, &change, 1) == CSOLVE_OK else { return nil }
            let slope = gravity.dot(Vector3(change[3], change[4], change[5])) / (length * length * length)
            lambda += (1 / gravityStrength - 1 / length) / slope
        }
        return solution == right ? nil : solution
    }
}
