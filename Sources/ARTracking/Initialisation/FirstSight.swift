// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import Foundation

/// What the frame showed that gave the world its origin and its heading: there the camera's place and heading are what they are
/// called.
///
/// A device that rests is watched by an estimator that knows little more than that. Points that are seen from there, and still when
/// a motion is found, tell where the camera has come to and how it has turned since: better than samples and a hand's sway do.
/// Which way is up there, samples carry to the motion better still; and as the device rested, what is learned later of its
/// accelerometer says which way that was.
///
/// Law: `FirstSightTests`.
struct FirstSight: Sendable {
    /// What is known of the device at that frame.
    private var known: Known
    /// The camera there, as it was called when the frame was the newest: what is learned of the frame later, as of the clocks'
    /// offset while the device turned, is no news of heading and place.
    let worldFromOptical: RigidTransform
    /// What was seen, in the order of the points' ids.
    let points: [SeenPoint]
    private let slot: Int
    /// What the sensors read about the frame, wherever its instant may turn out to be.
    private var readings: ImuHistory
    /// How the device has moved from then to an instant from which on the samples are still there.
    private var carried: PreintegratedMotion
    private var carriedTo: Timestamp

    private struct Known {
        var clone: Clone
        var tilt: RestTilt
        /// The errors of the sensors as they are known.
        var errors: ImuErrors
        /// When the frame was taken, on the sensor's clock, as that is known: the clone's instant is what was believed at first.
        var instant: Timestamp

        /// `nil` where the filter does not keep the frame.
        init?(_ filter: VisualInertialFilter, slot: Int) {
            guard let clone = filter.clones[slot] else { return nil }
            self.clone = clone
            tilt = filter.restTilt(ofClone: slot, clone)
            errors = filter.navigation.errors
            instant = filter.calibration.instant(ofFrameAt: clone.timestamp)
        }
    }

    /// The device at that frame.
    var clone: Clone { known.clone }
    /// How well it is known which way is up.
    var tilt: RestTilt { known.tilt }
}

/// How well it is known which way is up for a device that rests: what it feels is gravity and its accelerometer's errors.
struct RestTilt: Sendable {
    /// How much its rotation errs, in the world's axes, with an error of the specific force, in rad per m/s².
    var byForce: Matrix3x3
    /// The specific force that it feels, in its own axes, in m/s²: by that the accelerometer's distortion errs.
    var felt: Vector3
    /// The covariance of what else there is, in rad².
    var covariance: Matrix3x3

    /// By how much a rotation turns when this is learned of the accelerometer.
    fileprivate func turn(from before: ImuErrors, to after: ImuErrors) -> Vector3 {
        byForce
            * (after.accelerometerBias - before.accelerometerBias
                + (after.accelerometerDistortion - before.accelerometerDistortion) * felt)
    }
}

extension FirstSight {
    /// How long ago a motion may have begun when it is found, in seconds: a little less than the tracker keeps samples.
    private static let samplesKeptSeconds = 2.9
    /// How far from where that frame was believed to be, in time, its readings are kept: as far as the clocks may be off, and for half of
    /// a readout, which may last for a frame.
    private static let readingsKeptNanoseconds = WindowSights.largestTimeShiftNanoseconds + 20_000_000

    /// The first frame of an estimator that has come no further.
    init?(_ odometry: Odometry, points: [SeenPoint], history: ImuHistory) {
        guard let slot = odometry.window.last, let known = Known(odometry.filter, slot: slot) else { return nil }
        self.known = known
        worldFromOptical = known.clone.worldFromImu * odometry.filter.calibration.imuFromOptical
        self.slot = slot
        self.points = points
        readings = history.excerpt(about: known.clone.instant, withinNanoseconds: Self.readingsKeptNanoseconds)
        carried = PreintegratedMotion(errors: known.errors, detail: .noise)
        carriedTo = known.clone.instant
    }

    /// What the same estimator has learned of that frame, as long as it keeps it, and how the device went on from there.
    mutating func learn(from odometry: Odometry, history: ImuHistory) {
        if !readings.reaches(clone.instant.advanced(byNanoseconds: Self.readingsKeptNanoseconds)) {
            readings = history.excerpt(about: clone.instant, withinNanoseconds: Self.readingsKeptNanoseconds)
        }
        let keptFrom = odometry.filter.navigation.timestamp.advanced(
            byNanoseconds: Int64(-Self.samplesKeptSeconds * 1e9))
        if keptFrom > carriedTo {
            history.advance(&carried, from: carriedTo, to: keptFrom)
            carriedTo = keptFrom
        }
        guard let now = Known(odometry.filter, slot: slot), now.clone.timestamp == clone.timestamp else { return }
        known = now
    }

