// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// What of a pose's error is looked at.
public enum PoseErrorPart: String, Hashable, Sendable, CaseIterable {
    /// The length of the displacement, in metres.
    case translation
    /// The angle of the rotation, in radians.
    case angle
    /// The Frobenius norm of R − I, without unit: evo's `rot_part`.
    case rotation
    /// The Frobenius norm of T − I, which mixes metres and turns: evo's `full`.
    case full

    /// The size of an error: of the transform that would be the identity if there were none.
    @inline(__always) func size(of error: RigidTransform) -> Double {
        switch self {
        case .translation: error.translation.length
        case .angle: error.rotation.angle
        // ‖R − I‖² = 2 (3 − tr R) = 8 sin²(θ/2).
        case .rotation: (8 * error.rotation.imaginary.squaredLength).squareRoot()
        case .full: (8 * error.rotation.imaginary.squaredLength + error.translation.squaredLength).squareRoot()
        }
    }
}

/// The absolute errors of poses (evo's APE; of translations the ATE): for each, the size of Q⁻¹ P with the truth Q and
/// the aligned estimate P.
///
/// - Reference: Sturm et al. 2012, "A benchmark for the evaluation of RGB-D SLAM systems", section IV.
///   Law: `EvoTests.digits`.
public func absoluteErrors(
    of estimate: [RigidTransform], against truth: [RigidTransform], _ part: PoseErrorPart
) -> [Double] {
    zip(estimate, truth).map { part.size(of: $1.inverse * $0) }
}

/// The relative errors of pairs of poses (evo's RPE): for each, the size of (Qᵢ⁻¹ Qⱼ)⁻¹ (Pᵢ⁻¹ Pⱼ) with the truth Q and
/// the estimate P. What came before the first pose of a pair does not count.
///
/// - Reference: Sturm et al. 2012, section IV. Law: `EvoTests.digits`.
public func relativeErrors(
    of estimate: [RigidTransform], against truth: [RigidTransform], over pairs: [PosePair], _ part: PoseErrorPart
) -> [Double] {
    pairs.map { pair in
        let moved = estimate[pair.first].inverse * estimate[pair.second]
        let trulyMoved = truth[pair.first].inverse * truth[pair.second]
        return part.size(of: trulyMoved.inverse * moved)
    }
}
