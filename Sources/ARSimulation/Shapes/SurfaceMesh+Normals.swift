// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

extension TriangleMesh {
    /// The angle between two faces below which the edge between them is smooth.
    static let creaseAngle = 0.7

    /// The unit normal at each triangle's three corners: smooth where faces meet at less than ``creaseAngle``, creased
    /// where they do not; `nil` for a triangle without area.
    ///
    /// Each face counts by its area.
    var cornerNormals: [(Vector3, Vector3, Vector3)?] {
        let areaNormals = triangles.indices.map { index in
            let (a, b, c) = corners(ofTriangle: index)
            return (b - a).cross(c - a)
        }
        // The faces around each vertex, as ranges of one list.
        var firstFace = [Int](repeating: 0, count: positions.count + 1)
        for triangle in triangles { for corner in 0..<3 { firstFace[Int(triangle[corner]) + 1] += 1 } }
        for vertex in positions.indices { firstFace[vertex + 1] += firstFace[vertex] }
        var faces = [Int](repeating: 0, count: 3 * triangles.count)
        var filled = firstFace
        for (index, triangle) in triangles.enumerated() {
            for corner in 0..<3 {
                faces[filled[Int(triangle[corner])]] = index
                filled[Int(triangle[corner])] += 1
            }
        }
        let smoothCosine = cos(Self.creaseAngle)
        return triangles.indices.map { index in
            guard let own = areaNormals[index].normalized() else { return nil }
            func normal(_ vertex: Int32) -> Vector3 {
                let around = faces[firstFace[Int(vertex)]..<firstFace[Int(vertex) + 1]]
                let sum = around.reduce(Vector3.zero) { sum, other in
                    let normal = areaNormals[other]
                    return normal.dot(own) > smoothCosine * normal.length ? sum + normal : sum
                }
                return sum.normalized() ?? own
            }
            let triangle = triangles[index]
            return (normal(triangle.x), normal(triangle.y), normal(triangle.z))
        }
    }
}
