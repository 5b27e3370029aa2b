// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Where a print is in the world, from all that was seen of it: a filter that gives up what it knew when the print is moved.
struct TargetPlacement: Sendable {
    /// A view of the print.
    struct Observation {
        var worldFromTarget: RigidTransform
        /// In the world's axes, in square metres.
        var positionCovariance: Matrix3x3
        /// In square radians, about any axis.
        var rotationVariance: Double
    }

    private(set) var worldFromTarget: RigidTransform
    private var positionCovariance: Matrix3x3
    private var rotationVariance: Double
    private var misfitCount = 0
    private var fitCount = 0

    /// How far a print at rest may seem to creep from one frame to the next, in metres and radians: the world's own drift.
    private static let (creep, turn) = (0.0003, 0.0005)
    /// The squared Mahalanobis distance, of six numbers, that one view in a hundred thousand exceeds by chance.
    private static let gate = 33.0
    /// A print that was moved is believed to rest after so many views.
    private static let restCount = 15

    init(_ observation: Observation) {
        worldFromTarget = observation.worldFromTarget
        positionCovariance = observation.positionCovariance
        rotationVariance = observation.rotationVariance
    }

    /// Whether the last views show that the print moves.
    private(set) var isMoving = false

    /// Takes a view in. One that does not fit is passed over; a second one in a row, and each of a print that moves, begins
    /// anew.
    mutating func update(with observation: Observation) {
        positionCovariance = positionCovariance + Self.creep * Self.creep * Matrix3x3.identity
        rotationVariance += Self.turn * Self.turn
        let offset = observation.worldFromTarget.translation - worldFromTarget.translation
        let turn = (worldFromTarget.rotation.inverse * observation.worldFromTarget.rotation).rotationVector
        guard let information = (positionCovariance + observation.positionCovariance).inverse else { return }
        let distance =
            offset.dot(information * offset)
            + turn.squaredLength / (rotationVariance + observation.rotationVariance)
        guard distance <= Self.gate else {
            misfitCount += 1
            fitCount = 0
            if misfitCount >= 2 || isMoving {
                let isMoving = self.isMoving || misfitCount >= 2
                self = TargetPlacement(observation)
                self.isMoving = isMoving
            }
            return
        }
        misfitCount = 0
        fitCount += 1
        if fitCount >= Self.restCount { isMoving = false }
        let gain = positionCovariance * information
        worldFromTarget.translation += gain * offset
        positionCovariance = positionCovariance - gain * positionCovariance
        let part = rotationVariance / (rotationVariance + observation.rotationVariance)
        worldFromTarget.rotation = (worldFromTarget.rotation * Rotation(rotationVector: part * turn)).normalized
        rotationVariance *= 1 - part
    }

    /// The place in a world whose coordinates changed.
    mutating func move(by newFromOld: RigidTransform) {
        let turn = newFromOld.rotation.matrix
        worldFromTarget = newFromOld * worldFromTarget
        positionCovariance = turn * positionCovariance * turn.transpose
    }
}

extension TargetPlacement.Observation {
    /// A view of a print from a camera whose pose is known.
    /// - Parameters:
    ///   - covariance: of the twist δ in exp(δ) · `cameraFromTarget`; where it is not known, the usual is assumed.
    init(worldFromCamera: RigidTransform, cameraFromTarget: RigidTransform, covariance: Matrix6x6?) {
        let place = cameraFromTarget.translation
        let distance = place.length
        // A fifth of a percent to the side and half a percent along the ray: what a lens's calibration leaves.
        let along = place.normalized() ?? Vector3(0, 0, -1)
        var inCamera =
            pow2(0.002 * distance) * Matrix3x3.identity
            + (pow2(0.005 * distance) - pow2(0.002 * distance)) * Matrix3x3.outerProduct(along, along)
        var rotationVariance = pow2(0.01)
        if let covariance {
            // The middle goes where the twist takes it: δ_t + δ_r × t.
            let lever = -Matrix3x3.crossProduct(place)
            inCamera =
                inCamera + covariance.translationByTranslation + lever * covariance.rotationByTranslation
                + covariance.translationByRotation * lever.transpose
                + lever * covariance.rotationByRotation * lever.transpose
            rotationVariance += covariance.rotationByRotation.trace / 3
        } else {
            inCamera = inCamera + pow2(0.01 * distance) * Matrix3x3.outerProduct(along, along)
            rotationVariance += pow2(0.03)
        }
        let turn = worldFromCamera.rotation.matrix
        self.init(
            worldFromTarget: worldFromCamera * cameraFromTarget,
            positionCovariance: turn * inCamera * turn.transpose, rotationVariance: rotationVariance)
    }
}

private func pow2(_ value: Double) -> Double { value * value }
