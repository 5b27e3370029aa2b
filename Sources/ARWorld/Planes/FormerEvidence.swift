// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// The normal equations of a ``SurfaceFit``: information · (offset, slopes) = right.
struct NormalEquations: Sendable {
    /// The inverse of the covariance of offset and slopes, where it has one.
    var information = Matrix3x3.zero
    var right = Vector3.zero

    /// Adds a point: its height is the plane's above its x and z.
    mutating func add(_ sample: SurfaceFit.Sample, weight: Double) {
        let row = Vector3(1, sample.point.x, sample.point.z)
        information = information + Matrix3x3.outerProduct(row * weight, row)
        right += row * (weight * sample.point.y)
    }
}

/// What points that are forgotten said of a surface's plane. It fades as the tracker's world wanders.
///
/// A point that is still remembered is not in here, so that none is counted twice.
struct FormerEvidence: Sendable {
    private var equations = NormalEquations()
    /// When the newest of the points was seen last.
    private var time = Timestamp(nanoseconds: 0)

    /// Takes in a point that is being forgotten, by the weight that it has beside the surface's present plane.
    mutating func add(_ sample: SurfaceFit.Sample, beside fit: SurfaceFit, seenAt instant: Timestamp) {
        equations = aged(to: instant)
        time = max(time, instant)
        equations.add(sample, weight: fit.weight(of: sample))
    }

    /// What is left of it at an instant; before the newest point was seen, all.
    ///
    /// Offset and slopes wander by a covariance Q, so that their covariance P becomes P + Q. In terms of the information
    /// Λ = P⁻¹ this is Λ − Λ (Λ + Q⁻¹)⁻¹ Λ (Woodbury), which also holds while the points leave a direction open.
    func aged(to instant: Timestamp) -> NormalEquations {
        let seconds = instant.seconds(since: time)
        guard seconds > 0 else { return equations }
        let certainty = Matrix3x3(diagonal: Self.wander / seconds)
        guard let inverse = (equations.information + certainty).inverse else { return equations }
        // What of the information is left: Q⁻¹ (Λ + Q⁻¹)⁻¹, transposed.
        let rest = certainty * inverse
        let information = equations.information * inverse * certainty
        return NormalEquations(
            information: 0.5 * (information + information.transpose), right: rest * equations.right)
    }

    /// The inverse variances by which the plane's offset and its slopes wander in a second: 2 mm and 0.5 mrad.
    private static let wander = Vector3(1 / (0.002 * 0.002), 1 / (0.0005 * 0.0005), 1 / (0.0005 * 0.0005))
}
