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
        /// What is to be added to the readout, in seconds.
        var readoutChange = 0.0

        /// Which of its numbers are the bias, and which is the clocks'; the last is the readout's.
        static let bias = 0..<3
        static let clocks = 3
        /// How many numbers it has.
        static let count = 5

        /// The numbers, each in units in which it may be of size one.
        fileprivate subscript(index: Int, settings: InitialisationSettings) -> Double {
            get {
                switch index {
                case Self.bias: gyroscopeBias[index] / settings.gyroscopeBias
                case Self.clocks: timeShift / settings.calibration.timeOffset
                default: readoutChange / settings.calibration.readout
                }
            }
            set {
                switch index {
                case Self.bias: gyroscopeBias[index] = newValue * settings.gyroscopeBias
                case Self.clocks:
                    let latest = WindowSights.largestTimeShiftSeconds
                    timeShift = min(max(newValue * settings.calibration.timeOffset, -latest), latest)
                default: readoutChange = newValue * settings.calibration.readout
                }
            }
        }
    }

    func solution(_ guess: Guess) -> LinearSolution? {
        let camera = camera(by: guess)
        return LinearSolution(
            sights, WindowMotion(guess, sights, history: history, calibration: camera), camera, settings)
    }

    /// The camera with the readout that is guessed.
    private func camera(by guess: Guess) -> CameraState {
        var camera = calibration
        camera.correct(readout: guess.readoutChange)
        return camera
    }

    /// How the residuals change with one of the numbers of a guess: numerically, with each ray's weight as it is. `nil` where there is no
    /// solution beside it.
    func derivative(byNumber number: Int, of guess: Guess, _ solution: LinearSolution) -> [Double]? {
        let delta = 2e-3
        var moved = guess
        moved[number, settings] += delta
        // What the bias does to the motion is known, and another readout hardly does anything; another offset of the clocks needs other samples.
        let camera = camera(by: moved)
        let motion =
            number == Guess.clocks
            ? WindowMotion(moved, sights, history: history, calibration: camera)
            : solution.motion.with(moreGyroscopeBias: moved.gyroscopeBias - guess.gyroscopeBias)
        guard let other = LinearSolution(sights, motion, camera, settings, depths: solution.depths) else { return nil }
        return zip(other.residuals, solution.residuals).map { ($0 - $1) / delta }
    }

    /// The guess with which the rays should meet best: a Gauss-Newton step.
    ///
    /// - columns: the derivatives by all of its numbers.
    func better(than guess: Guess, _ solution: LinearSolution, _ columns: [[Double]]) -> Guess? {
        var (information, step) = (
            DenseMatrix(rows: Guess.count, columns: Guess.count), [Double](repeating: 0, count: Guess.count)
        )
        for index in 0..<Guess.count {
            for other in 0..<Guess.count {
                information[index, other] = zip(columns[index], columns[other]).reduce(0) { $0 + $1.0 * $1.1 }
            }
            information[index, index] += 1
            step[index] =
                zip(columns[index], solution.residuals).reduce(0) { $0 - $1.0 * $1.1 } - guess[index, settings]
        }
        guard csolve_solve_positive_definite(information.values, Int32(Guess.count), &step, 1) == CSOLVE_OK else {
            return nil
        }
        var better = guess
        for index in 0..<Guess.count { better[index, settings] += step[index] }
        return better
    }
}

/// How the device moved from the start to each frame, and about it, for one guess.
struct WindowMotion {
    private(set) var motions: [PreintegratedMotion]
    let readouts: [ReadoutMotion]

    init(_ guess: LinearProblem.Guess, _ sights: WindowSights, history: ImuHistory, calibration: CameraState) {
        let errors = ImuErrors(gyroscopeBias: guess.gyroscopeBias)
        let instants = sights.instants(shiftedBySeconds: guess.timeShift)
        motions = history.motions(from: sights.start, to: instants, errors: errors, detail: .derivatives)
        readouts = instants.map {
            ReadoutMotion(
                about: $0, readoutSeconds: calibration.readoutSeconds, history: history, errors: errors)
        }
    }

    /// The same, to first order, with a little more of a bias of the gyroscope, which changes hardly anything within a readout.
    func with(moreGyroscopeBias change: Vector3) -> WindowMotion {
        var changed = self
        changed.motions = motions.map { $0.with(moreGyroscopeBias: change) }
        return changed
    }
}

/// What is linear, for one guess of what is not.
struct LinearSolution {
    let motion: WindowMotion
    var velocity = Vector3.zero
    var gravity = Vector3.zero
    var accelerometerBias = Vector3.zero
    /// In standard deviations: two a ray.
    var residuals: [Double] = []
    /// By point, in the first IMU's frame.
    private(set) var points: [Point3] = []
    /// How far off each point is where each of its rays was seen, in metres: what the rays' distances are divided by.
    private(set) var depths: [[Double]]

    var cost: Double { residuals.reduce(0) { $0 + $1 * $1 } }

    /// Where the camera was when a ray was seen: in the first IMU's frame, p = byVelocity v + byGravity g + constant + byBias ba.
    private struct CameraPlace {
        var rotation: Rotation
        var time: Double
        var constant: Vector3
        var byBias: Matrix3x3
    }

