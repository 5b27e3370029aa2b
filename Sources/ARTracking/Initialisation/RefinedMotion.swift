// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import CSolve

/// The most probable beginning of a motion: velocity, gravity, biases and points that explain best, in the picture, what
/// was seen.
///
/// The linear problem weighs a ray's error by the point's depth and so pulls points nearer; here, what is minimised is the
/// angle itself, by Levenberg-Marquardt steps in velocity, gravity and both biases, with the points eliminated. A point
/// is seen from the start in direction h at inverse depth ρ, so that rays of far points are as good as any.
///
/// Only the product of ρ with a place p(t) is seen, so that a change of scale bends all unknowns together. Steps are
/// therefore taken in κ v, κ g, κ ba and κ, with ρ = κ ρ′: in these, places times inverse depths are linear, and
/// the valley that a poorly known scale makes is straight.
///
/// Law: `MotionAlignmentTests.tellsScaleAndHowWell`.
struct RefinedMotion {
    private(set) var velocity: Vector3
    private(set) var gravity: Vector3
    private(set) var errors: ImuErrors
    /// The standard deviation of the way's length, as a share of it.
    private(set) var relativeScaleDeviation = Double.infinity
    /// The root mean square of the angles between rays and points, in radians.
    private(set) var error = Double.infinity
    /// The covariance of velocity, gravity, and the biases of accelerometer and gyroscope: 12×12, by columns.
    private(set) var covariance: [Double] = []

    private static let size = 13
    /// The unknowns without the inverse scale.
    private static let metricSize = 12
    private static let iterations = 20
    /// Beyond this many standard deviations an angle counts linearly (Huber 1964).
    private static let huber = 2.0

    /// A point as it is seen from the start.
    private struct Point {
        var direction: Vector3
        var inverseDepth: Double
    }

    init?(
        _ sights: WindowSights, start: LinearSolution, gyroscopeBias: Vector3, history: ImuHistory,
        calibration: CameraState, _ settings: InitialisationSettings
    ) {
        velocity = start.velocity
        gravity = start.gravity
        errors = ImuErrors(gyroscopeBias: gyroscopeBias, accelerometerBias: start.accelerometerBias)
        var points: [Point] = start.points.map { point in
            let distance = point.length
            return Point(direction: point.normalized() ?? Vector3(1, 0, 0), inverseDepth: 1 / max(distance, 0.05))
        }
        // The linear problem may place a point behind the camera: then it starts far away on its first ray.
        for (index, rays) in sights.rays.enumerated() where start.residuals.isEmpty == false {
            let ray = calibration.imuFromOptical.rotation * rays[0].direction
            if rays[0].frame == 0, points[index].direction.dot(ray) < 0.5 {
                points[index] = Point(direction: ray, inverseDepth: 0.2)
            }
        }

        var damping = 1e-8
        guard var system = system(sights, points, history, calibration, settings) else { return nil }
        for _ in 0..<Self.iterations {
            guard var common = Self.step(system, damping: damping)?.common else { return nil }
            var changes = system.points.map { $0.change(for: common, damping: damping) }
            // ρ′ (1 + ε) with all places times (1 − ε) is the same picture: the share that all points have in common is
            // left to κ, along which the problem is linear.
            let shares = zip(changes, points).map { $0.z / max($1.inverseDepth, 1e-3) }.sorted()
            let share = shares[shares.count / 2]
            for (first, value) in [(0, velocity), (3, gravity), (6, errors.accelerometerBias)] {
                for axis in 0..<3 { common[first + axis] += share * value[axis] }
            }
            common[12] += share
            for index in points.indices { changes[index].z -= share * points[index].inverseDepth }

            var (moved, movedPoints) = (self, points)
            let inverseScale = moved.move(by: common)
            for (index, change) in changes.enumerated() {
                let tangent = system.points[index].tangent
                movedPoints[index].direction =
                    (points[index].direction + tangent.0 * change.x + tangent.1 * change.y).normalized()
                    ?? points[index].direction
                movedPoints[index].inverseDepth = inverseScale * (points[index].inverseDepth + change.z)
            }
            let next = moved.system(sights, movedPoints, history, calibration, settings)
            if let next, next.cost <= system.cost {
                let isDone = system.cost - next.cost < 1e-2
                (self, points, system) = (moved, movedPoints, next)
                damping = max(damping * 0.1, 1e-10)
                if isDone { break }
            } else {
                damping *= 30
                if damping > 1e6 { break }
            }
        }
        error = (system.squares / Double(system.count)).squareRoot() * settings.directionDeviation
        guard let covariance = Self.covariance(system) else { return nil }
        self.covariance = covariance
        relativeScaleDeviation = scaleDeviation(end: sights.instants, history)
    }

