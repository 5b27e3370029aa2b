// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// How far a camera turned from one picture to another that is almost the same, if all that moved did so because it turned.
///
/// Least squares over the directions a and b in which points are seen before and after, with b = a − ω×a.
/// Law: `PictureTurnTests`.
struct PictureTurn {
    private var normal = Matrix3x3.zero
    private var moment = Vector3.zero

    /// Takes in a point's directions before and after.
    mutating func add(_ before: Vector3, _ after: Vector3) {
        guard let a = before.normalized(), let b = after.normalized() else { return }
        let crossing = Matrix3x3.crossProduct(a)
        normal = normal + crossing.transpose * crossing
        moment += b.cross(a)
    }

    /// The rotation vector ω of the camera with OpenCV's axes, or `nil` where the points do not tell.
    var rotationVector: Vector3? { normal.inverse.map { $0 * moment } }
}