    /// - depths: those of another solution; without, they are found first.
    init?(
        _ sights: WindowSights, _ motion: WindowMotion, _ calibration: CameraState,
        _ settings: InitialisationSettings, depths known: [[Double]]? = nil
    ) {
        self.motion = motion
        let places = sights.rays.map { rays in
            rays.map {
                Self.place(
                    of: $0, motion: motion.motions[$0.frame], readout: motion.readouts[$0.frame], calibration)
            }
        }
        // Rays count by angle: distances are divided by the point's depth, which a first solution tells.
        depths = known ?? sights.rays.map { $0.map { _ in 1.0 } }
        if known == nil {
            guard solve(sights, places, settings) else { return nil }
            depths = sightlines(sights, places).map { lines in lines.map { max($0.offset.dot($0.direction), 0.1) } }
        }
        guard solve(sights, places, settings) else { return nil }
        residuals.reserveCapacity(2 * sights.rays.reduce(0) { $0 + $1.count })
        for (lines, depths) in zip(sightlines(sights, places), depths) {
            for (line, depth) in zip(lines, depths) {
                let (a, b) = Self.normals(of: line.direction)
                let weight = 1 / (depth * settings.largestDirectionDeviation)
                residuals.append(a.dot(line.offset) * weight)
                residuals.append(b.dot(line.offset) * weight)
            }
        }
    }

    /// Finds all that is linear, with the depths as they are; `false` where there is no solution.
    private mutating func solve(
        _ sights: WindowSights, _ places: [[CameraPlace]], _ settings: InitialisationSettings
    ) -> Bool {
        guard let system = Self.system(sights, places, depths, settings),
            let x = Self.solve(system.matrix, system.right, gravityStrength: settings.gravityStrength)
        else { return false }
        velocity = Vector3(x[0], x[1], x[2])
        gravity = Vector3(x[3], x[4], x[5])
        accelerometerBias = Vector3(x[6], x[7], x[8])
        points = system.points.map { $0.point(at: x) }
        return true
    }

    /// By point, each of its rays: where the point lies from the camera, and the ray's direction.
    private func sightlines(
        _ sights: WindowSights, _ places: [[CameraPlace]]
    ) -> [[(offset: Vector3, direction: Vector3)]] {
        zip(zip(sights.rays, places), points).map { sights, point in
            zip(sights.0, sights.1).map { ray, place in
                let position =
                    place.constant + velocity * place.time + gravity * (0.5 * place.time * place.time)
                    + place.byBias * accelerometerBias
                return (point - position, place.rotation * ray.direction)
            }
        }
    }

    private static func place(
        of ray: WindowSights.Ray, motion: PreintegratedMotion, readout: ReadoutMotion, _ calibration: CameraState
    ) -> CameraPlace {
        let tau = ray.readoutShare * calibration.readoutSeconds
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
        var columns: ArraySlice<Vector3>
        func point(at x: [Double]) -> Point3 { zip(columns, x).reduce(constant) { $0 + $1.0 * $1.1 } }
    }

    /// The number of unknowns.
    private static let size = 9

    /// Every row ends with its right side, so that the squares of the rows hold all of the normal equations.
    private static func system(
        _ sights: WindowSights, _ places: [[CameraPlace]], _ depths: [[Double]], _ settings: InitialisationSettings
    ) -> (matrix: [Double], right: [Double], points: [EliminatedPoint])? {
        let width = size + 1
        var (rows, eliminated) = ([Double](), [Double]())
        rows.reserveCapacity(2 * width * sights.rays.reduce(size) { $0 + $1.count })
        eliminated.reserveCapacity(3 * width * sights.rays.count)
        var points: [EliminatedPoint] = []
        for (index, rays) in sights.rays.enumerated() {
            // n·f − n·(v t + ½ g t² + B ba) = n·c, weighted.
            var byPoint = Matrix3x3.zero
            var cross = [Vector3](repeating: .zero, count: width)
            for (number, ray) in rays.enumerated() {
                let place = places[index][number]
                let (a, b) = normals(of: place.rotation * ray.direction)
                let weight = 1 / (depths[index][number] * settings.largestDirectionDeviation)
                for normal in [a * weight, b * weight] {
                    let v = normal * -place.time
                    let g = normal * (-0.5 * place.time * place.time)
                    let bias = -(place.byBias.transpose * normal)
                    let first = rows.count
                    rows += [v.x, v.y, v.z, g.x, g.y, g.z, bias.x, bias.y, bias.z, normal.dot(place.constant)]
                    byPoint = byPoint + Matrix3x3.outerProduct(normal, normal)
                    for column in 0..<width { cross[column] += normal * rows[first + column] }
                }
            }
            guard let root = CholeskyRoot(byPoint) else { return nil }
            let whitened = cross.map(root.solving)
            for axis in 0..<3 { eliminated += whitened.map { $0[axis] } }
            let columns = whitened.map(root.solvingTransposed)
            points.append(
                EliminatedPoint(constant: columns[size], columns: columns.prefix(size).map { -1 * $0 }[...]))
        }
        for axis in 6..<size {
            var prior = [Double](repeating: 0, count: width)
            prior[axis] = 1 / settings.accelerometerBias
            rows += prior
        }
        var squares = [Double](repeating: 0, count: width * width)
        guard csolve_add_squares(&squares, Int32(width), rows, Int32(rows.count / width), 1) == CSOLVE_OK,
            csolve_add_squares(&squares, Int32(width), eliminated, Int32(eliminated.count / width), -1) == CSOLVE_OK
        else { return nil }
        // The lower triangle, by columns.
        let matrix = (0..<size).flatMap { column in (0..<size).map { squares[column * width + $0] } }
        return (matrix, (0..<size).map { squares[$0 * width + size] }, points)
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
