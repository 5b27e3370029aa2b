// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

/// How a mesh's triangles hang together: counts of what is there and of what is wrong.
public struct MeshTopology: Hashable, Sendable {
    /// The positions that triangles use.
    public var vertexCount = 0
    /// The pairs of positions that triangles join.
    public var edgeCount = 0
    /// The triangles.
    public var triangleCount = 0
    /// The pieces that are connected through common edges.
    public var componentCount = 0
    /// The edges with one triangle: the rims of gaps.
    public var boundaryEdgeCount = 0
    /// The edges with more than two triangles.
    public var nonManifoldEdgeCount = 0
    /// The edges whose two triangles face to different sides.
    public var inconsistentEdgeCount = 0
    /// The vertices whose triangles do not form one fan, as where the tips of two cones touch.
    public var nonManifoldVertexCount = 0
    /// The triangles that use a position twice, have no area, or have a corner that is infinite or NaN.
    public var degenerateTriangleCount = 0

    /// Whether the surface has no rim.
    public var isClosed: Bool { boundaryEdgeCount == 0 }
    /// Whether every point has a surrounding like a piece of a plane or of a half-plane.
    public var isManifold: Bool { nonManifoldEdgeCount == 0 && nonManifoldVertexCount == 0 }
    /// Whether triangles that meet in an edge face to the same side.
    public var isConsistentlyOriented: Bool { inconsistentEdgeCount == 0 && nonManifoldEdgeCount == 0 }
    /// Whether the mesh bounds a solid: closed, manifold, consistently oriented, no degenerate triangles, not empty.
    ///
    /// The counts do not tell whether the surface crosses itself, nor whether its fronts look outwards: for that, see
    /// the sign of ``TriangleMesh/signedVolume``.
    public var isSolid: Bool {
        triangleCount > 0 && isClosed && isManifold && isConsistentlyOriented && degenerateTriangleCount == 0
    }
    /// Vertices − edges + triangles: 2 − 2g for one closed surface with g handles.
    public var eulerCharacteristic: Int { vertexCount - edgeCount + triangleCount }
}

extension TriangleMesh {
    /// How the triangles hang together.
    ///
    /// Law: `TriangleMeshTests`, with meshes broken on purpose.
    /// - Complexity: O(n log n).
    public var topology: MeshTopology {
        var report = MeshTopology()
        report.triangleCount = triangles.count
        report.degenerateTriangleCount = triangles.indices.count(where: isDegenerate)
        // Corner 3 t + k is corner k of triangle t; its half-edge leads to the triangle's next corner.
        var pieces = DisjointSets(count: triangles.count)
        var fans = DisjointSets(count: 3 * triangles.count)
        for edge in halfEdgesByEdge() {
            report.edgeCount += 1
            switch edge.count {
            case 1: report.boundaryEdgeCount += 1
            case 2: report.inconsistentEdgeCount += edge.first?.isForward == edge.last?.isForward ? 1 : 0
            default: report.nonManifoldEdgeCount += 1
            }
            for (a, b) in zip(edge, edge.dropFirst()) {
                pieces.join(a.corner / 3, b.corner / 3)
                fans.join(cornerAtLowerEnd(of: a), cornerAtLowerEnd(of: b))
                fans.join(cornerAtUpperEnd(of: a), cornerAtUpperEnd(of: b))
            }
        }
        report.componentCount = pieces.count
        var fansOfVertex = [Int](repeating: 0, count: positions.count)
        for corner in 0..<3 * triangles.count where fans.representative(of: corner) == corner {
            fansOfVertex[Int(triangles[corner / 3][corner % 3])] += 1
        }
        report.vertexCount = fansOfVertex.count { $0 > 0 }
        report.nonManifoldVertexCount = fansOfVertex.count { $0 > 1 }
        return report
    }

    private func isDegenerate(_ index: Int) -> Bool {
        let (a, b, c) = corners(ofTriangle: index)
        let triangle = triangles[index]
        let repeats = triangle.x == triangle.y || triangle.y == triangle.z || triangle.z == triangle.x
        let normal = (b - a).cross(c - a)
        return repeats || normal == .zero || !normal.isFinite
    }

    /// One side of a triangle.
    private struct HalfEdge {
        /// Both ends' indices, the lower one in the upper half.
        var key: UInt64
        /// The corner where it starts.
        var corner: Int
        /// Whether it leads from the lower index to the higher.
        var isForward: Bool
    }

    private func halfEdgesByEdge() -> [ArraySlice<HalfEdge>] {
        let sorted = (0..<3 * triangles.count).map { corner in
            let triangle = triangles[corner / 3]
            let (start, end) = (triangle[corner % 3], triangle[(corner + 1) % 3])
            let key = UInt64(UInt32(min(start, end))) << 32 | UInt64(UInt32(max(start, end)))
            return HalfEdge(key: key, corner: corner, isForward: start <= end)
        }
        .sorted { ($0.key, $0.corner) < ($1.key, $1.corner) }
        return sorted.chunked { $0.key == $1.key }
    }

    private func cornerAtLowerEnd(of edge: HalfEdge) -> Int { edge.isForward ? edge.corner : cornerAfter(edge.corner) }

    private func cornerAtUpperEnd(of edge: HalfEdge) -> Int { edge.isForward ? cornerAfter(edge.corner) : edge.corner }

    private func cornerAfter(_ corner: Int) -> Int { corner % 3 == 2 ? corner - 2 : corner + 1 }
}

extension Array {
    /// Runs of neighbours that belong together.
    fileprivate func chunked(by belong: (Element, Element) -> Bool) -> [ArraySlice<Element>] {
        var chunks: [ArraySlice<Element>] = []
        var start = 0
        for index in indices where index + 1 == count || !belong(self[index], self[index + 1]) {
            chunks.append(self[start...index])
            start = index + 1
        }
        return chunks
    }
}

/// Numbers that are joined to sets, each known by its smallest member.
private struct DisjointSets {
    private var parent: [Int]
    /// The number of sets.
    private(set) var count: Int

    init(count: Int) {
        parent = Array(0..<count)
        self.count = count
    }

    mutating func join(_ a: Int, _ b: Int) {
        let (rootA, rootB) = (representative(of: a), representative(of: b))
        guard rootA != rootB else { return }
        parent[max(rootA, rootB)] = min(rootA, rootB)
        count -= 1
    }

    mutating func representative(of number: Int) -> Int {
        var number = number
        while parent[number] != number {
            parent[number] = parent[parent[number]]
            number = parent[number]
        }
        return number
    }
}
