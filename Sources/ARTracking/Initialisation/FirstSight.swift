// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What the frame showed that gave the world its origin and its heading: there the camera's place and heading are what they are
/// called.
///
/// A device that rests is watched by an estimator that knows little more than that. Points that are seen from there, and still when
/// a motion is found, tell where the camera has come to and how it has turned since: better than samples and a hand's sway do.
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
}

extension FirstSight {
    /// The first frame of an estimator that has come no further.
    init?(_ odometry: Odometry, points: [SeenPoint]) {
        guard let slot = odometry.window.last, let clone = odometry.filter.clones[slot] else { return nil }
        self.slot = slot
        self.points = points
        self.clone = clone
        worldFromOptical = clone.worldFromImu * odometry.filter.calibration.imuFromOptical
        rotationCovariance = odometry.filter.rotationCovariance(ofClone: slot)
    }

    /// What the same estimator has learned of that frame, as long as it keeps it.
    mutating func learn(from odometry: Odometry) {
        guard let known = odometry.filter.clones[slot], known.timestamp == clone.timestamp else { return }
        clone = known
        worldFromOptical = known.worldFromImu * odometry.filter.calibration.imuFromOptical
        rotationCovariance = odometry.filter.rotationCovariance(ofClone: slot)
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
    mutating func begin(with first: FirstSight) {
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
}
