// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A triangle mesh that can wear a texture: the geometry of a thing in its own frame, in metres.
///
/// A triangle's front is where its corners are seen counter-clockwise. Texture coordinates run from (0, 0) at the
/// texture's top left corner to (1, 1) at its bottom right, as the texture is seen from the front.
struct SurfaceMesh: Sendable {
    /// The vertices.
    var positions: [Point3] = []
    /// The unit normals at the vertices, to the front.
    var normals: [Vector3] = []
    /// Where the vertices lie in the texture.
    var textureCoordinates: [Point2] = []
    /// Three vertex indices a triangle.
    var triangles: [SIMD3<UInt32>] = []

    /// The bare triangles.
    var triangleMesh: TriangleMesh {
        TriangleMesh(positions: positions, triangles: triangles.map { TriangleIndices(truncatingIfNeeded: $0) })
    }

    /// Both meshes side by side.
    static func + (a: SurfaceMesh, b: SurfaceMesh) -> SurfaceMesh {
        var sum = a
        let offset = SIMD3(repeating: UInt32(a.positions.count))
        sum.positions += b.positions
        sum.normals += b.normals
        sum.textureCoordinates += b.textureCoordinates
        sum.triangles += b.triangles.map { $0 &+ offset }
        return sum
    }

    /// The mesh in the target's frame.
    static func * (targetFromSource: RigidTransform, mesh: SurfaceMesh) -> SurfaceMesh {
        var moved = mesh
        moved.positions = mesh.positions.map { targetFromSource * $0 }
        moved.normals = mesh.normals.map { targetFromSource.rotation * $0 }
        return moved
    }

    /// The mesh with every position multiplied by a positive factor.
    func scaled(by factor: Double) -> SurfaceMesh {
        var mesh = self
        mesh.positions = positions.map { factor * $0 }
        return mesh
    }
}

extension SurfaceMesh {
    /// A point of a curved sheet.
    struct Vertex {
        var position: Point3
        var normal: Vector3
    }

    /// A sheet over the unit square, cut into columns and rows: u runs to the right in the texture and v down.
    ///
    /// The front is where u runs to the right and v down, and must be the side of the normals. Triangles that shrink to
    /// a line, as at a sphere's poles, are left out.
    init(columns: Int, rows: Int, vertex: (_ u: Double, _ v: Double) -> Vertex) {
        for row in 0...rows {
            for column in 0...columns {
                let place = Point2(Double(column) / Double(columns), Double(row) / Double(rows))
                let vertex = vertex(place.x, place.y)
                positions.append(vertex.position)
                normals.append(vertex.normal)
                textureCoordinates.append(place)
            }
        }
        triangles = Self.sheetTriangles(columns: columns, rows: rows).filter { triangle in
            let (a, b, c) = (
                positions[Int(triangle.x)], positions[Int(triangle.y)], positions[Int(triangle.z)]
            )
            let shortest = min((b - a).squaredLength, (c - b).squaredLength, (a - c).squaredLength)
            let longest = max((b - a).squaredLength, (c - b).squaredLength, (a - c).squaredLength)
            return shortest > 1e-18 * longest
        }
    }

    /// The triangles of a sheet whose vertices are stored row by row.
    static func sheetTriangles(columns: Int, rows: Int) -> [SIMD3<UInt32>] {
        let stride = UInt32(columns + 1)
        return (0..<UInt32(rows)).flatMap { row in
            (0..<UInt32(columns)).flatMap { column -> [SIMD3<UInt32>] in
                let topLeft = row * stride + column
                let (topRight, bottomLeft, bottomRight) = (topLeft + 1, topLeft + stride, topLeft + stride + 1)
                return [SIMD3(topLeft, bottomLeft, bottomRight), SIMD3(topLeft, bottomRight, topRight)]
            }
        }
    }
}
