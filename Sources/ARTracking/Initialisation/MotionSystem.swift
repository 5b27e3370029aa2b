// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CSolve

/// The normal equations of a ``RefinedMotion`` about where it stands, its points eliminated, and what is needed to get them
/// back. The unknowns are those of ``StartLayout``, with κ v, κ g and κ ba for v, g and ba, and κ.
///
/// Law: `MotionAlignmentTests.derivativesAreThoseOfTheCost`.
struct MotionSystem {
    /// The lower triangle, by columns.
    private(set) var matrix = [Double](repeating: 0, count: RefinedMotion.size * RefinedMotion.size)
    private(set) var right = [Double](repeating: 0, count: RefinedMotion.size)
    private(set) var points: [EliminatedPoint] = []
    /// What is minimised: squares, in standard deviations, that grow linearly beyond ``huber``, and those of what is known
    /// beforehand.
    private(set) var cost = 0.0
    /// The squares of the rays alone, and their number.
    private(set) var squares = 0.0
    private(set) var count = 0
    /// The squares of what is known beforehand.
    private(set) var priorSquares = 0.0

    /// Beyond this many standard deviations an angle counts linearly (Huber 1964).
    private static let huber = 2.0
    private static let size = RefinedMotion.size

    struct EliminatedPoint {
        /// Two directions at right angles to the point's: along them, and in inverse depth, it moves.
        var tangent: (Vector3, Vector3)
        var information = Matrix3x3.zero
        var right = Vector3.zero
        var cross = [Vector3](repeating: .zero, count: RefinedMotion.size)

        init(_ direction: Vector3) {
            let first = direction.anyPerpendicular() ?? Vector3(1, 0, 0)
            tangent = (first, direction.cross(first))
        }

