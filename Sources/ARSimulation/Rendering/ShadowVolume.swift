// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Where the shadow of something that moves may fall: what lies behind it, seen from anywhere on the sun.
struct ShadowVolume {
    /// A frustum around the shadow, from the side that is turned to the sun to the farthest place where a shadow falls, in
    /// the world. It is wider at its end by as much as rays to the sun's rim stray.
    let corners: [Point3]
    /// Wider all around, in metres, by more than rays to the sun begin off their surfaces.
    private static let margin = 1e-3

    /// The shadow of what lies inside the hull of some points of the world, at least one.
    init(of points: [Point3], illumination: Illumination) {
        let up = illumination.towardsSun
        let across = up.anyPerpendicular() ?? Vector3(1, 0, 0)
        let axes = [across, up.cross(across), up]
        func ends(_ axis: Vector3) -> (low: Double, high: Double) {
            let places = points.map { axis.dot($0) }
            return ((places.min() ?? 0) - Self.margin, (places.max() ?? 0) + Self.margin)
        }
        let (x, y, z) = (ends(axes[0]), ends(axes[1]), ends(axes[2]))
        let end = z.low - Double(illumination.shadowReach)
        let wider = (z.high - end) * Double(illumination.sunRadius)
        func face(at height: Double, widerBy margin: Double) -> [Point3] {
            [x.low - margin, x.high + margin].flatMap { x in
                [y.low - margin, y.high + margin].map { y -> Point3 in axes[0] * x + axes[1] * y + axes[2] * height }
            }
        }
        corners = face(at: z.high, widerBy: 0) + face(at: end, widerBy: wider)
    }
}
