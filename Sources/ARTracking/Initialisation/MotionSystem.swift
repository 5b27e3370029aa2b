// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CSolve

/// The normal equations of a ``RefinedMotion`` about where it stands, its points eliminated, and what is needed to get them
/// back. The unknowns are those of ``StartLayout``, with κ v, κ g and κ ba for v, g and ba, κ, and the ``PoseNoise`` of each
/// frame.
///
/// Law: `MotionAlignmentTests.derivativesAreThoseOfTheCost`.
struct MotionSystem {
    /// The number of unknowns.
    let size: Int
    /// The lower triangle, by columns.
    private(set) var matrix: [Double]
    private(set) var right: [Double]
    private(set) var points: [EliminatedPoint] = []
    /// What is minimised: squares, in standard deviations, that grow linearly beyond ``huber``, and those of what is known
    /// beforehand.
    private(set) var cost = 0.0
    /// The squares of the rays alone, and their number.
    private(set) var squares = 0.0
    private(set) var count = 0
    /// The squares of what is known beforehand of the device.
    private(set) var priorSquares = 0.0
    /// The squares of the samples' noise, in standard deviations.
    private(set) var noiseSquares = 0.0
    /// Half of the rays meet their points within this angle, in radians; of those that are blurred otherwise than most, as much less as
    /// they err more.
    private(set) var medianAngle = 0.0
    /// How far the rays of a frame lie beside their points together: the standard deviation of their mean about each axis, in radians,
    /// and what that would be if each erred by itself.
    private(set) var commonAngle = 0.0
    private(set) var commonAngleByChance = 0.0

    /// Beyond this many standard deviations an angle counts linearly (Huber 1964).
    private static let huber = 2.0
    /// What a ray says something about: what is common to all frames, and the noise of its own frame's pose.
    private static let rowSize = RefinedMotion.commonCount + PoseNoise.size

    struct EliminatedPoint {
        /// Two directions at right angles to the point's: along them, and in inverse depth, it moves.
        var tangent: (Vector3, Vector3)
        var information = Matrix3x3.zero
        var right = Vector3.zero
        var cross: [Vector3]

        init(_ direction: Vector3, unknowns: Int) {
            cross = [Vector3](repeating: .zero, count: unknowns)
            let first = direction.anyPerpendicular() ?? Vector3(1, 0, 0)
            tangent = (first, direction.cross(first))
        }

        /// Adds a residual that changes by `own` with the point, and by `row` with what is common to all frames and with the
        /// noise of one.
        mutating func add(_ own: Vector3, _ row: [Double], ofFrame frame: Int, residual: Double) {
            information = information + Matrix3x3.outerProduct(own, own)
            right += own * residual
            for (index, value) in row.enumerated() {
                cross[RefinedMotion.unknown(index, ofFrame: frame)] += own * value
            }
        }

        /// What the point does when the common unknowns move.
        func change(for common: [Double], damping: Double) -> Vector3 {
            let rest = zip(cross, common).reduce(right) { $0 - $1.0 * $1.1 }
            guard let root = CholeskyRoot(damped(damping)) else { return .zero }
            return root.solvingTransposed(root.solving(rest))
        }

        func damped(_ damping: Double) -> Matrix3x3 {
            let d = Vector3(information[0].x, information[1].y, information[2].z)
            return information + Matrix3x3(diagonal: d * damping + Vector3(repeating: 1e-9))
        }
    }

