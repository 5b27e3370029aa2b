// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The plane's x and z as a drawing seen from above: x to the right, −z up.
///
/// From X to Z is a turn to the right for an eye on the normal (+Y), so z changes its sign: then what runs
/// counter-clockwise in the drawing is seen counter-clockwise from above. The only place where this sign changes.
/// Law: `SolidTests.solidsFaceOutwardsOnTheNormalsSide`.
enum PlanView {
    /// The drawing's coordinates of a position in the plane's x and z.
    static func point(_ positionOnPlane: Point2) -> Point2 { Point2(positionOnPlane.x, -positionOnPlane.y) }

    /// The point of the plane's frame above a point of the drawing.
    static func pointInPlane(_ point: Point2, height: Double) -> Point3 { Point3(point.x, height, -point.y) }
}
