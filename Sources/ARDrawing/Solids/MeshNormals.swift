// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// The unit normals of a mesh's corners; corners of one position that have the same normal share it.
///
/// A corner's normal is the mean of the normals of the triangles around its position that meet its own triangle at no
/// more than the crease angle, each weighted by its angle there, so that the way in which flat faces are cut into
/// triangles does not matter.
/// - Reference: Thürmer, Wüthrich 1998, "Computing vertex normals from polygonal facets".
struct MeshNormals {
    /// The normals, in the order of the positions that use them: where all neighbours count, as many as positions.
    private(set) var normals: [Vector3] = []
    /// For each triangle the indices of its corners' normals; empty where they are those of the positions.
    private var cornerIndices: [TriangleIndices] = []

    /// The indices of the normals of a triangle's corners.
    @inline(__always)
    func indices(ofTriangle index: Int, _ triangle: TriangleIndices) -> TriangleIndices {
        cornerIndices.isEmpty ? triangle : cornerIndices[index]
    }

    init(_ mesh: TriangleMesh, creaseAngle: Double) {
        // At π all neighbours count, whatever their angle: the corners have one normal.
        if creaseAngle >= .pi { setOneForEachPosition(of: mesh) } else { setByCreases(of: mesh, creaseAngle) }
    }

    private mutating func setOneForEachPosition(of mesh: TriangleMesh) {
        normals = [Vector3](repeating: .zero, count: mesh.positions.count)
        for index in mesh.triangles.indices {
            let face = Face(mesh.corners(ofTriangle: index))
            for corner in 0..<3 {
                normals[Int(mesh.triangles[index][corner])] += face.weightedNormal(ofCorner: Int32(corner))
            }
        }
        for index in normals.indices { normals[index] = normals[index].normalized() ?? Vector3(0, 1, 0) }
    }

    private mutating func setByCreases(of mesh: TriangleMesh, _ creaseAngle: Double) {
        let faces = mesh.triangles.indices.map { Face(mesh.corners(ofTriangle: $0)) }
        let corners = CornersAround(mesh)
        let smallestCosine = cos(creaseAngle)
        cornerIndices = [TriangleIndices](repeating: .zero, count: faces.count)
        for position in mesh.positions.indices {
            let around = corners[position]
            let firstNormal = normals.count
            for corner in around {
                let face = faces[Int(corner / 3)]
                let sum = around.reduce(Vector3.zero) { sum, other in
                    let neighbor = faces[Int(other / 3)]
                    let isSmooth = creaseAngle > 0 && neighbor.normal.dot(face.normal) >= smallestCosine
                    return isSmooth ? sum + neighbor.weightedNormal(ofCorner: other % 3) : sum
                }
                let normal = sum.normalized() ?? face.normal
                let known = normals[firstNormal...].firstIndex { ($0 - normal).squaredLength < 1e-14 }
                cornerIndices[Int(corner / 3)][Int(corner % 3)] = Int32(known ?? normals.count)
                if known == nil { normals.append(normal) }
            }
        }
    }

    /// What a triangle adds to its corners' normals.
    private struct Face {
        var normal: Vector3
        var angles: Vector3

        func weightedNormal(ofCorner corner: Int32) -> Vector3 { angles[Int(corner)] * normal }

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

        subscript(position: Int) -> ArraySlice<Int32> { corners[first[position]..<first[position + 1]] }
    }
}
