// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How well a filter knows the heading and the place of the camera in its world.
///
/// A beginning says what both are called, and has no error in them. What is known is known of the camera: what is wrong in how
/// it sits on the device is no error of theirs, and what is learned of that turns the device, not what the camera has seen.
struct WorldOrigin: Sendable {
    /// How the heading's error grows with an error of the gyroscope's bias, in seconds.
    var headingByGyroscopeBias = Vector3.zero
    /// What else is lost of the heading: a variance in rad².
    var headingVariance = 0.0
    /// How well the camera's place is known, in m².
    var positionCovariance = Matrix3x3.zero
}
