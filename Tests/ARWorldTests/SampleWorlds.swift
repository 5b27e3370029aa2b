// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTracking
import ARWorld
import Foundation

/// A frame of a 640×480 pinhole camera at that pose.
func sampleFrame(
    worldFromCamera: RigidTransform, state: TrackingState = .normal, nanoseconds: Int64 = 0
) -> TrackedFrame {
    TrackedFrame(
        timestamp: Timestamp(nanoseconds: nanoseconds), trackingState: state, worldFromCamera: worldFromCamera,
        camera: .pinhole(PinholeCamera(PinholeIntrinsics(fx: 500, fy: 510, cx: 321, cy: 238))),
        imageSize: ImageSize(width: 640, height: 480))
}

/// A camera at `height` metres above the world's origin that looks straight down, the picture's top towards −Z.
func lookingDown(from height: Double) -> RigidTransform {
    RigidTransform(
        rotation: Rotation(rotationVector: Vector3(-.pi / 2, 0, 0)), translation: Vector3(0, height, 0))
}

/// A rectangle of that size about its anchor's origin.
func samplePlane(
    _ name: String, worldFromAnchor: RigidTransform = .identity, width: Double = 1, depth: Double = 1
) -> PlaneAnchor {
    PlaneAnchor(
        identifier: UUID(name: name), name: name, worldFromAnchor: worldFromAnchor,
        boundary: [
            Point2(-width / 2, depth / 2), Point2(width / 2, depth / 2), Point2(width / 2, -depth / 2),
            Point2(-width / 2, -depth / 2),
        ])
}
