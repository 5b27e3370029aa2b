// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A flat pattern as the inside of a solid: projected along the three axes, blended by where the surface faces, so that it
/// is nowhere stretched.
struct SolidPattern {
    private let pattern: MaterialPattern

    init(_ pattern: MaterialPattern) { self.pattern = pattern }

    /// The mean albedo around a point of the solid's surface, over a texel of that width and height.
    func albedo(at vertex: SurfaceMesh.Vertex, texel: Vector2) -> Vector3 {
        let (p, squares) = (vertex.position, vertex.normal * vertex.normal)
        let weights = squares * squares * squares
        // Far from zero, so that patterns that begin at a corner have no edge here.
        let shift = Vector2(37.3, 53.7)
        let planes = [Point2(p.z, -p.y), Point2(p.x, p.z), Point2(p.x, -p.y)]
        var sum = Vector3.zero
        for axis in 0..<3 where weights[axis] > 1e-3 * weights.sum() {
            sum += weights[axis] * pattern.albedo(at: planes[axis] + shift, texel: texel)
        }
        return sum / (0..<3).reduce(0) { weights[$1] > 1e-3 * weights.sum() ? $0 + weights[$1] : $0 }
    }
}
