// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARTracking

// What depends on the world's coordinates, in another world's.

extension RigidTransform {
    /// The frame with its camera and its feature points in the other world. What is known of the motion stays as it is.
    static func * (targetFromWorld: RigidTransform, frame: TrackedFrame) -> TrackedFrame {
        guard targetFromWorld != .identity else { return frame }
        var moved = frame
        moved.worldFromCamera = targetFromWorld * frame.worldFromCamera
        moved.featurePoints = frame.featurePoints.map { $0.moved(by: targetFromWorld) }
        return moved
    }

    /// The findings in the other world.
    static func * (targetFromWorld: RigidTransform, findings: PlaneFindings) -> PlaneFindings {
        guard targetFromWorld != .identity else { return findings }
        func moved(_ plane: PlaneAnchor) -> PlaneAnchor {
            var plane = plane
            plane.worldFromAnchor = targetFromWorld * plane.worldFromAnchor
            return plane
        }
        return PlaneFindings(
            added: findings.added.map(moved), updated: findings.updated.map(moved), removed: findings.removed)
    }
}