    /// `nil` where a point comes to lie where a camera that saw it cannot see it, or where there is no memory.
    init?(_ motion: RefinedMotion, _ window: AlignmentWindow, _ places: [RefinedMotion.Point]) {
        size = motion.unknownCount
        matrix = [Double](repeating: 0, count: size * size)
        right = [Double](repeating: 0, count: size)
        let frames = FrameMotion.all(window, motion)
        var row = [Double](repeating: 0, count: Self.rowSize)
        var rows = [[Double]](repeating: [], count: frames.count)
        for index in rows.indices { rows[index].reserveCapacity(2 * places.count * Self.rowSize) }
        var angles: [Double] = []
        var sums = [(residual: Vector2, weight: Double)](repeating: (.zero, 0), count: frames.count)
        for (rays, place) in zip(window.sights.rays, places) {
            var point = EliminatedPoint(place.direction, unknowns: size)
            for ray in rays {
                let view = RayView(ray, frames[ray.frame], motion)
                guard let seen = view.seen(place, by: motion.calibration.camera) else { return nil }
                let residual = (ray.pixel.vector - seen.projection.pixel.vector) / view.pixelDeviation
                let distance = residual.length
                let robust = distance <= Self.huber ? 1 : Self.huber / distance
                squares += distance * distance
                cost += distance <= Self.huber ? distance * distance : Self.huber * (2 * distance - Self.huber)
                angles.append(distance * motion.directionDeviation)
                sums[ray.frame].residual += robust * residual
                sums[ray.frame].weight += robust
                for axis in 0..<2 {
                    let own = view.writeRow(axis, of: seen, place, point.tangent, motion, into: &row)
                    let weight = robust.squareRoot()
                    if weight < 1 { for index in row.indices { row[index] *= weight } }
                    add(row, ofFrame: ray.frame, residual: weight * residual[axis], to: &rows[ray.frame])
                    point.add(own * weight, row, ofFrame: ray.frame, residual: weight * residual[axis])
                }
            }
            points.append(point)
        }
        count = angles.count
        medianAngle = angles.sorted()[angles.count / 2]
        measureCommonAngle(of: sums, motion)
        addPriors(motion, to: &rows[0])
        for (frame, rows) in rows.enumerated() {
            guard addSquares(rows, ofFrame: frame) else { return nil }
        }
        addNoisePrior(window.noise, motion)
    }

    /// Learns how far rays err together, from the sums of each frame's residuals, in standard deviations, and of their weights.
    private mutating func measureCommonAngle(
        of sums: [(residual: Vector2, weight: Double)], _ motion: RefinedMotion
    ) {
        let means = sums.filter { $0.weight > 0 }.map { (motion.directionDeviation / $0.weight) * $0.residual }
        commonAngle = (means.reduce(0) { $0 + $1.squaredLength } / Double(2 * means.count)).squareRoot()
        let ownAngle = InitialisationSettings.deviation(ofRaysWithin: medianAngle)
        commonAngleByChance = ownAngle / (Double(count) / Double(means.count)).squareRoot()
    }

    /// Adds a row of whitened residuals' derivatives, whose squares are summed later all at once.
    private mutating func add(_ row: [Double], ofFrame frame: Int, residual: Double, to rows: inout [Double]) {
        rows += row
        for (index, value) in row.enumerated() {
            right[RefinedMotion.unknown(index, ofFrame: frame)] += value * residual
        }
    }

    /// Adds the squares of a frame's rows; `false` where there is no memory.
    private mutating func addSquares(_ rows: [Double], ofFrame frame: Int) -> Bool {
        let count = Self.rowSize
        var sum = [Double](repeating: 0, count: count * count)
        guard csolve_add_squares(&sum, Int32(count), rows, Int32(rows.count / count), 1) == CSOLVE_OK else {
            return false
        }
        for column in 0..<count {
            let unknown = RefinedMotion.unknown(column, ofFrame: frame)
            for row in column..<count {
                matrix[unknown * size + RefinedMotion.unknown(row, ofFrame: frame)] += sum[column * count + row]
            }
        }
        return true
    }

    /// What is known beforehand: the strength of gravity, and how far the device's errors go.
    private mutating func addPriors(_ motion: RefinedMotion, to rows: inout [Double]) {
        let strength = motion.gravity.length
        let direction = motion.gravity / max(strength, 1e-6)
        let settings = motion.settings
        // κ g / κ: by κ g it changes along gravity, by κ against it.
        var row = [Double](repeating: 0, count: Self.rowSize)
        for axis in 0..<3 { row[StartLayout.gravity + axis] = direction[axis] / settings.gravityDeviation }
        row[RefinedMotion.inverseScale] = -strength / settings.gravityDeviation
        addPrior(row, residual: (settings.gravityStrength - strength) / settings.gravityDeviation, to: &rows)
        var others: [(Int, Double, Double)] = []
        motion.forEachPrior { others.append(($0, $1, $2)) }
        for (variable, value, deviation) in others {
            row = [Double](repeating: 0, count: Self.rowSize)
            row[variable] = 1 / deviation
            if StartLayout.accelerometerBias..<StartLayout.gyroscopeBias ~= variable {
                row[RefinedMotion.inverseScale] = -value / deviation
            }
            addPrior(row, residual: -value / deviation, to: &rows)
        }
    }

