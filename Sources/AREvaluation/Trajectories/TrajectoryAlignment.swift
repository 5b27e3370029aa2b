// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How an estimate is laid over the truth before the two are compared.
///
/// A tracker's world has an origin, a heading and, without inertial sensor, an attitude and a scale of its own, which say
/// nothing about its quality. What is aligned away is not measured any more: choose the least that the sensors leave open.
public enum TrajectoryAlignment: String, Hashable, Sendable, CaseIterable {
    /// Nothing is moved.
    case none
    /// The first pose is laid on its truth, position and attitude.
    case origin
    /// The first pose is laid on its truth, position and heading: what an inertial tracker's start leaves open.
    case originYaw = "origin-yaw"
    /// All positions, by a turn about the vertical and a displacement: what gravity leaves open.
    case yaw
    /// All positions, by a rigid motion.
    case rigid = "se3"
    /// All positions, by a rigid motion and a scale: for trackers with one camera and no inertial sensor.
    case similarity = "sim3"
    /// The scale of ``similarity`` alone.
    case scale

    /// Whether all poses have a say in it, not only the first.
    var isFittedToAll: Bool {
        switch self {
        case .none, .origin, .originYaw: false
        case .yaw, .rigid, .similarity, .scale: true
        }
    }
}

extension TrajectoryAlignment {
    /// The transform of the estimate's world into the truth's, or `nil` where the poses do not determine one: none at all,
    /// positions on a line (`se3`, `sim3`, `scale`) or on a vertical line (`yaw`).
    ///
    /// Where all positions count, the sum of squared distances ‖s R x + t − y‖² is smallest.
    /// - Parameters:
    ///   - estimate: poses in the estimate's world, one for each of `truth`.
    ///   - up: the vertical, of length one, the same in both worlds.
    /// - Reference: Umeyama 1991, "Least-squares estimation of transformation parameters between two point patterns",
    ///   eqs. 40–42; for `yaw`, Zhang and Scaramuzza 2018, "A tutorial on quantitative trajectory evaluation for
    ///   visual(-inertial) odometry", section III. Laws: `AlignmentTests`.
    public func truthFromEstimate(
        estimate: [RigidTransform], truth: [RigidTransform], up: Vector3 = Vector3(0, 1, 0)
    ) -> Similarity? {
        precondition(
            estimate.count == truth.count, "\(estimate.count) poses of the estimate for \(truth.count) of the truth")
        guard let first = estimate.first, let firstTruth = truth.first else { return nil }
        switch self {
        case .none: return .identity
        case .origin: return Similarity(firstTruth * first.inverse)
        case .originYaw:
            guard let turn = (firstTruth.rotation * first.rotation.inverse).twist(about: up) else { return nil }
            return Similarity(
                rotation: turn, translation: firstTruth.translation - turn * first.translation)
        case .yaw, .rigid, .similarity, .scale:
            return PointCloudPair(estimate.map(\.translation), truth.map(\.translation)).fit(self, up: up)
        }
    }
}

/// What of two lists of corresponding points their alignment depends on.
private struct PointCloudPair {
    let meanOfSource: Vector3
    let meanOfTarget: Vector3
    /// Σ (x − x̄)(y − ȳ)ᵀ, with x from the source and y from the target.
    let correlation: Matrix3x3
    /// Σ ‖x − x̄‖².
    let spreadOfSource: Double

    init(_ source: [Point3], _ target: [Point3]) {
        let count = Double(source.count)
        let meanOfSource = source.reduce(.zero, +) / count
        let meanOfTarget = target.reduce(.zero, +) / count
        var correlation = Matrix3x3.zero
        var spread = 0.0
        for (x, y) in zip(source, target) {
            let fromMean = x - meanOfSource
            correlation = correlation + .outerProduct(fromMean, y - meanOfTarget)
            spread += fromMean.squaredLength
        }
        (self.meanOfSource, self.meanOfTarget) = (meanOfSource, meanOfTarget)
        (self.correlation, spreadOfSource) = (correlation, spread)
    }

    func fit(_ alignment: TrajectoryAlignment, up: Vector3) -> Similarity? {
        if alignment == .yaw {
            return correlation.bestTurn(about: up).map { transform($0, scale: 1) }
        }
        guard let (rotation, gain) = correlation.bestRotation(), spreadOfSource > 0 else { return nil }
        let scale = gain / spreadOfSource
        switch alignment {
        case .rigid: return transform(rotation, scale: 1)
        case .similarity: return transform(rotation, scale: scale)
        default: return Similarity(scale: scale)
        }
    }

    private func transform(_ rotation: Rotation, scale: Double) -> Similarity {
        Similarity(
            scale: scale, rotation: rotation, translation: meanOfTarget - scale * (rotation * meanOfSource))
    }
}
