// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// Some triangles of a mesh, with a texture laid on them along one direction: the texture covers their bounding
/// rectangle, seen against that direction.
struct ProjectedChart: Sendable {
    /// The triangles, each with its own corners.
    let mesh: SurfaceMesh
    /// From the texture's axes to those of the mesh: +X to its right, +Z down, +Y towards who looks at it.
    let meshFromTexture: Rotation
    /// The texture's top left corner, in the texture's axes (y is zero).
    let corner: Point3
    /// The texture's width and height, in metres.
    let extent: Vector2

    /// The chart of those triangles, or `nil` when they have no area, seen along the texture's y.
    init?(
        of mesh: TriangleMesh, triangles: [Int], cornerNormals: [(Vector3, Vector3, Vector3)?],
        meshFromTexture: Rotation
    ) {
        let textureFromMesh = meshFromTexture.inverse
        var chart = SurfaceMesh()
        var inTexture: [Point3] = []
        for index in triangles {
            guard let normals = cornerNormals[index] else { continue }
            let corners = mesh.corners(ofTriangle: index)
            let first = UInt32(chart.positions.count)
            for (corner, normal) in [(corners.0, normals.0), (corners.1, normals.1), (corners.2, normals.2)] {
                chart.positions.append(corner)
                chart.normals.append(normal)
                inTexture.append(textureFromMesh * corner)
            }
            chart.triangles.append(SIMD3(first, first + 1, first + 2))
        }
        guard let bounds = AxisAlignedBox(containing: inTexture), bounds.size.x > 0, bounds.size.z > 0 else {
            return nil
        }
        let (minimum, size) = (bounds.minimum, bounds.size)
        chart.textureCoordinates = inTexture.map {
            Point2(($0.x - minimum.x) / size.x, ($0.z - minimum.z) / size.z)
        }
        self.mesh = chart
        self.meshFromTexture = meshFromTexture
        corner = Point3(minimum.x, 0, minimum.z)
        extent = Vector2(size.x, size.z)
    }

    /// Charts along the six directions of the axes: each triangle lies in that which it faces most.
    static func alongAxes(of mesh: TriangleMesh, cornerNormals: [(Vector3, Vector3, Vector3)?]) -> [ProjectedChart] {
        var groups = [[Int]](repeating: [], count: axes.count)
        for index in mesh.triangles.indices {
            let (a, b, c) = mesh.corners(ofTriangle: index)
            groups[nearestAxis(to: (b - a).cross(c - a))].append(index)
        }
        return zip(axes, groups).compactMap { axis, group in
            ProjectedChart(of: mesh, triangles: group, cornerNormals: cornerNormals, meshFromTexture: axis)
        }
    }

    /// The texture's axes for the six directions, in the order +X, −X, +Y, −Y, +Z, −Z; on upright faces the texture's top
    /// is up, on those above and below it is at −Z.
    private static let axes: [Rotation] = [
        Vector3(1, 0, 0), Vector3(-1, 0, 0), Vector3(0, 1, 0), Vector3(0, -1, 0), Vector3(0, 0, 1), Vector3(0, 0, -1),
    ].map(Rotation.facing)

    /// The index of the direction in the order of the six that is nearest to a normal.
    private static func nearestAxis(to normal: Vector3) -> Int {
        let sizes = [abs(normal.x), abs(normal.y), abs(normal.z)]
        let axis = sizes[1] >= sizes[0] && sizes[1] >= sizes[2] ? 1 : sizes[0] >= sizes[2] ? 0 : 2
        return 2 * axis + (normal[axis] < 0 ? 1 : 0)
    }
}

extension Rotation {
    /// The axes of a flat surface with that normal: +Y is the normal, X is horizontal; on a wall X points to the right and
    /// Z down as one faces it, on a floor they are the world's.
    static func facing(_ direction: Vector3) -> Rotation {
        let normal = direction.normalized() ?? Vector3(0, 1, 0)
        let right = Vector3(0, 1, 0).cross(normal).normalized() ?? Vector3(1, 0, 0)
        return Rotation(Matrix3x3(right, normal, right.cross(normal))) ?? .identity
    }
}
