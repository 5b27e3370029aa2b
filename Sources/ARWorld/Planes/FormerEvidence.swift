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

    /// What is left when offset and slopes may have moved since by a covariance Q.
    ///
    /// Their covariance P becomes P + Q. In terms of the information Λ = P⁻¹ this is (1 + Λ Q)⁻¹ Λ, which also holds while the
    /// points leave a direction open.
    func loosened(by wander: Matrix3x3) -> NormalEquations {
        guard let rest = (.identity + information * wander).inverse else { return self }
        let information = rest * information
        return NormalEquations(
            information: 0.5 * (information + information.transpose), right: rest * right)
    }

    static func + (a: NormalEquations, b: NormalEquations) -> NormalEquations {
        NormalEquations(information: a.information + b.information, right: a.right + b.right)
    }
}

/// What points that are forgotten said of a surface's plane. It fades as the tracker's world wanders.
///
/// A point that is still remembered is not in here, so that none is counted twice.
struct FormerEvidence: Sendable {
    /// What was said, as it was known at that moment.
    private(set) var equations = NormalEquations()
    /// When the newest of the points was seen last.
    private(set) var moment = Moment()

    /// Takes in a point that is being forgotten, by the weight that it has beside the surface's present plane.
    ///
    /// - Parameter wander: by how much the plane may have moved from the moment of what is known to the point's.
    mutating func add(
        _ sample: SurfaceFit.Sample, beside fit: SurfaceFit, seenAt moment: Moment, wander: Matrix3x3 = .zero
    ) {
        equations = equations.loosened(by: wander)
        self.moment = Moment(
            span: max(self.moment.span, moment.span), instant: max(self.moment.instant, moment.instant))
        equations.add(sample, weight: fit.weight(of: sample))
    }
}