    /// Takes a step of κ v, κ g, κ ba, bg and κ, and says what κ has become; it is one again afterwards.
    private mutating func move(by step: [Double]) -> Double {
        let inverseScale = max(1 + step[12], 0.2)
        velocity = (velocity + Vector3(step[0], step[1], step[2])) / inverseScale
        gravity = (gravity + Vector3(step[3], step[4], step[5])) / inverseScale
        errors.accelerometerBias = (errors.accelerometerBias + Vector3(step[6], step[7], step[8])) / inverseScale
        errors.gyroscopeBias += Vector3(step[9], step[10], step[11])
        return inverseScale
    }

    /// The normal equations of the common unknowns, the points eliminated, and what is needed to get them back.
    private struct System {
        var matrix = [Double](repeating: 0, count: RefinedMotion.size * RefinedMotion.size)
        var right = [Double](repeating: 0, count: RefinedMotion.size)
        var points: [EliminatedPoint] = []
        var cost = 0.0
        var squares = 0.0
        var count = 0
    }

    private struct EliminatedPoint {
        var tangent: (Vector3, Vector3)
        var information: Matrix3x3
        var right: Vector3
        var cross: [Vector3]

        /// What the point does when the common unknowns move.
        func change(for common: [Double], damping: Double) -> Vector3 {
            let rest = zip(cross, common).reduce(right) { $0 - $1.0 * $1.1 }
            return (damped(damping).inverse ?? .zero) * rest
        }

        func damped(_ damping: Double) -> Matrix3x3 {
            let d = Vector3(information[0].x, information[1].y, information[2].z)
            return information + Matrix3x3(diagonal: d * damping + Vector3(repeating: 1e-9))
        }
    }

    private func system(
        _ sights: WindowSights, _ points: [Point], _ history: ImuHistory, _ calibration: CameraState,
        _ settings: InitialisationSettings
    ) -> System? {
        let motions = history.motions(from: sights.instants[0], to: sights.instants, errors: errors)
        let readouts = sights.instants.map {
            ReadoutMotion(
                about: $0, readoutNanoseconds: calibration.readoutNanoseconds, history: history, errors: errors)
        }
        var system = System()
        let weight = 1 / settings.directionDeviation
        for (index, rays) in sights.rays.enumerated() {
            let point = points[index]
            let first = point.direction.anyPerpendicular() ?? Vector3(1, 0, 0)
            let tangent = (first, point.direction.cross(first))
            var eliminated = EliminatedPoint(
                tangent: tangent, information: .zero, right: .zero, cross: Array(repeating: .zero, count: Self.size))
            for ray in rays {
                let motion = motions[ray.frame]
                let tau = ray.secondsAfterInstant
                let (turn, displacement) = readouts[ray.frame].motion(at: tau)
                let rowRotation = motion.rotation * turn
                let time = motion.seconds + tau
                let accelerometer = motion.byAccelerometer.bias
                let placeByAccelerometer = accelerometer.position + tau * accelerometer.velocity
                // What is metric by itself: the samples' double integral, and the camera's place in the device.
                let measured =
                    motion.position + motion.velocity * tau + motion.rotation * displacement
                    + rowRotation * calibration.imuFromOptical.translation
                    - placeByAccelerometer * errors.accelerometerBias
                let place =
                    velocity * time + gravity * (0.5 * time * time) + measured
                    + placeByAccelerometer * errors.accelerometerBias
                let opticalFromStart = (rowRotation * calibration.imuFromOptical.rotation).inverse.matrix
                let seen = point.direction - place * point.inverseDepth
                let q = opticalFromStart * seen
                guard q.z > 1e-3, ray.direction.z > 1e-3 else { return nil }
                let inverse = 1 / q.z
                let expected = Vector2(q.x, q.y) * inverse
                let observed = Vector2(ray.direction.x, ray.direction.y) / ray.direction.z
                let distance = (observed - expected).length * weight
                let robust = distance <= Self.huber ? 1 : Self.huber / distance
                system.squares += distance * distance
                system.cost += distance <= Self.huber ? distance * distance : Self.huber * (2 * distance - Self.huber)
                system.count += 1

                let gyroscope = motion.byGyroscope.bias
                let placeByGyroscope = gyroscope.position + tau * gyroscope.velocity
                for axis in 0..<2 {
                    // ∂(expected)/∂q, turned into the start's frame.
                    var n = Vector3(0, 0, -expected[axis] * inverse)
                    n[axis] = inverse
                    let row = opticalFromStart.transpose * n
                    let residual = (observed[axis] - expected[axis]) * weight
                    let scaled = row * weight
                    let byPlace = -point.inverseDepth * scaled
                    let byRotation = -1 * (seen.cross(scaled))
                    let v = byPlace * time
                    let g = byPlace * (0.5 * time * time)
                    let ba = placeByAccelerometer.transpose * byPlace
                    let bg = gyroscope.rotation.transpose * byRotation + placeByGyroscope.transpose * byPlace
                    let scale = byPlace.dot(measured)
                    let common = [v.x, v.y, v.z, g.x, g.y, g.z, ba.x, ba.y, ba.z, bg.x, bg.y, bg.z, scale]
                    let own = Vector3(scaled.dot(tangent.0), scaled.dot(tangent.1), -scaled.dot(place))
                    eliminated.information = eliminated.information + robust * Matrix3x3.outerProduct(own, own)
                    eliminated.right += own * (robust * residual)
                    for i in 0..<Self.size {
                        eliminated.cross[i] += own * (robust * common[i])
                        system.right[i] += robust * common[i] * residual
                        for j in 0...i { system.matrix[j * Self.size + i] += robust * common[i] * common[j] }
                    }
                }
            }
            system.points.append(eliminated)
        }
        // What is known beforehand: the strength of gravity, and how large biases are.
        let strength = gravity.length
        let direction = gravity / max(strength, 1e-6)
        let gravityWeight = 1 / settings.gravityDeviation
        let surprise = (settings.gravityStrength - strength) * gravityWeight
        system.cost += surprise * surprise
        // κ g / κ: by κ g it changes along gravity, by κ against it.
        let byCommon = [(3, direction.x), (4, direction.y), (5, direction.z), (12, -strength)]
        for (i, a) in byCommon {
            system.right[i] += a * gravityWeight * surprise
            for (j, b) in byCommon where j <= i {
                system.matrix[j * Self.size + i] += a * b * gravityWeight * gravityWeight
            }
        }
        for (first, value, deviation) in [
            (6, errors.accelerometerBias, settings.accelerometerBias),
            (9, errors.gyroscopeBias, settings.gyroscopeBias),
        ] {
            let information = 1 / (deviation * deviation)
            system.cost += value.squaredLength * information
            for i in 0..<3 {
                system.matrix[(first + i) * Self.size + first + i] += information
                system.right[first + i] -= value[i] * information
                guard first == 6 else { continue }
                system.matrix[(first + i) * Self.size + 12] -= value[i] * information
                system.matrix[12 * Self.size + 12] += value[i] * value[i] * information
                system.right[12] += value[i] * value[i] * information
            }
        }
        return system
    }