    private mutating func addPrior(_ row: [Double], residual: Double, to rows: inout [Double]) {
        priorSquares += residual * residual
        cost += residual * residual
        add(row, ofFrame: 0, residual: residual, to: &rows)
    }

    /// How far the samples' noise can have moved the frames.
    private mutating func addNoisePrior(_ prior: PoseNoisePrior, _ motion: RefinedMotion) {
        let values = motion.noise.flatMap(\.values)
        for column in values.indices {
            let unknown = RefinedMotion.commonCount + column
            let gradient = values.indices.reduce(0) { $0 + prior.information[$1, column] * values[$1] }
            noiseSquares += values[column] * gradient
            right[unknown] -= gradient
            for row in column..<values.count {
                matrix[unknown * size + RefinedMotion.commonCount + row] += prior.information[row, column]
            }
        }
        cost += noiseSquares
    }

    // MARK: Solutions

    /// The step of the common unknowns.
    func step(damping: Double) -> [Double]? {
        guard var (matrix, right) = reduced(damping: damping) else { return nil }
        for i in 0..<size { matrix[i * size + i] *= 1 + max(damping, 1e-9) }
        let status = csolve_solve_positive_definite(matrix, Int32(size), &right, 1)
        return status == CSOLVE_OK ? right : nil
    }

    /// The covariance of what is metric: that of all with the inverse scale held, which only spares the steps. In it, the
    /// noise of the poses follows upon the variables of ``StartLayout``.
    func covariance() -> DenseMatrix? {
        guard let matrix = reduced(damping: 0)?.matrix else { return nil }
        let metric = (0..<size).filter { $0 != RefinedMotion.inverseScale }
        let values = metric.flatMap { column in metric.map { matrix[column * size + $0] } }
        var inverse = DenseMatrix(rows: metric.count, columns: metric.count)
        for index in metric.indices { inverse[index, index] = 1 }
        let count = Int32(metric.count)
        let status = csolve_solve_positive_definite(values, count, &inverse.values, count)
        return status == CSOLVE_OK ? inverse : nil
    }

    /// The equations without the points.
    private func reduced(damping: Double) -> (matrix: [Double], right: [Double])? {
        var (matrix, right) = (matrix, right)
        var rows: [Double] = []
        rows.reserveCapacity(3 * points.count * size)
        for point in points {
            // A point that nothing holds takes nothing away.
            guard let root = CholeskyRoot(point.damped(damping)) else { continue }
            let ownRight = root.solving(point.right)
            let columns = point.cross.map(root.solving)
            for (index, column) in columns.enumerated() { right[index] -= column.dot(ownRight) }
            for axis in 0..<3 { rows += columns.map { $0[axis] } }
        }
        let status = csolve_add_squares(&matrix, Int32(size), rows, Int32(rows.count / size), -1)
        return status == CSOLVE_OK ? (matrix, right) : nil
    }
}

/// The lower triangular root L of a symmetric, positive definite A = L Lᵀ.
struct CholeskyRoot {
    private let diagonal, below: Vector3

    /// `nil` where the matrix is not positive definite.
    init?(_ a: Matrix3x3) {
        guard a[0].x > 0 else { return nil }
        let first = a[0].x.squareRoot()
        let (b, c) = (a[0].y / first, a[0].z / first)
        guard a[1].y - b * b > 0 else { return nil }
        let second = (a[1].y - b * b).squareRoot()
        let d = (a[1].z - c * b) / second
        guard a[2].z - c * c - d * d > 0 else { return nil }
        diagonal = Vector3(first, second, (a[2].z - c * c - d * d).squareRoot())
        below = Vector3(b, c, d)
    }

