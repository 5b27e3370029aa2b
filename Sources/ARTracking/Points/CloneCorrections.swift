// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// How the estimator has changed its mind about the poses from which points were seen, and how sure of them it is.
///
/// Poses that have left the window are taken to be tied to the oldest clone, and are moved as it is. Where the newest clones are
/// moved otherwise, the way between is bent; that the past would have been bent further is not known to anyone, and counts
/// as a displacement.
///
/// Law: `CloneCorrectionsTests`.
struct CloneCorrections: Sendable {
    /// How the poses of the past have changed, since the frame before.
    private(set) var earlier: RigidTransform?
    /// By slot.
    private var clones: [Entry?] = []
    /// How far the way has been bent so far, at what is looked at, in metres.
    private var bend = Vector3.zero

    private struct Entry {
        var stamp: Timestamp
        var worldFromImu: RigidTransform
        /// How the pose has changed since the frame before.
        var correction: RigidTransform?
        /// How far what it sees is displaced, seen from the newest clone: the variance along each axis, in m².
        var displacement: Double
    }

    /// Compares the estimator's poses with those at the frame before. `focus` is about where points are.
    mutating func update(_ odometry: Odometry, focus: Point3) {
        let filter = odometry.filter
        if clones.count != filter.clones.count { clones = Array(repeating: nil, count: filter.clones.count) }
        for slot in clones.indices {
            guard let clone = filter.clones[slot], let newest = odometry.window.last else {
                clones[slot] = nil
                continue
            }
            let before = clones[slot].flatMap { $0.stamp == clone.timestamp ? $0.worldFromImu : nil }
            clones[slot] = Entry(
                stamp: clone.timestamp, worldFromImu: clone.worldFromImu,
                correction: before.map { clone.worldFromImu * $0.inverse },
                displacement: filter.displacement(ofClone: slot, from: newest, at: focus))
        }
        let corrected = odometry.window.compactMap { clones[$0]?.correction }
        earlier = corrected.first
        if let oldest = corrected.first, let newest = corrected.last { bend += newest * focus - oldest * focus }
    }

    /// Moves a ray along with the pose from which it was seen.
    func apply(to sight: inout PointSight) {
        if let slot = sight.clone, let clone = clones[slot], let correction = clone.correction {
            sight.move(by: correction)
            sight.displacement = clone.displacement
            sight.held = (clone.displacement, bend)
        } else {
            sight.clone = nil
            if let earlier { sight.move(by: earlier) }
            sight.displacement = sight.held.displacement + (bend - sight.held.bend).squaredLength
        }
    }
}

extension VisualInertialFilter {
    /// How far apart two clones may see a point that is at one place: the variance along each axis, in m². With the errors
    /// θ, ρ of the clones' poses, the point X is displaced by (θ₁ − θ₂) × X + ρ₁ − ρ₂.
    ///
    /// Law: `CloneCorrectionsTests.displacementsAreThoseOfTheErrors`.
    func displacement(ofClone slot: Int, from other: Int, at point: Point3) -> Double {
        guard slot != other else { return 0 }
        let (a, b) = (layout.clone(slot), layout.clone(other))
        func block(_ row: Int, _ column: Int) -> Matrix3x3 {
            covariance.block(a + row, a + column) + covariance.block(b + row, b + column)
                - covariance.block(a + row, b + column) - covariance.block(b + row, a + column)
        }
        let turn = -Matrix3x3.crossProduct(point)
        let variance =
            (turn * block(0, 0) * turn.transpose).trace + 2 * (turn * block(0, 3)).trace + block(3, 3).trace
        return max(variance, 0) / 3
    }
}
