// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How well rays agree with a point, and where it should be to agree better: a step of Gauss and Newton.
///
/// A ray r misses the point at a distance z by the angle q (see ``PointSight/error(of:)``), with
/// ∂q/∂X = (1 − r rᵀ − q rᵀ)/z. Its weight w counts the noise of the picture and the displacement of the pose; the
/// covariance counts the displacements, which neighbouring poses share, as if all had the same direction: with
/// H = Σ w Jᵀ J and d the displacements' deviations, H⁻¹ + G Gᵀ, G = H⁻¹ Σ d w Jᵀ J.
///
/// Law: `FollowedPointTests.scattersAsSaid`, `FollowedPointTests.countsDisplacementsOnce`.
struct PointFit {
    /// The sum of squared errors, each in standard deviations, and how many independent ones there are.
    private(set) var squares = 0.0
    private(set) var degreesOfFreedom = -3
    /// Which ray misses the point by most, the newest being the last, and by how much.
    private(set) var worst = (index: 0, square: 0.0)
    /// Where the point should be.
    private(set) var position: Point3
    private(set) var covariance = Matrix3x3.zero
    /// Which part of it the displacements make: neighbouring points, seen from the same poses, share it.
    private(set) var sharedPart = 0.0

    private var information = Matrix3x3.zero
    private var gradient = Vector3.zero
    private var byDisplacement = Matrix3x3.zero

    /// `nil` where the point lies behind a camera, or may be anywhere.
    init?(of point: Point3, _ sights: [PointSight], _ newest: PointSight) {
        position = point
        for index in sights.indices {
            guard add(sights[index], index) else { return nil }
        }
        guard add(newest, sights.count), let inverse = information.inverse else { return nil }
        let common = inverse * byDisplacement
        position += inverse * gradient
        let shared = common * common.transpose
        covariance = inverse + shared
        sharedPart = shared.trace / covariance.trace
    }

    private mutating func add(_ sight: PointSight, _ index: Int) -> Bool {
        guard let (q, z) = sight.error(of: position) else { return false }
        let r = sight.ray
        let weight = 1 / (sight.variance + sight.displacement / (z * z))
        let square = q.squaredLength
        let part =
            (weight / (z * z))
            * (Matrix3x3.identity - Matrix3x3.outerProduct(r, (1 - square) * r + q) - Matrix3x3.outerProduct(q, r))
        information = information + part
        byDisplacement = byDisplacement + sight.displacement.squareRoot() * part
        gradient -= (weight / z) * (q - square * r)
        squares += square * weight
        degreesOfFreedom += 2
        if square * weight > worst.square { worst = (index, square * weight) }
        return true
    }
}
