// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The vertices of a solid as formats want them that give each vertex one normal: where the crease angle parts the
/// normals of a position, it is there several times.
struct SplitVertices {
    let normals: [Vector3]
    /// For each vertex its position in the mesh.
    let positions: [Int32]
    private let meshNormals: MeshNormals

    init(_ solid: StrokeSolid, creaseAngle: Double) {
        let meshNormals = MeshNormals(solid.mesh, creaseAngle: creaseAngle)
        var positions = [Int32](repeating: 0, count: meshNormals.normals.count)
        for (index, triangle) in solid.mesh.triangles.enumerated() {
            let vertices = meshNormals.indices(ofTriangle: index, triangle)
            for corner in 0..<3 { positions[Int(vertices[corner])] = triangle[corner] }
        }
        if creaseAngle >= .pi { positions = solid.mesh.positions.indices.map(Int32.init) }
        (self.meshNormals, normals, self.positions) = (meshNormals, meshNormals.normals, positions)
    }

    var count: Int { normals.count }

    /// The vertices of a triangle of the mesh.
    @inline(__always)
    func indices(ofTriangle index: Int, _ triangle: TriangleIndices) -> TriangleIndices {
        meshNormals.indices(ofTriangle: index, triangle)
    }
}
