// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// Indices of three corners.
public typealias TriangleIndices = SIMD3<Int32>

extension PolygonWithHoles {
    /// Triangles that fill the polygon, counter-clockwise, as indices into ``vertices``; `nil` when edges cross, a hole
    /// does not lie inside, or a coordinate is not finite.
    ///
    /// Every corner of an outline is used (flat ones too, so that what is built on the outline fits), none is added, and
    /// no triangle has zero area. Outlines may touch in corners and along edges, others and themselves; of corners in
    /// the same place the first one's index is used. What encloses nothing has no triangles.
    ///
    /// Each hole is joined to the outline by a bridge, and ears (corners whose triangle lies inside) are cut off one by
    /// one. Because ``orientation(_:_:_:)`` is exact, an ear always exists. Then diagonals are exchanged until the
    /// triangles are as round as the outline allows (constrained Delaunay).
    /// - Reference: Meisters 1975, "Polygons have ears"; Eberly 2002, "Triangulation by ear clipping" (the bridges).
    ///   Law: `TriangulationTests.trianglesFillThePolygon`.
    /// - Complexity: O(n √n) for usual outlines (the corners that could spoil an ear are kept in a grid), O(n²) at worst.
    public func triangulation() -> [TriangleIndices]? {
        guard vertices.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        guard let outline = OutlineEdges(self), var clipper = EarClipper(outline) else { return nil }
        let loops = clipper.loops()
        let outers = loops.filter { clipper.turn($0) > 0 }
        var joined = outers.flatMap(clipper.nodes)
        for hole in loops where clipper.turn(hole) <= 0 {
            guard clipper.bridge(hole: hole, to: &joined) else { return nil }
        }
        var triangles: [TriangleIndices] = []
        for outer in outers {
            guard let filling = clipper.triangles(from: outer) else { return nil }
            triangles += filling
        }
        EdgeFlips.improve(&triangles, clipper.points)
        return triangles
    }
}

extension Polygon2 {
    /// Triangles that fill the polygon: see ``PolygonWithHoles/triangulation()``.
    public func triangulation() -> [TriangleIndices]? { PolygonWithHoles(outer: self).triangulation() }
}
