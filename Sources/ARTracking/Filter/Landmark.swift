// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A point of the world that has a place in the state: seen from its anchor, a clone, in inverse depth.
///
/// The inverse depth may be zero or even a little negative, as long as nobody has seen the point from two places: it is
/// then a direction. What is expected of it in the picture is linear in the inverse depth, so that a point of
/// unknown distance is as good a measurement of rotation as any.
///
/// - Reference: Civera, Davison, Montiel 2008, "Inverse Depth Parametrization for Monocular SLAM", here with (x/z, y/z)
///   for the ray's angles.
struct Landmark: Sendable {
    /// The point's identity in the pictures.
    var id: UInt64
    /// The slot of the clone it is anchored to.
    var anchor: Int
    /// x/z, y/z and 1/z in the anchor's axes.
    var coordinates: Vector3
    /// The anchor's axes in its IMU frame: those of the camera as it was known when the landmark was anchored. A constant, so
    /// that calibrating the camera later does not move the landmark.
    var imuFromAnchorAxes: RigidTransform
    /// How many frames in a row did not agree with it.
    var missedFrames = 0
    /// How many frames agreed with it.
    var sightCount = 0
    /// How its place wanders: as it does most in any of its sights.
    var slide = PixelCovariance.zero
    /// The direction from which its place is meant, of length one, in the anchor's axes.
    var view: Vector3?
    /// How far from there it was looked at, in pixels, at most.
    var farthestAsidePixels = 0.0
    /// The blur with which its place is meant.
    var blur = PixelCovariance.zero
    /// Since it is not seen any more.
    var absence: Absence?

    /// What is known of a landmark that is not seen any more, to find it again.
    struct Absence: Sendable {
        /// The camera's pose when the landmark was seen last.
        var worldFromOptical: RigidTransform
        /// The number of the frame in which it was seen last.
        var lastFrame: Int
        /// How often it was not found where it should have been seen.
        var failures = 0
    }

    /// The camera's axes, or those by a quarter or half turn from them before which a direction in them points, seen from them.
    static func axes(before direction: Vector3) -> Rotation {
        let (across, down, ahead) = (abs(direction.x), abs(direction.y), abs(direction.z))
        let turn: Vector3 =
            if direction.z > 0, ahead >= max(across, down) / 2 {
                .zero
            } else if across >= max(down, ahead) {
                Vector3(0, direction.x > 0 ? .pi / 2 : -.pi / 2, 0)
            } else if down >= ahead {
                Vector3(direction.y > 0 ? -.pi / 2 : .pi / 2, 0, 0)
            } else {
                Vector3(0, .pi, 0)
            }
        return Rotation(rotationVector: turn)
    }

    /// An inverse depth below this says that the point is nowhere, in 1/m.
    static let smallestInverseDepth = -0.3
}

/// A landmark in the world: (x/z column + y/z row + forward + 1/z origin) / (1/z).
struct AnchoredPoint: Sendable {
    /// The anchor's axes in the world, and its place.
    let columnAxis, rowAxis, forward: Vector3
    let origin: Point3
    let point: HomogeneousPoint

    init(_ coordinates: Vector3, worldFromAxes: RigidTransform) {
        let axes = worldFromAxes.rotation.matrix
        (columnAxis, rowAxis, forward) = (axes.columns.0, axes.columns.1, axes.columns.2)
        origin = worldFromAxes.translation
        point = HomogeneousPoint(
            scaled: columnAxis * coordinates.x + rowAxis * coordinates.y + forward + origin * coordinates.z,
            weight: coordinates.z)
    }
}
