// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CSolve

/// Velocity, gravity and biases at the beginning of a second or two of motion, from tracks and inertial samples alone.
///
/// With the rotation known from the gyroscope, every sight of a point says, linearly in all that is unknown, that the
/// point f lies on a ray: n·(f − p(t)) = 0 for two normals n, with p(t) = v t + ½ g t² + Δp(t) − ∂Δp/∂ba ba. The points are
/// eliminated one by one; what remains are nine equations for v, g and ba. The gyroscope's bias makes the rays meet
/// best, which is found by Gauss-Newton steps about the linear problem.
///
/// - Reference: Dong-Si & Mourikis 2012, "Estimator initialization in vision-aided inertial navigation with unknown
///   camera-IMU calibration"; Martinelli 2014, "Closed-form solution of visual-inertial structure from motion"; Kaiser et
///   al. 2017, "Simultaneous State Initialization and Gyroscope Bias Calibration in Visual-Inertial Aided Navigation".
///
/// Law: `MotionAlignmentTests.tellsScaleAndHowWell`.
struct MotionAlignment: Sendable {
    /// The instant that velocity and gravity are told for: a little before the first frame.
    var timestamp: Timestamp
    /// The velocity, in the IMU's frame at the instant, in m/s.
    var velocity: Vector3
    /// Gravity in the same frame, in m/s².
    var gravity: Vector3
    /// What is wrong with the IMU's readings.
    var errors: ImuErrors
    /// The camera, put right as far as the motion tells.
    var calibration: CameraState
    /// The standard deviation of the way's length, as a share of it: how well the scale is known.
    var relativeScaleDeviation: Double
    /// The root mean square distance between rays and points, in radians.
    var error: Double
    /// How far the device is from what it is said to be: squares, in standard deviations.
    var priorSquares: Double
    /// How well all is known: the covariance of the variables of ``StartLayout``.
    var covariance: DenseMatrix

    /// A frame of the window.
    struct Frame: Sendable {
        /// The frame's stamp, on the camera's clock.
        var timestamp: Timestamp
        var points: [SeenPoint]
    }

    init?(
        frames: [Frame], history: ImuHistory, calibration: CameraState, settings: InitialisationSettings
    ) {
        guard let sights = WindowSights(frames: frames, calibration: calibration, settings: settings) else {
            return nil
        }
        var bias = Vector3.zero
        guard var solution = LinearSolution(sights, bias: bias, history: history, calibration: calibration, settings)
        else { return nil }
        for _ in 0..<settings.biasIterations {
            guard
                let step = Self.biasStep(
                    from: solution, bias, sights: sights, history: history, calibration: calibration, settings)
            else { break }
            let next = bias + step
            guard
                let better = LinearSolution(sights, bias: next, history: history, calibration: calibration, settings),
                better.cost < solution.cost
            else { break }
            let isDone = solution.cost - better.cost < 1e-3 * solution.cost
            (bias, solution) = (next, better)
            if isDone { break }
        }
        var refined = RefinedMotion(solution, gyroscopeBias: bias, calibration: calibration, settings)
        guard refined.refine(sights, start: solution, history: history) else { return nil }
        timestamp = sights.start
        self.calibration = refined.calibration
        velocity = refined.velocity
        gravity = refined.gravity
        errors = refined.errors
        relativeScaleDeviation = refined.relativeScaleDeviation
        error = refined.error
        priorSquares = refined.priorSquares
        covariance = refined.covariance
    }

    /// The change of the gyroscope's bias that lets the rays meet best: a Gauss-Newton step with numeric derivatives.
    private static func biasStep(
        from solution: LinearSolution, _ bias: Vector3, sights: WindowSights, history: ImuHistory,
        calibration: CameraState, _ settings: InitialisationSettings
    ) -> Vector3? {
        let delta = 1e-4
        var columns: [[Double]] = []
        for axis in 0..<3 {
            var moved = bias
            moved[axis] += delta
            guard
                let other = LinearSolution(sights, bias: moved, history: history, calibration: calibration, settings),
                other.residuals.count == solution.residuals.count
            else { return nil }
            columns.append(zip(other.residuals, solution.residuals).map { ($0 - $1) / delta })
        }
        var (information, gradient) = (Matrix3x3.zero, Vector3.zero)
        let priorWeight = 1 / settings.gyroscopeBias
        for axis in 0..<3 {
            for other in 0..<3 {
                information[axis][other] = zip(columns[axis], columns[other]).reduce(0) { $0 + $1.0 * $1.1 }
            }
            information[axis][axis] += priorWeight * priorWeight
            gradient[axis] =
                zip(columns[axis], solution.residuals).reduce(0) { $0 - $1.0 * $1.1 }
                - priorWeight * priorWeight * bias[axis]
        }
        return information.inverse.map { $0 * gradient }
    }
}

/// The rays of a window's longest tracks.
struct WindowSights: Sendable {
    /// How far the offset of the clocks may be from what it is said to be.
    static let largestTimeShiftNanoseconds: Int64 = 60_000_000

    /// A ray in the camera's frame, and which row it was seen on.
    struct Ray: Sendable {
        var frame: Int
        var secondsAfterInstant: Double
        var direction: Vector3
    }

    /// The chosen frames' instants, by the calibration that the alignment starts from.
    let instants: [Timestamp]
    /// An instant before all of them, and after those of no other offset of the clocks that is looked at.
    let start: Timestamp
    /// By point.
    let rays: [[Ray]]

    init?(frames: [MotionAlignment.Frame], calibration: CameraState, settings: InitialisationSettings) {
        // Neighbouring frames say nearly the same: some, evenly spread, are enough.
        let count = min(frames.count, settings.alignmentFrames)
        guard count >= 4 else { return nil }
        let chosen = (0..<count).map { frames[$0 * (frames.count - 1) / (count - 1)] }
        instants = chosen.map { calibration.instant(ofFrameAt: $0.timestamp) }
        start = instants[0].advanced(byNanoseconds: -WindowSights.largestTimeShiftNanoseconds)
        var byPoint: [UInt64: [Ray]] = [:]
        for (number, frame) in chosen.enumerated() {
            for point in frame.points {
                guard let direction = calibration.camera.unproject(point.pixel), direction.z > 0 else { continue }
                byPoint[point.id, default: []].append(
                    Ray(
                        frame: number, secondsAfterInstant: calibration.secondsAfterInstant(of: point.pixel),
                        direction: direction))
            }
        }
        let longest = byPoint.filter { $0.value.count >= min(4, count) }
            .sorted { ($0.value.count, $1.key) > ($1.value.count, $0.key) }
            .prefix(settings.alignmentTracks)
        guard longest.count >= 8 else { return nil }
        rays = longest.map(\.value)
    }
}

/// The linear problem for one bias of the gyroscope.
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
        _ sights: WindowSights, bias: Vector3, history: ImuHistory, calibration: CameraState,
        _ settings: InitialisationSettings
    ) {
        let errors = ImuErrors(gyroscopeBias: bias)
        let motions = history.motions(from: sights.start, to: sights.instants, errors: errors)
        let readouts = sights.instants.map {
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
