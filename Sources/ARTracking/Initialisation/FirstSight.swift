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
/// Which way is up there, samples carry to the motion better still.
///
/// Law: `FirstSightTests`.
struct FirstSight: Sendable {
    /// The device at that frame, and the camera.
    private(set) var clone: Clone
    private(set) var worldFromOptical: RigidTransform
    /// How well its rotation is known, in the world's axes, in rad²: which way is up, because the heading is what it is called.
    private(set) var rotationCovariance: Matrix3x3
    /// What was seen, in the order of the points' ids.
    let points: [SeenPoint]
    private let slot: Int
    /// How the device has turned from then to an instant from which on the samples are still there.
    private var carried: PreintegratedMotion
    private var carriedTo: Timestamp
}

extension FirstSight {
    /// How long a motion may have begun before it is found, in seconds.
    private static let samplesKeptSeconds = 2.9

    /// The first frame of an estimator that has come no further.
    init?(_ odometry: Odometry, points: [SeenPoint]) {
        guard let slot = odometry.window.last, let clone = odometry.filter.clones[slot] else { return nil }
        self.slot = slot
        self.points = points
        self.clone = clone
        worldFromOptical = clone.worldFromImu * odometry.filter.calibration.imuFromOptical
        rotationCovariance = odometry.filter.rotationCovariance(ofClone: slot)
        carried = PreintegratedMotion(errors: odometry.filter.navigation.errors, detail: .noise)
        carriedTo = clone.instant
    }

    /// What the same estimator has learned of that frame, as long as it keeps it, and how the device went on from there.
    mutating func learn(from odometry: Odometry, history: ImuHistory) {
        let keptFrom = odometry.filter.navigation.timestamp.advanced(
            byNanoseconds: Int64(-Self.samplesKeptSeconds * 1e9))
        if keptFrom > carriedTo {
            history.advance(&carried, from: carriedTo, to: keptFrom)
            carriedTo = keptFrom
        }
        guard let known = odometry.filter.clones[slot], known.timestamp == clone.timestamp else { return }
        clone = known
        worldFromOptical = known.worldFromImu * odometry.filter.calibration.imuFromOptical
        rotationCovariance = odometry.filter.rotationCovariance(ofClone: slot)
    }

    /// How the samples say that the device moved from that frame to a later instant; `nil` where they do not reach so far back.
    fileprivate func motion(to instant: Timestamp, history: ImuHistory) -> PreintegratedMotion? {
        guard instant >= carriedTo else { return nil }
        var motion = carried
        history.advance(&motion, from: carriedTo, to: instant)
        return motion
    }

    /// The device at that frame where the camera sits on it otherwise than was believed: up is where the device felt it, and
    /// heading and place are the camera's.
    func clone(imuFromOptical: RigidTransform) -> Clone {
        let turned = clone.worldFromImu.rotation * imuFromOptical.rotation
        let heading = (worldFromOptical.rotation * turned.inverse).partAboutUp
        let rotation = heading * clone.worldFromImu.rotation
        var moved = clone
        (moved.velocity, moved.isAtRest) = (.zero, true)
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
        filter.addClone(
            slot, first.clone(imuFromOptical: filter.calibration.imuFromOptical),
            rotationCovariance: first.rotationCovariance)
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
            filter.appendTilt(since: slot, motion, walk: walk, to: &tilt)
            filter.update(with: tilt)
        }
    }
}

extension VisualInertialFilter {
    fileprivate func rotationCovariance(ofClone slot: Int) -> Matrix3x3 {
        covariance.block(layout.clone(slot), layout.clone(slot))
    }

    /// Keeps the pose at a past frame as a clone in an empty slot: one at which heading and place of the camera are what they are
    /// called, and of whose rotation only what is not heading counts as uncertain. The camera is at the world's origin there.
    ///
    /// With u up, and φ and t how the camera sits on the device, uᵀ θ = −uᵀ R Rc φ and ρ = −R t, as at a start.
    /// Law: `FirstSightTests.theCameraIsWhatItIsCalled`.
    mutating func addClone(_ slot: Int, _ clone: Clone, rotationCovariance: Matrix3x3) {
        precondition(clones[slot] == nil, "slot \(slot) already holds a clone")
        clones[slot] = clone
        let rotation = clone.worldFromImu.rotation.matrix
        let up = (-1 / gravity.length) * gravity
        let alongUp = Matrix3x3.outerProduct(up, up)
        let across = Matrix3x3.identity - alongUp
        var jacobian = DenseMatrix(rows: StateLayout.cloneSize, columns: 6)
        jacobian.set(0, 0, -1 * (alongUp * (rotation * calibration.imuFromOptical.rotation.matrix)))
        jacobian.set(3, 3, -1 * rotation)
        var noise = DenseMatrix(rows: StateLayout.cloneSize, columns: StateLayout.cloneSize)
        noise.set(0, 0, across * rotationCovariance * across)
        let (first, extrinsics) = (layout.clone(slot), StateLayout.extrinsicRotation)
        covariance.transform(
            first..<(first + StateLayout.cloneSize), from: extrinsics..<(extrinsics + 6), by: jacobian, noise: noise)
    }

    /// Adds the measurement that samples tell how the device has turned since a clone. Of that only what is no turn about up is
    /// used: the heading was carried here by samples already.
    ///
    /// With R₀ the clone's rotation, ΔR that of the motion, e the errors of the gyroscope and D what they turn ΔR by,
    /// Log(R (R₀ ΔR)⁻¹) + θ = θ₀ + R₀ D e. Law: `FilterJacobianTests.samplesCarryUp`.
    func appendTilt(
        since slot: Int, _ motion: PreintegratedMotion, walk: BiasWalk, to measurements: inout Measurements
    ) {
        guard let clone = clones[slot], motion.seconds > 0 else { return }
        let d = motion.byGyroscope
        let bias = navigation.errors.gyroscopeBias - motion.errors.gyroscopeBias
        let distortion = navigation.errors.gyroscopeDistortion - motion.errors.gyroscopeDistortion
        let learned =
            d.bias.rotation * bias + d.x.rotation * distortion[0] + d.y.rotation * distortion[1]
            + d.z.rotation * distortion[2]
        let then = clone.worldFromImu.rotation
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
