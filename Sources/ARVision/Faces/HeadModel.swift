// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// The shape of a head, as far as following one needs it: an ellipsoid with a nose and the hollows of the eyes in front.
///
/// Lengths are those of the square that frontal cascades draw around a face, whose side is one. +X leads to the viewer's
/// right, +Y to the crown, +Z out of the face; the origin is the ellipsoid's middle. The axes follow a head's breadth, height
/// and depth (15, 23 and 19 cm) in relation to that square (some 17 cm), the depth less, since the face is flatter than
/// the back of the head.
enum HeadModel {
    /// Half of the breadth, height and depth.
    static let radii = Vector3(0.46, 0.70, 0.56)
    /// What of the head the square's middle shows, whichever way it looks: a place just beneath the face's skin.
    static let anchor = Vector3(0, 0, 0.85 * 0.56)

    /// The face's outline, from the brows to the chin and from cheek to cheek: what its box is drawn around.
    static let outline: [Point3] = (0..<24).map { step in
        let angle = 2 * Double.pi * Double(step) / 24
        let (x, y) = (cos(angle), sin(angle))
        // A rounded rectangle, seen from the front.
        let round = 1 / (x * x * x * x + y * y * y * y).squareRoot().squareRoot()
        let (top, bottom, halfWidth) = (0.31, -0.55, 0.44)
        let (right, up) = (halfWidth * x * round, (top + bottom) / 2 + (top - bottom) / 2 * y * round)
        return Point3(right, up, depth(x: right, y: up))
    }

    /// How far in front of the middle the surface lies at a place of the frontal view; beyond the silhouette, a rim on
    /// it.
    static func depth(x: Double, y: Double) -> Double {
        let (u, v) = (x / radii.x, y / radii.y)
        return radii.z * max(0.05, 1 - u * u - v * v).squareRoot() + relief(x: x, y: y)
    }

    /// How far the face stands out of the ellipsoid: a nose of 2 cm that ends above the lip, and hollows of 7 mm around eyes
    /// that are 6.3 cm apart. It is what turns show most.
    static func relief(x: Double, y: Double) -> Double {
        func bump(_ x: Double, _ y: Double) -> Double { exp(-(x * x + y * y) / 2) }
        let alongNose = y > noseTip ? (y - noseTip) / 0.13 : (y - noseTip) / 0.045
        return 0.12 * bump(x / 0.06, alongNose) - 0.04 * bump((abs(x) - 0.185) / 0.085, (y - 0.10) / 0.065)
    }
    private static let noseTip = -0.11
}