    /// The step of the common unknowns.
    private static func step(_ system: System, damping: Double) -> (common: [Double], matrix: [Double])? {
        var (matrix, right) = (system.matrix, system.right)
        for point in system.points {
            guard let inverse = point.damped(damping).inverse else { return nil }
            let solved = inverse * point.right
            for i in 0..<size {
                right[i] -= point.cross[i].dot(solved)
                let column = inverse * point.cross[i]
                for j in 0...i { matrix[j * size + i] -= column.dot(point.cross[j]) }
            }
        }
        for i in 0..<size { matrix[i * size + i] *= 1 + max(damping, 1e-9) }
        let status = csolve_solve_positive_definite(matrix, Int32(size), &right, 1)
        return status == CSOLVE_OK ? (right, matrix) : nil
    }

    /// The covariance of what is metric: that of all with the inverse scale held, which only spares the steps.
    private static func covariance(_ system: System) -> [Double]? {
        guard let reduced = step(system, damping: 0)?.matrix else { return nil }
        let metric = (0..<metricSize).flatMap { column in reduced[(column * size)..<(column * size + metricSize)] }
        var inverse = (0..<(metricSize * metricSize)).map { $0 % (metricSize + 1) == 0 ? 1.0 : 0.0 }
        let status = csolve_solve_positive_definite(metric, Int32(metricSize), &inverse, Int32(metricSize))
        return status == CSOLVE_OK ? inverse : nil
    }

    /// The standard deviation of the way from the first to the last place, along it, as a share of its length.
    private func scaleDeviation(end instants: [Timestamp], _ history: ImuHistory) -> Double {
        let motions = history.motions(from: instants[0], to: instants, errors: errors)
        var (longest, deviation) = (0.0, Double.infinity)
        for motion in motions.dropFirst() {
            let time = motion.seconds
            let way = velocity * time + gravity * (0.5 * time * time) + motion.position
            guard way.length > longest, let direction = way.normalized() else { continue }
            longest = way.length
            let (v, g) = (direction * time, direction * (0.5 * time * time))
            let a = motion.byAccelerometer.bias.position.transpose * direction
            let b = motion.byGyroscope.bias.position.transpose * direction
            let row = [v.x, v.y, v.z, g.x, g.y, g.z, a.x, a.y, a.z, b.x, b.y, b.z]
            var variance = 0.0
            for i in row.indices {
                for j in row.indices { variance += row[i] * row[j] * covariance[j * Self.metricSize + i] }
            }
            deviation = variance.squareRoot() / longest
        }
        return deviation
    }
}
