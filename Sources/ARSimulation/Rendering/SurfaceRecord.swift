// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What a ray met, as the ray caster tells it.
struct RayHit {
    var object: Int32
    var primitive: UInt32
    var u: Float
    var v: Float
    var depth: Float
}

/// A place on a surface with all that its light depends on.
struct SurfacePoint {
    var position: Point3
    /// To the viewer's side.
    var normal: Vector3
    /// Linear RGB, and how glossy.
    var look: SIMD4<Float>
    var translucency: Float
}

/// A surface as the inner loop sees it: plain numbers and pointers into what its ``RenderModel`` and ``Renderer`` own.
struct SurfaceRecord {
    private enum Shape {
        case rectangle(Rectangle)
        case mesh(Mesh)
    }

    /// A plane and the affine map from its points to texels.
    private struct Rectangle {
        var point: Point3
        var normal: Vector3
        var texelX: Vector3
        var texelY: Vector3
        var texelCenter: Vector2
        var texture: MipView
    }

    private struct Mesh {
        var normals: UnsafePointer<SIMD3<Float>>
        var looks: UnsafePointer<SIMD4<Float>>
        var triangles: UnsafePointer<SIMD3<UInt32>>
        var translucency: Float
        var worldFromObject: Matrix3x3
    }

    private var shape: Shape

    init(_ rectangle: TexturedRectangle) {
        let axes = rectangle.worldFromSurface.rotation.matrix
        let size = Vector2(Double(rectangle.texture.size.width), Double(rectangle.texture.size.height))
        let density = size / rectangle.size
        shape = .rectangle(
            Rectangle(
                point: rectangle.worldFromSurface.translation, normal: axes[1], texelX: axes[0] * density.x,
                texelY: axes[2] * density.y, texelCenter: size / 2, texture: rectangle.texture.view))
    }

    /// The mesh's arrays, which must outlive the record.
    init(
        normals: UnsafePointer<SIMD3<Float>>, looks: UnsafePointer<SIMD4<Float>>,
        triangles: UnsafePointer<SIMD3<UInt32>>, translucency: Float
    ) {
        shape = .mesh(
            Mesh(
                normals: normals, looks: looks, triangles: triangles, translucency: translucency,
                worldFromObject: .identity))
    }

    /// Turns a mesh; its translation is the ray caster's affair.
    mutating func turn(_ worldFromObject: Rotation) {
        guard case .mesh(var mesh) = shape else { preconditionFailure("only meshes move") }
        mesh.worldFromObject = worldFromObject.matrix
        shape = .mesh(mesh)
    }

    /// The distance along a ray, exact in double precision on rectangles.
    @inline(__always) func distance(to hit: RayHit, origin: Point3, direction: Vector3) -> Double {
        switch shape {
        case .rectangle(let rectangle):
            rectangle.normal.dot(rectangle.point - origin) / rectangle.normal.dot(direction)
        case .mesh: Double(hit.depth)
        }
    }

    /// The surface where a pixel's ray meets it, its look averaged over the pixel.
    @inline(__always) func point(at hit: RayHit, origin: Point3, ray: PixelRay) -> SurfacePoint {
        let distance = distance(to: hit, origin: origin, direction: ray.direction)
        let position = origin + ray.direction * distance
        switch shape {
        case .rectangle(let rectangle):
            let facing = rectangle.normal.dot(ray.direction)
            let fromCenter = position - rectangle.point
            // ∂position/∂column: the ray turns, and the plane stretches its end along the ray.
            let side = ray.direction / facing
            let acrossColumns = distance * (ray.acrossColumns - side * rectangle.normal.dot(ray.acrossColumns))
            let acrossRows = distance * (ray.acrossRows - side * rectangle.normal.dot(ray.acrossRows))
            let light = rectangle.texture.light(
                x: Float(rectangle.texelCenter.x + rectangle.texelX.dot(fromCenter)),
                y: Float(rectangle.texelCenter.y + rectangle.texelY.dot(fromCenter)),
                acrossColumns: SIMD2(
                    Float(rectangle.texelX.dot(acrossColumns)), Float(rectangle.texelY.dot(acrossColumns))),
                acrossRows: SIMD2(Float(rectangle.texelX.dot(acrossRows)), Float(rectangle.texelY.dot(acrossRows))))
            return SurfacePoint(
                position: position, normal: facing > 0 ? -rectangle.normal : rectangle.normal, look: light,
                translucency: 0)
        case .mesh(let mesh):
            let corners = mesh.triangles[Int(hit.primitive)]
            let (a, b, c) = (Int(corners.x), Int(corners.y), Int(corners.z))
            let w = 1 - hit.u - hit.v
            let look = mesh.looks[a] * w + mesh.looks[b] * hit.u + mesh.looks[c] * hit.v
            let smooth = Vector3(mesh.normals[a] * w + mesh.normals[b] * hit.u + mesh.normals[c] * hit.v)
            let normal = (mesh.worldFromObject * smooth).normalized() ?? -ray.direction
            return SurfacePoint(
                position: position, normal: normal.dot(ray.direction) > 0 ? -normal : normal, look: look,
                translucency: mesh.translucency)
        }
    }

    /// Whether a mesh has a crease between two of its triangles, sharp enough to show as an edge.
    @inline(__always) func hasCrease(between first: UInt32, and second: UInt32) -> Bool {
        guard case .mesh(let mesh) = shape else { return false }
        let a = mesh.normals[Int(mesh.triangles[Int(first)].x)]
        let b = mesh.normals[Int(mesh.triangles[Int(second)].x)]
        return (a * b).sum() < 0.85
    }
}

extension Illumination {
    /// The light that a place sends to the viewer when it sees that part of the sun.
    @inline(__always) func light(of point: SurfacePoint, sunVisibility: Float, towardsViewer: Vector3) -> SIMD4<Float> {
        let facing = Float(point.normal.dot(towardsSun))
        let wrapped = max(0, (facing + point.translucency) / (1 + point.translucency))
        // The sky is brighter than the ground.
        let sky = ambient * (0.8 + 0.2 * Float(point.normal.y))
        var light = point.look * (sky + sun * wrapped * sunVisibility)
        let gloss = point.look.w
        if gloss > 0, facing > 0, let half = (towardsSun + towardsViewer).normalized() {
            let alignment = max(0, Float(point.normal.dot(half)))
            let squared = alignment * alignment
            let eighth = squared * squared * squared * squared
            light += SIMD4(repeating: gloss * sun * sunVisibility * eighth * eighth * eighth * 0.5)
        }
        return light
    }

    /// Whether a place is turned to the sun at all.
    @inline(__always) func reaches(_ point: SurfacePoint) -> Bool {
        Float(point.normal.dot(towardsSun)) > -point.translucency
    }
}
