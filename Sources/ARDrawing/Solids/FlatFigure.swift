// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A flat figure made of triangles, with the edges that bound it.
struct FlatFigure {
    /// The corners, as seen from above: see ``PlanView``.
    var points: [Point2] = []
    /// The triangles that fill it, counter-clockwise.
    var triangles: [TriangleIndices] = []
    /// The outline's edges, with the figure to their left.
    var outline: [(from: Int32, to: Int32)] = []

    /// The prism over the figure, in the plane's frame: its floor at y = 0, its top at y = `height`.
    ///
    /// Point i becomes positions 2 i (floor) and 2 i + 1 (top). The mesh is as closed and as manifold as the figure's
    /// outline is a set of loops.
    func extruded(height: Double) -> TriangleMesh {
        var positions: [Point3] = []
        positions.reserveCapacity(2 * points.count)
        for point in points {
            positions.append(PlanView.pointInPlane(point, height: 0))
            positions.append(PlanView.pointInPlane(point, height: height))
        }
        var faces: [TriangleIndices] = []
        faces.reserveCapacity(2 * (triangles.count + outline.count))
        for triangle in triangles { faces.append(2 &* TriangleIndices(triangle.x, triangle.z, triangle.y)) }
        for triangle in triangles { faces.append(2 &* triangle &+ 1) }
        for edge in outline {
            faces.append(TriangleIndices(2 * edge.from, 2 * edge.to, 2 * edge.to + 1))
            faces.append(TriangleIndices(2 * edge.from, 2 * edge.to + 1, 2 * edge.from + 1))
        }
        return TriangleMesh(positions: positions, triangles: faces)
    }
}

extension FlatFigure {
    /// The area to the left of rings; `nil` when a hole lies in no area.
    init?(_ rings: DisjointRings) {
        guard let triangles = rings.triangulation() else { return nil }
        points = rings.vertices
        self.triangles = triangles
        outline = rings.following.enumerated().map { (Int32($0.offset), $0.element) }
    }
}