    /// L⁻ᵀ v.
    func solvingTransposed(_ v: Vector3) -> Vector3 {
        let z = v.z / diagonal.z
        let y = (v.y - below.z * z) / diagonal.y
        return Vector3((v.x - below.x * y - below.y * z) / diagonal.x, y, z)
    }

    /// L⁻¹ v, whose products are those by A⁻¹: uᵀ A⁻¹ v = (L⁻¹ u)ᵀ L⁻¹ v.
    func solving(_ v: Vector3) -> Vector3 {
        let x = v.x / diagonal.x
        let y = (v.y - below.x * x) / diagonal.y
        return Vector3(x, y, (v.z - below.y * x - below.z * y) / diagonal.z)
    }
}

/// How the device moved from the start to a frame, and about it: a class, because each of the frame's rays looks into it, and it is
/// large.
private final class FrameMotion {
    let motion: PreintegratedMotion
    let noise: PoseNoise
    let readout: ReadoutMotion
    /// The IMU's angular velocity at the frame's instant, in its own frame.
    let rate: Vector3

    init(motion: PreintegratedMotion, noise: PoseNoise, readout: ReadoutMotion, rate: Vector3) {
        self.motion = motion
        self.noise = noise
        self.readout = readout
        self.rate = rate
    }

    static func all(_ window: AlignmentWindow, _ motion: RefinedMotion) -> [FrameMotion] {
        let (history, instants) = (window.history, window.sights.instants(shiftedBySeconds: motion.timeShift))
        let motions = history.motions(
            from: window.sights.start, to: instants, errors: motion.errors, detail: .derivatives)
        return instants.indices.map { index in
            FrameMotion(
                motion: motions[index], noise: motion.noise[index],
                readout: ReadoutMotion(
                    about: instants[index], readoutSeconds: motion.calibration.readoutSeconds,
                    history: history, errors: motion.errors),
                rate: motion.errors.corrected(history.reading(at: instants[index])).angularVelocity)
        }
    }
}

/// Where a ray was seen from.
private struct RayView {
    let frame: FrameMotion
    /// From the start to the row, and after the frame's instant, in seconds.
    let time, tau: Double
    /// See ``CameraState/readoutShare(of:)``.
    let readoutShare: Double
    /// The start's frame from the IMU's, when the row was exposed.
    let rotation: Rotation
    let opticalFromStart: Matrix3x3
    /// From the IMU at the frame's instant to the camera, in the start's frame: what turns with the IMU.
    let arm: Vector3
    /// The camera in the start's frame; and what of it is metric by itself: the samples' double integral, and the camera's
    /// place in the device.
    let place, measured: Vector3
    /// The standard deviation of where the ray was seen, in pixels.
    let pixelDeviation: Double

    init(_ ray: WindowSights.Ray, _ frame: FrameMotion, _ state: RefinedMotion) {
        let motion = frame.motion
        pixelDeviation = (state.pixelDeviation * state.pixelDeviation + ray.blurVariance).squareRoot()
        self.frame = frame
        readoutShare = ray.readoutShare
        tau = readoutShare * state.calibration.readoutSeconds
        time = motion.seconds + tau
        let (turn, displacement) = frame.readout.motion(at: tau)
        let imu = Rotation(rotationVector: frame.noise.turn) * motion.rotation
        rotation = imu * turn
        opticalFromStart = (rotation * state.calibration.imuFromOptical.rotation).inverse.matrix
        arm = imu * displacement + rotation * state.calibration.imuFromOptical.translation
        let samples = motion.position + frame.noise.shift + motion.velocity * tau + arm
        let bias = motion.byAccelerometer.bias
        measured = samples - (bias.position + tau * bias.velocity) * state.errors.accelerometerBias
        place = state.velocity * time + state.gravity * (0.5 * time * time) + samples
    }

    /// A point in the picture.
    struct Seen {
        /// From the camera to the point, times its inverse depth, in the start's frame.
        let ray: Vector3
        /// The same in the camera's.
        let optical: Vector3
        let projection: CameraProjection
    }