    /// How the samples say that the device moved from that frame to a later instant; `nil` where they do not reach so far back.
    fileprivate func motion(to instant: Timestamp, history: ImuHistory) -> PreintegratedMotion? {
        guard instant >= carriedTo else { return nil }
        var motion = carried
        history.advance(&motion, from: carriedTo, to: instant)
        return motion
    }

    /// How the device turned from one instant about that frame to another, the one before or the one after it: a hand at rest sways, and
    /// the clocks may be off by more than a frame.
    private func turn(from start: Timestamp, to end: Timestamp, errors: ImuErrors) -> Rotation {
        let motion = readings.motion(from: min(start, end), to: max(start, end), errors: errors)
        return start <= end ? motion.rotation : motion.rotation.inverse
    }

    /// How the device turned from that frame, taken when a calibration says, to where its ``motion(to:history:)`` begins.
    fileprivate func turnToMotion(_ calibration: CameraState, errors: ImuErrors) -> Rotation {
        turn(from: calibration.instant(ofFrameAt: clone.timestamp), to: clone.instant, errors: errors)
    }

    /// The device at that frame where its accelerometer errs otherwise, the camera sits on it otherwise, and the frame was taken at
    /// another instant, than was believed: up is where the device felt it, and heading and place are the camera's.
    ///
    /// Laws: `FirstSightTests.anotherInstantIsAnotherAttitude`, `anotherMountingTurnsTheDevice`, `anotherAccelerometerTurnsTheRest`.
    func clone(errors: ImuErrors, calibration: CameraState) -> Clone {
        let imuFromOptical = calibration.imuFromOptical
        let instant = calibration.instant(ofFrameAt: clone.timestamp)
        let level =
            Rotation(rotationVector: tilt.turn(from: known.errors, to: errors)) * clone.worldFromImu.rotation
            * turn(from: known.instant, to: instant, errors: errors)
        let heading = (worldFromOptical.rotation * (level * imuFromOptical.rotation).inverse).partAboutUp
        let rotation = heading * level
        var moved = clone
        (moved.velocity, moved.isAtRest) = (.zero, true)
        moved.instant = instant
        moved.readout = ReadoutMotion(
            about: instant, readoutNanoseconds: calibration.readoutNanoseconds, history: readings, errors: errors)
        moved.worldFromImu = RigidTransform(
            rotation: rotation,
            translation: worldFromOptical.translation - rotation * imuFromOptical.translation)
        return moved
    }
}

extension Odometry {
    /// Begins with a frame from before the motion, whose points are tracks' first sights.
    mutating func begin(with first: FirstSight, history: ImuHistory) {
        let slot = filter.clones.firstIndex { $0 == nil }!
        let errors = filter.navigation.errors
        let clone = first.clone(errors: errors, calibration: filter.calibration)
        filter.addClone(slot, clone, tilt: first.tilt)
        window.append(slot)
        firstSightSlot = slot
        tracks = first.points.map { point in
            FeatureTrack(
                id: point.id,
                observations: [
                    FeatureTrack.Observation(
                        clone: slot, pixel: point.pixel, deviationPixels: point.deviationPixels, slide: point.slide)
                ])
        }
        if let motion = first.motion(to: filter.navigation.timestamp, history: history) {
            var tilt = Measurements(of: 0..<filter.layout.cameraAndClones.upperBound, capacity: 2)
            filter.appendTilt(
                since: slot, turnedBy: first.turnToMotion(filter.calibration, errors: errors), motion, walk: walk,
                to: &tilt)
            filter.update(with: tilt)
        }
    }
}

extension VisualInertialFilter {
    /// How well it is known which way is up at a clone at which the device rested: of the clone's covariance, what the
    /// accelerometer's bias explains, and the rest.
    fileprivate func restTilt(ofClone slot: Int, _ clone: Clone) -> RestTilt {
        let (first, bias) = (layout.clone(slot), StateLayout.accelerometerBias)
        let mixed = covariance.block(first, bias)
        let byForce = covariance.block(bias, bias).inverse.map { mixed * $0 } ?? .zero
        return RestTilt(
            byForce: byForce, felt: -1 * (clone.worldFromImu.rotation.inverse * gravity),
            covariance: covariance.block(first, first) - byForce * mixed.transpose)
    }

