// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

/// A mesh's arrays, and how the mesh is turned.
struct MeshRecord {
    let positions: UnsafeMutablePointer<SIMD3<Float>>
    let normals: UnsafeMutablePointer<SIMD3<Float>>
    let triangles: UnsafeMutablePointer<SIMD3<UInt32>>
    let coat: Coat
    let targets: MeshTargets
    let gloss: Float
    let translucency: Float
    /// The mesh's axes at the first row's instant, and what they change until the last row's.
    private var axes = Matrix3x3.identity
    private var axesChange = Matrix3x3(columns: (.zero, .zero, .zero))

    /// What is on a mesh.
    enum Coat {
        case colors(UnsafeMutablePointer<SIMD4<Float>>)
        case texture(MipView, size: SIMD2<Float>, coordinates: UnsafeMutablePointer<SIMD2<Float>>)
    }

    init(
        positions: UnsafeMutablePointer<SIMD3<Float>>, normals: UnsafeMutablePointer<SIMD3<Float>>,
        triangles: UnsafeMutablePointer<SIMD3<UInt32>>, coat: Coat, targets: MeshTargets, gloss: Float,
        translucency: Float
    ) {
        self.positions = positions
        self.normals = normals
        self.triangles = triangles
        self.coat = coat
        self.targets = targets
        self.gloss = gloss
        self.translucency = translucency
    }

    /// Turns the mesh; its translation is the ray caster's affair.
    mutating func turn(along movement: Movement) {
        axes = movement.worldFromObject.rotation.matrix
        axesChange = movement.worldFromObjectAtLastRow.rotation.matrix - axes
    }

    /// The mesh's axes at a fraction of the shot, as the ray caster has them: each moves along a straight line.
    @inline(__always) func axes(at time: Double) -> Matrix3x3 {
        axes + time * axesChange
    }

    /// The smooth unit normal in the world, to the side from which a ray comes.
    @inline(__always) func normal(at hit: RayHit, direction: Vector3, axes: Matrix3x3) -> Vector3 {
        let corners = triangles[Int(hit.primitive)]
        let smooth =
            normals[Int(corners.x)] * (1 - hit.u - hit.v) + normals[Int(corners.y)] * hit.u
            + normals[Int(corners.z)] * hit.v
        // The mean of unit normals is of no such length that its square leaves the range of numbers.
        let inWorld = axes * Vector3(smooth)
        let length = inWorld.length
        guard length > 0 else { return -direction }
        return inWorld.dot(direction) > 0 ? inWorld / -length : inWorld / length
    }

    /// The mean of its corners' colours at a place in a triangle.
    @inline(__always)
    func color(at hit: RayHit, of colors: UnsafePointer<SIMD4<Float>>) -> SIMD4<Float> {
        let corners = triangles[Int(hit.primitive)]
        return colors[Int(corners.x)] * (1 - hit.u - hit.v) + colors[Int(corners.y)] * hit.u
            + colors[Int(corners.z)] * hit.v
    }

    /// The part of a texture that a pixel covers which has that view, in the world's axes.
    func footprint(
        at hit: RayHit, view: PixelView, axes: Matrix3x3, coordinates: UnsafePointer<SIMD2<Float>>, size: SIMD2<Float>
    ) -> CRaycastFootprint {
        let corners = triangles[Int(hit.primitive)]
        let place = coordinates[Int(corners.x)] * size
        let alongU = coordinates[Int(corners.y)] * size - place
        let alongV = coordinates[Int(corners.z)] * size - place
        let weights = weightChanges(at: hit, corners: corners, view: view, axes: axes)
        return CRaycastFootprint(
            place: place + alongU * hit.u + alongV * hit.v,
            acrossColumns: alongU * weights.acrossColumns.x + alongV * weights.acrossColumns.y,
            acrossRows: alongU * weights.acrossRows.x + alongV * weights.acrossRows.y)
    }

    /// How the weights of a triangle's second and third corners change across a pixel.
    ///
    /// The ray's end moves by `t · (Δd − d · (n·Δd) / (n·d))` in the triangle's plane, and a weight changes by its scalar
    /// product with the weight's gradient.
    /// - Reference: Igehy 1999, "Tracing ray differentials", section 3.1.1.
    private func weightChanges(
        at hit: RayHit, corners: SIMD3<UInt32>, view: PixelView, axes: Matrix3x3
    ) -> (acrossColumns: SIMD2<Float>, acrossRows: SIMD2<Float>) {
        let objectFromWorld = axes.transpose
        let direction = objectFromWorld * Vector3(view.direction)
        let first = positions[Int(corners.x)]
        let (edgeU, edgeV) = (Vector3(positions[Int(corners.y)] - first), Vector3(positions[Int(corners.z)] - first))
        let normal = edgeU.cross(edgeV)
        let facing = normal.dot(direction)
        guard facing != 0 else { return (.zero, .zero) }
        let (gradientU, gradientV) = (edgeV.cross(normal), normal.cross(edgeU))
        let scale = Double(hit.depth) / normal.squaredLength
        func change(_ across: SIMD4<Float>) -> SIMD2<Float> {
            let across = objectFromWorld * Vector3(across)
            let way = (across - direction * (normal.dot(across) / facing)) * scale
            return SIMD2<Float>(Vector2(gradientU.dot(way), gradientV.dot(way)))
        }
        return (change(view.acrossColumns), change(view.acrossRows))
    }

    /// Whether there is an edge to be seen between two hits: because one hides the other, or because of a crease.
    @inline(__always)
    func hasEdge(between first: (triangle: UInt32, depth: Float), and second: (triangle: UInt32, depth: Float)) -> Bool
    {
        guard first.triangle != second.triangle else { return false }
        return abs(first.depth - second.depth) > 0.02 * min(first.depth, second.depth)
            || hasCrease(between: first.triangle, and: second.triangle)
    }

    @inline(__always) private func hasCrease(between first: UInt32, and second: UInt32) -> Bool {
        let a = normals[Int(triangles[Int(first)].x)]
        let b = normals[Int(triangles[Int(second)].x)]
        return (a * b).sum() < 0.85
    }
}