    func seen(_ point: RefinedMotion.Point, by camera: Camera) -> Seen? {
        let ray = point.direction - place * point.inverseDepth
        let optical = opticalFromStart * ray
        return camera.projectWithJacobians(optical).map { Seen(ray: ray, optical: optical, projection: $0) }
    }

    /// Writes how a coordinate in the picture, in standard deviations, changes with the common unknowns, and answers how it
    /// changes with the point's.
    func writeRow(
        _ axis: Int, of seen: Seen, _ point: RefinedMotion.Point, _ tangent: (Vector3, Vector3),
        _ state: RefinedMotion, into row: inout [Double]
    ) -> Vector3 {
        let weight = 1 / pixelDeviation
        let (byPoint, byParameters) = (seen.projection.pixelByPoint, seen.projection.pixelByParameters)
        let normal = Vector3(byPoint.x[axis], byPoint.y[axis], byPoint.z[axis]) * weight
        let scaled = opticalFromStart.transpose * normal
        let byPlace = -point.inverseDepth * scaled
        // δφ turns the device to the left of its rotation, and the camera about the device.
        let byTurn = scaled.cross(seen.ray) + arm.cross(byPlace)
        func write(_ first: Int, _ value: Vector3) {
            row[first] = value.x
            row[first + 1] = value.y
            row[first + 2] = value.z
        }
        write(StartLayout.velocity, byPlace * time)
        write(StartLayout.gravity, byPlace * (0.5 * time * time))
        func write(_ first: Int, _ d: PreintegratedMotion.AccelerometerDerivatives) {
            write(first, (d.position + tau * d.velocity).transpose * byPlace)
        }
        func write(_ first: Int, _ d: PreintegratedMotion.GyroscopeDerivatives) {
            write(first, d.rotation.transpose * byTurn + (d.position + tau * d.velocity).transpose * byPlace)
        }
        let (g, a) = (frame.motion.byGyroscope, frame.motion.byAccelerometer)
        write(StartLayout.accelerometerBias, a.bias)
        write(StartLayout.gyroscopeBias, g.bias)
        write(StartLayout.gyroscopeDistortion, g.x)
        write(StartLayout.gyroscopeDistortion + 3, g.y)
        write(StartLayout.gyroscopeDistortion + 6, g.z)
        write(StartLayout.accelerometerDistortion, a.x)
        write(StartLayout.accelerometerDistortion + 3, a.y)
        write(StartLayout.accelerometerDistortion + 6, a.z)
        let lag = frame.motion.byAccelerometerLag
        row[StartLayout.accelerometerLag] = (lag.position + tau * lag.velocity).dot(byPlace)
        write(StartLayout.extrinsicRotation, normal.cross(seen.optical))
        write(StartLayout.extrinsicTranslation, rotation.inverse * byPlace)
        // Later by δt, the device has turned and gone on.
        let speed = state.velocity + state.gravity * time + frame.motion.velocity
        row[StartLayout.timeOffset] = byTurn.dot(rotation * frame.rate) + byPlace.dot(speed)
        row[StartLayout.readout] = readoutShare * row[StartLayout.timeOffset]
        let focal = state.calibration.camera.intrinsics
        let byFocal = (byParameters[0][axis] * focal.fx * weight, byParameters[1][axis] * focal.fy * weight)
        row[StartLayout.focal] = byFocal.0 + byFocal.1
        (row[StartLayout.ownFocal], row[StartLayout.ownFocal + 1]) = byFocal
        row[StartLayout.principalPoint] = byParameters[2][axis] * weight
        row[StartLayout.principalPoint + 1] = byParameters[3][axis] * weight
        row[StartLayout.radial] = byParameters[4][axis] * weight
        row[RefinedMotion.inverseScale] = byPlace.dot(measured)
        write(RefinedMotion.commonCount, byTurn)
        write(RefinedMotion.commonCount + 3, byPlace)
        return Vector3(scaled.dot(tangent.0), scaled.dot(tangent.1), -scaled.dot(place))
    }
}
