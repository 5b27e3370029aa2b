// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A point of the picture that looks like a remembered one.
struct PlaceSight: Sendable {
    /// Where it is seen.
    var pixel: PixelPoint
    /// The direction in which it is seen, of length one, in optical axes.
    var direction: Vector3
    /// Where the remembered point is.
    var pointInWorld: Point3
    /// How well that is known: a standard deviation in metres, along the direction in which it is known worst, that of its
    /// distance from where it was seen.
    var deviationInWorld = Vector3.zero
}
