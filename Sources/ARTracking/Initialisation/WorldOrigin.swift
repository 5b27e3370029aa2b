// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How well a filter's world hangs together with the camera's pose at the first frame, which is its origin and its heading.
///
/// What is known of both is known of the camera: what is wrong in how it sits on the device is no error of theirs, and what is
/// learned of that later turns the device, not what the camera has seen.
struct WorldOrigin: Sendable {
    /// How the heading's error grows with an error of the gyroscope's bias, in seconds.
    var headingByGyroscopeBias = Vector3.zero
    /// What else is lost of the heading: a variance in rad².
    var headingVariance = 0.0
    /// How long after the first frame the state is, in seconds, where its place follows from its velocity: negative before it.
    var secondsAfterFirstFrame = 0.0
    /// How well the camera's place is known besides, in m².
    var positionCovariance = Matrix3x3.zero
}
