// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing

/// How the estimator has changed its mind about the poses from which points were seen.
struct CloneCorrections: Sendable {
    /// By slot: the clone's stamp and pose at the last frame, and how its pose has changed since.
    private var clones: [(stamp: Timestamp, pose: RigidTransform, correction: RigidTransform?)?] = []
    /// How the poses have changed that are past: as that of the oldest clone has, to which they are tied.
    private(set) var earlier: RigidTransform?

    /// Compares the estimator's poses with those at the last frame.
    mutating func update(_ odometry: Odometry) {
        let filter = odometry.filter
        if clones.count != filter.clones.count { clones = Array(repeating: nil, count: filter.clones.count) }
        for slot in clones.indices {
            guard let clone = filter.clones[slot] else {
                clones[slot] = nil
                continue
            }
            let last = clones[slot]
            let isSame = last?.stamp == clone.timestamp
            clones[slot] = (
                clone.timestamp, clone.worldFromImu, isSame ? clone.worldFromImu * last!.pose.inverse : nil
            )
        }
        let oldest = odometry.window.first { clones[$0]?.correction != nil }
        earlier = oldest.flatMap { clones[$0]?.correction }
    }

    /// Moves a ray along with the pose from which it was seen.
    func apply(to sight: inout PointSight) {
        if let slot = sight.clone, let correction = clones[slot]?.correction {
            sight.move(by: correction)
        } else {
            sight.clone = nil
            if let earlier { sight.move(by: earlier) }
        }
    }
}