    /// Keeps the pose at a past frame as a clone in an empty slot: one at which heading and place of the camera are what they are
    /// called, and of whose rotation only what is not heading counts as uncertain. The camera is at the world's origin there.
    ///
    /// With u up, φ and t how the camera sits on the device, b and M the accelerometer's bias and distortion, f what was felt and B
    /// the rotation by force, uᵀ θ = −uᵀ R Rc φ, the rest of θ is that of B (b + M f), and ρ = −R t, as at a start.
    /// Law: `FirstSightTests.theCameraIsWhatItIsCalled`.
    mutating func addClone(_ slot: Int, _ clone: Clone, tilt: RestTilt) {
        precondition(clones[slot] == nil, "slot \(slot) already holds a clone")
        clones[slot] = clone
        let rotation = clone.worldFromImu.rotation.matrix
        let up = (-1 / gravity.length) * gravity
        let alongUp = Matrix3x3.outerProduct(up, up)
        let across = Matrix3x3.identity - alongUp
        let source = StateLayout.accelerometerBias..<(StateLayout.extrinsicTranslation + 3)
        var jacobian = DenseMatrix(rows: StateLayout.cloneSize, columns: source.count)
        func write(_ row: Int, _ variable: Int, _ block: Matrix3x3) {
            jacobian.set(row, variable - source.lowerBound, block)
        }
        write(0, StateLayout.accelerometerBias, across * tilt.byForce)
        for axis in 0..<3 {
            write(0, StateLayout.accelerometerDistortion + 3 * axis, tilt.felt[axis] * (across * tilt.byForce))
        }
        write(
            0, StateLayout.extrinsicRotation, -1 * (alongUp * (rotation * calibration.imuFromOptical.rotation.matrix)))
        write(3, StateLayout.extrinsicTranslation, -1 * rotation)
        var noise = DenseMatrix(rows: StateLayout.cloneSize, columns: StateLayout.cloneSize)
        noise.set(0, 0, across * tilt.covariance * across)
        let first = layout.clone(slot)
        covariance.transform(first..<(first + StateLayout.cloneSize), from: source, by: jacobian, noise: noise)
    }

    /// Adds the measurement that samples tell how the device has turned since a clone, from where it had turned a little already. Of that
    /// only what is no turn about up is used: the heading was carried here by samples already.
    ///
    /// With R₀ the rotation that the clone had after that little turn, ΔR that of the motion, e the errors of the gyroscope and D what
    /// they turn ΔR by, Log(R (R₀ ΔR)⁻¹) + θ = θ₀ + R₀ D e. Law: `FilterJacobianTests.samplesCarryUp`.
    func appendTilt(
        since slot: Int, turnedBy turn: Rotation = .identity, _ motion: PreintegratedMotion, walk: ErrorWalk,
        to measurements: inout Measurements
    ) {
        guard let clone = clones[slot], motion.seconds > 0 else { return }
        let d = motion.byGyroscope
        let bias = navigation.errors.gyroscopeBias - motion.errors.gyroscopeBias
        let distortion = navigation.errors.gyroscopeDistortion - motion.errors.gyroscopeDistortion
        let learned =
            d.bias.rotation * bias + d.x.rotation * distortion[0] + d.y.rotation * distortion[1]
            + d.z.rotation * distortion[2]
        let then = clone.worldFromImu.rotation * turn
        let expected = then * Rotation(rotationVector: learned) * motion.rotation
        let residual = -1 * (navigation.worldFromImu.rotation * expected.inverse).rotationVector
        // A bias that walks turns what is integrated by the integral of its walk.
        let walked = walk.gyroscope * pow(motion.seconds, 3) / 3
        let noise =
            then.matrix * motion.noise.rotation * then.matrix.transpose
            + Matrix3x3(diagonal: Vector3(repeating: walked))
        let level = gravity.anyPerpendicular()!
        for axis in [level, gravity.cross(level).normalized()!] {
            let row = measurements.appendRows(1)
            let deviation = axis.dot(noise * axis).squareRoot()
            func write(_ first: Int, _ derivative: Vector3) {
                for index in 0..<3 { measurements[row, first + index] = derivative[index] / deviation }
            }
            measurements[residual: row] = axis.dot(residual) / deviation
            write(StateLayout.rotation, axis)
            write(layout.clone(slot), -1 * axis)
            let inImu = then.inverse * axis
            for (first, derivative) in [
                (StateLayout.gyroscopeBias, d.bias), (StateLayout.gyroscopeDistortion, d.x),
                (StateLayout.gyroscopeDistortion + 3, d.y), (StateLayout.gyroscopeDistortion + 6, d.z),
            ] {
                write(first, -1 * (derivative.rotation.transpose * inImu))
            }
        }
    }
}