        /// Adds a residual that changes by `own` with the point, and by `row` with the common unknowns.
        mutating func add(_ own: Vector3, _ row: [Double], residual: Double) {
            information = information + Matrix3x3.outerProduct(own, own)
            right += own * residual
            for (index, value) in row.enumerated() { cross[index] += own * value }
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

    /// `nil` where a point comes to lie behind a camera that saw it, or where there is no memory.
    init?(_ motion: RefinedMotion, _ sights: WindowSights, _ places: [RefinedMotion.Point], _ history: ImuHistory) {
        let instants = sights.instants(shiftedBySeconds: motion.timeShift)
        let frames = FrameMotion.all(at: instants, after: sights.start, motion, history)
        let focal = motion.calibration.camera.intrinsics.fx / motion.stated.camera.intrinsics.fx
        var row = [Double](repeating: 0, count: Self.size)
        var rows: [Double] = []
        rows.reserveCapacity(2 * sights.rays.reduce(Self.size) { $0 + $1.count } * Self.size)
        for (rays, place) in zip(sights.rays, places) {
            var point = EliminatedPoint(place.direction)
            for ray in rays {
                let view = RayView(ray, frames[ray.frame], motion)
                let observed = Vector2(ray.direction.x, ray.direction.y) / (ray.direction.z * focal)
                guard let seen = view.seen(place), ray.direction.z > 1e-3 else { return nil }
                let distance = (observed - seen.expected).length / motion.settings.directionDeviation
                let robust = distance <= Self.huber ? 1 : Self.huber / distance
                squares += distance * distance
                cost += distance <= Self.huber ? distance * distance : Self.huber * (2 * distance - Self.huber)
                count += 1
                for axis in 0..<2 {
                    let own = view.writeRow(
                        axis, of: seen, observed: observed, place, point.tangent, motion, into: &row)
                    let residual = (observed[axis] - seen.expected[axis]) / motion.settings.directionDeviation
                    let weight = robust.squareRoot()
                    let weighted = row.map { weight * $0 }
                    add(weighted, residual: weight * residual, to: &rows)
                    point.add(own * weight, weighted, residual: weight * residual)
                }
            }
            points.append(point)
        }
        let byRays = cost
        addPriors(motion, to: &rows)
        priorSquares = cost - byRays
        guard
            csolve_add_squares(&matrix, Int32(Self.size), rows, Int32(rows.count / Self.size), 1) == CSOLVE_OK
        else { return nil }
    }

    /// Adds a row of whitened residuals' derivatives, whose squares are summed later all at once.
    private mutating func add(_ row: [Double], residual: Double, to rows: inout [Double]) {
        rows += row
        for (index, value) in row.enumerated() { right[index] += value * residual }
    }

    /// What is known beforehand: the strength of gravity, and how far the device's errors go.
    private mutating func addPriors(_ motion: RefinedMotion, to rows: inout [Double]) {
        let strength = motion.gravity.length
        let direction = motion.gravity / max(strength, 1e-6)
        let settings = motion.settings
        // κ g / κ: by κ g it changes along gravity, by κ against it.
        var row = [Double](repeating: 0, count: Self.size)
        for axis in 0..<3 { row[StartLayout.gravity + axis] = direction[axis] / settings.gravityDeviation }
        row[RefinedMotion.inverseScale] = -strength / settings.gravityDeviation
        addPrior(row, residual: (settings.gravityStrength - strength) / settings.gravityDeviation, to: &rows)
        var others: [(Int, Double, Double)] = []
        motion.forEachPrior { others.append(($0, $1, $2)) }
        for (variable, value, deviation) in others {
            row = [Double](repeating: 0, count: Self.size)
            row[variable] = 1 / deviation
            if StartLayout.accelerometerBias..<StartLayout.gyroscopeBias ~= variable {
                row[RefinedMotion.inverseScale] = -value / deviation
            }
            addPrior(row, residual: -value / deviation, to: &rows)
        }
    }

    private mutating func addPrior(_ row: [Double], residual: Double, to rows: inout [Double]) {
        cost += residual * residual
        add(row, residual: residual, to: &rows)
    }

    // MARK: Solutions

    /// The step of the common unknowns.
    func step(damping: Double) -> [Double]? {
        guard var (matrix, right) = reduced(damping: damping) else { return nil }
        for i in 0..<Self.size { matrix[i * Self.size + i] *= 1 + max(damping, 1e-9) }
        let status = csolve_solve_positive_definite(matrix, Int32(Self.size), &right, 1)
        return status == CSOLVE_OK ? right : nil
    }

    /// The covariance of what is metric: that of all with the inverse scale held, which only spares the steps.
    func covariance() -> DenseMatrix? {
        guard let matrix = reduced(damping: 0)?.matrix else { return nil }
        let count = StartLayout.count
        let metric = (0..<count).flatMap { column in matrix[(column * Self.size)..<(column * Self.size + count)] }
        var inverse = DenseMatrix(rows: count, columns: count)
        for index in 0..<count { inverse[index, index] = 1 }
        let status = csolve_solve_positive_definite(metric, Int32(count), &inverse.values, Int32(count))
        return status == CSOLVE_OK ? inverse : nil
    }

    /// The equations without the points.
    private func reduced(damping: Double) -> (matrix: [Double], right: [Double])? {
        var (matrix, right) = (matrix, right)
        var rows: [Double] = []
        rows.reserveCapacity(3 * points.count * Self.size)
        for point in points {
            // A point that nothing holds takes nothing away.
            guard let root = CholeskyRoot(point.damped(damping)) else { continue }
            let ownRight = root.solving(point.right)
            let columns = point.cross.map(root.solving)
            for (index, column) in columns.enumerated() { right[index] -= column.dot(ownRight) }
            for axis in 0..<3 { rows += columns.map { $0[axis] } }
        }
        let status = csolve_add_squares(&matrix, Int32(Self.size), rows, Int32(rows.count / Self.size), -1)
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

/// How the device moved from the start to a frame, and about it.
private struct FrameMotion {
    let motion: PreintegratedMotion
    let readout: ReadoutMotion
    /// The IMU's angular velocity at the frame's instant, in its own frame.
    let rate: Vector3

    static func all(
        at instants: [Timestamp], after start: Timestamp, _ motion: RefinedMotion, _ history: ImuHistory
    ) -> [FrameMotion] {
        zip(instants, history.motions(from: start, to: instants, errors: motion.errors)).map { instant, since in
            FrameMotion(
                motion: since,
                readout: ReadoutMotion(
                    about: instant, readoutNanoseconds: motion.calibration.readoutNanoseconds, history: history,
                    errors: motion.errors),
                rate: motion.errors.corrected(history.reading(at: instant)).angularVelocity)
        }
    }
}

/// Where a ray was seen from.
private struct RayView {
    let frame: FrameMotion
    /// From the start to the row, and after the frame's instant, in seconds.
    let time, tau: Double
    /// The start's frame from the IMU's, when the row was exposed.
    let rotation: Rotation
    let opticalFromStart: Matrix3x3
    /// The camera in the start's frame; and what of it is metric by itself: the samples' double integral, and the camera's
    /// place in the device.
    let place, measured: Vector3

    init(_ ray: WindowSights.Ray, _ frame: FrameMotion, _ state: RefinedMotion) {
        let motion = frame.motion
        self.frame = frame
        tau = ray.secondsAfterInstant
        time = motion.seconds + tau
        let (turn, displacement) = frame.readout.motion(at: tau)
        rotation = motion.rotation * turn
        opticalFromStart = (rotation * state.calibration.imuFromOptical.rotation).inverse.matrix
        let samples =
            motion.position + motion.velocity * tau + motion.rotation * displacement
            + rotation * state.calibration.imuFromOptical.translation
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
        let expected: Vector2
    }

    func seen(_ point: RefinedMotion.Point) -> Seen? {
        let ray = point.direction - place * point.inverseDepth
        let optical = opticalFromStart * ray
        guard optical.z > 1e-3 else { return nil }
        return Seen(ray: ray, optical: optical, expected: Vector2(optical.x, optical.y) / optical.z)
    }

    /// Writes how a coordinate in the picture, in standard deviations, changes with the common unknowns, and answers how it
    /// changes with the point's.
    func writeRow(
        _ axis: Int, of seen: Seen, observed: Vector2, _ point: RefinedMotion.Point, _ tangent: (Vector3, Vector3),
        _ state: RefinedMotion, into row: inout [Double]
    ) -> Vector3 {
        let weight = 1 / state.settings.directionDeviation
        var normal = Vector3(0, 0, -seen.expected[axis] / seen.optical.z)
        normal[axis] = 1 / seen.optical.z
        normal *= weight
        let scaled = opticalFromStart.transpose * normal
        let byPlace = -point.inverseDepth * scaled
        // δφ turns the device to the left of its rotation.
        let byTurn = scaled.cross(seen.ray)
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
        write(StartLayout.extrinsicRotation, normal.cross(seen.optical))
        write(StartLayout.extrinsicTranslation, rotation.inverse * byPlace)
        // Later by δt, the device has turned and gone on.
        let rate = rotation * frame.rate
        let speed =
            state.velocity + state.gravity * time + frame.motion.velocity
            + rate.cross(rotation * state.calibration.imuFromOptical.translation)
        row[StartLayout.timeOffset] = byTurn.dot(rate) + byPlace.dot(speed)
        row[StartLayout.focal] = observed[axis] * weight
        row[RefinedMotion.inverseScale] = byPlace.dot(measured)
        return Vector3(scaled.dot(tangent.0), scaled.dot(tangent.1), -scaled.dot(place))
    }
}
