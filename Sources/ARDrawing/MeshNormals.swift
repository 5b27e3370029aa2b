// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// The unit normals of a mesh's corners, each one listed once.
///
/// A corner's normal is the mean of the normals of the triangles around its position that meet its own triangle at no
/// more than the crease angle, each weighted by its angle there, so that the way in which flat faces are cut into
/// triangles does not matter.
/// - Reference: Thürmer, Wüthrich 1998, "Computing vertex normals from polygonal facets".
struct MeshNormals {
    /// The decimals to which normals are rounded before equal ones are made one.
    static let decimals = 6

    /// The different normals, in the order of their first use.
    private(set) var normals: [Vector3] = []
    /// For each triangle the indices of its corners' normals.
    private(set) var indices: [TriangleIndices] = []

    init(_ mesh: TriangleMesh, creaseAngle: Double) {
        let faces = mesh.triangles.indices.map { Face(mesh.corners(ofTriangle: $0)) }
        let corners = CornersAround(mesh)
        // At π all neighbours count, also those whose cosine rounds below −1.
        let smallestCosine = creaseAngle < .pi ? cos(creaseAngle) : -2
        var indexOfNormal: [SIMD3<Int32>: Int32] = [:]
        indices.reserveCapacity(faces.count)
        for (triangle, face) in zip(mesh.triangles, faces) {
            var triple = TriangleIndices.zero
            for corner in 0..<3 {
                var sum = Vector3.zero
                if creaseAngle > 0 {
                    for other in corners[triangle[corner]] {
                        let neighbor = faces[Int(other / 3)]
                        guard neighbor.normal.dot(face.normal) >= smallestCosine else { continue }
                        sum += neighbor.angles[Int(other % 3)] * neighbor.normal
                    }
                }
                let normal = sum.normalized() ?? face.normal
                let rounded = SIMD3<Int32>((1e6 * normal).rounded(.toNearestOrAwayFromZero))
                if let known = indexOfNormal[rounded] {
                    triple[corner] = known
                } else {
                    triple[corner] = Int32(normals.count)
                    indexOfNormal[rounded] = triple[corner]
                    normals.append(normal)
                }
            }
            indices.append(triple)
        }
    }

    /// What a triangle adds to its corners' normals.
    private struct Face {
        var normal: Vector3
        var angles: Vector3

        /// Without area, the normal points up and weighs nothing.
        init(_ corners: (Point3, Point3, Point3)) {
            let (a, b, c) = corners
            let (ab, bc, ca) = (b - a, c - b, a - c)
            guard let unit = ab.cross(bc).normalized() else {
                (normal, angles) = (Vector3(0, 1, 0), .zero)
                return
            }
            normal = unit
            let doubleArea = ab.cross(bc).length
            angles = Vector3(
                atan2(doubleArea, -ca.dot(ab)), atan2(doubleArea, -ab.dot(bc)), atan2(doubleArea, -bc.dot(ca)))
        }
    }

    /// The corners, numbered 3 × triangle + 0…2, at each position.
    private struct CornersAround {
        private var first: [Int]
        private var corners: [Int32]

        init(_ mesh: TriangleMesh) {
            first = [Int](repeating: 0, count: mesh.positions.count + 1)
            for triangle in mesh.triangles {
                for corner in 0..<3 { first[Int(triangle[corner]) + 1] += 1 }
            }
            for position in mesh.positions.indices { first[position + 1] += first[position] }
            var next = first
            corners = [Int32](repeating: 0, count: 3 * mesh.triangles.count)
            for (index, triangle) in mesh.triangles.enumerated() {
                for corner in 0..<3 {
                    let position = Int(triangle[corner])
                    corners[next[position]] = Int32(3 * index + corner)
                    next[position] += 1
                }
            }
        }

        subscript(position: Int32) -> ArraySlice<Int32> { corners[first[Int(position)]..<first[Int(position) + 1]] }
    }
}
