// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A place on a surface.
struct SurfacePlace {
    var position: Point3
    /// To the viewer's side.
    var normal: Vector3
    /// How far light reaches around to the side that faces away, 0…1.
    var translucency: Float
}

/// A surface as the inner loop sees it: the address of plain numbers in a ``SurfaceTable``.
enum SurfaceRecord {
    case rectangle(UnsafePointer<RectangleRecord>)
    case mesh(UnsafeMutablePointer<MeshRecord>)

    /// The distance along a ray, exact in double precision on rectangles.
    @inline(__always) func distance(to hit: RayHit, origin: Point3, direction: Vector3) -> Double {
        switch self {
        case .rectangle(let rectangle): rectangle.pointee.distance(origin: origin, direction: direction)
        case .mesh: Double(hit.depth)
        }
    }

    /// Where a ray meets the surface.
    func place(at hit: RayHit, origin: Point3, direction: Vector3, time: Double) -> SurfacePlace {
        let position = origin + direction * distance(to: hit, origin: origin, direction: direction)
        switch self {
        case .rectangle(let rectangle):
            let normal = rectangle.pointee.normal
            return SurfacePlace(
                position: position, normal: normal.dot(direction) > 0 ? -normal : normal, translucency: 0)
        case .mesh(let mesh):
            return SurfacePlace(
                position: position, normal: mesh.pointee.normal(at: hit, direction: direction, time: time),
                translucency: mesh.pointee.translucency)
        }
    }
}

/// A plane and the affine map from its points to texels.
struct RectangleRecord {
    let point: Point3
    let normal: Vector3
    let texelX: Vector3
    let texelY: Vector3
    let texelCenter: Vector2
    let texture: MipView
    let gloss: Float

    init(_ rectangle: TexturedRectangle) {
        let axes = rectangle.worldFromSurface.rotation.matrix
        let size = Vector2(Double(rectangle.texture.size.width), Double(rectangle.texture.size.height))
        let density = size / rectangle.size
        point = rectangle.worldFromSurface.translation
        normal = axes[1]
        texelX = axes[0] * density.x
        texelY = axes[2] * density.y
        texelCenter = size / 2
        texture = rectangle.texture.view
        gloss = rectangle.gloss
    }

    @inline(__always) func distance(origin: Point3, direction: Vector3) -> Double {
        normal.dot(point - origin) / normal.dot(direction)
    }
}

/// A rectangle as one camera sees it: from where a pixel looks to what it sees there.
struct RectangleView {
    /// The normal in the world, to the viewer's side.
    let normal: Vector3
    let gloss: Float

    private let texture: MipView
    /// From a direction in the camera's axes to its parts along the normal and along the texels' columns and rows.
    private let facingAndTexelsFromCamera: Matrix3x3
    private let height: Double
    private let texelAtCamera: Vector2

    init(_ rectangle: RectangleRecord, from worldFromCamera: RigidTransform) {
        let fromCamera = rectangle.point - worldFromCamera.translation
        height = rectangle.normal.dot(fromCamera)
        normal = height > 0 ? -rectangle.normal : rectangle.normal
        texelAtCamera =
            rectangle.texelCenter - Vector2(rectangle.texelX.dot(fromCamera), rectangle.texelY.dot(fromCamera))
        facingAndTexelsFromCamera =
            Matrix3x3(rows: rectangle.normal, rectangle.texelX, rectangle.texelY) * worldFromCamera.rotation.matrix
        texture = rectangle.texture
        gloss = rectangle.gloss
    }

    /// The distance along a direction in the camera's axes.
    @inline(__always) func distance(along direction: Vector3) -> Double {
        height / (facingAndTexelsFromCamera * direction).x
    }

    /// The look of what a pixel sees, averaged over the pixel.
    ///
    /// A texel's place is `texelAtCamera + height · (x, y) / facing`; its change across the pixel is the quotient's
    /// derivative.
    @inline(__always) func look(along ray: PixelRay) -> SIMD4<Float> {
        let center = facingAndTexelsFromCamera * ray.direction
        let distance = height / center.x
        let slope = Vector2(center.y, center.z) / center.x
        let place = texelAtCamera + Vector2(center.y, center.z) * distance
        func change(_ across: Vector3) -> SIMD2<Float> {
            let change = facingAndTexelsFromCamera * across
            return SIMD2<Float>((Vector2(change.y, change.z) - slope * change.x) * distance)
        }
        return texture.light(
            x: Float(place.x), y: Float(place.y), acrossColumns: change(ray.acrossColumns),
            acrossRows: change(ray.acrossRows))
    }
}

/// The surfaces of a model by object number, as plain numbers at addresses that stay: an array behind a class would be
/// retained for every pixel.
///
/// Textures are not copied; they live as long as their model. Sendable although the compiler cannot see it: any number of
/// threads may read, and meshes are turned and bent between two frames, when none does.
final class SurfaceTable: @unchecked Sendable {
    private let records: UnsafeMutableBufferPointer<SurfaceRecord>
    private var release: [() -> Void] = []

    init(_ surfaces: [RenderSurface]) {
        records = .allocate(capacity: surfaces.count)
        for (object, surface) in surfaces.enumerated() {
            records.initializeElement(at: object, to: record(of: surface))
        }
    }

    private func record(of surface: RenderSurface) -> SurfaceRecord {
        switch surface {
        case .rectangle(let rectangle): .rectangle(UnsafePointer(keep([RectangleRecord(rectangle)])))
        case .mesh(let mesh, _): .mesh(keep([record(of: mesh)]))
        }
    }

    private func record(of mesh: ShadedMesh) -> MeshRecord {
        precondition(
            mesh.normals.count == mesh.positions.count && mesh.coat.vertexCount == mesh.positions.count,
            "\(mesh.positions.count) vertices have \(mesh.normals.count) normals and \(mesh.coat.vertexCount) looks")
        let coat: MeshRecord.Coat =
            switch mesh.coat {
            case .colors(let colors): .colors(keep(colors))
            case .texture(let texture, let coordinates):
                .texture(
                    texture.view, size: SIMD2(Float(texture.size.width), Float(texture.size.height)),
                    coordinates: keep(coordinates))
            }
        return MeshRecord(
            positions: keep(mesh.positions), normals: keep(mesh.normals), triangles: keep(mesh.triangles), coat: coat,
            gloss: mesh.gloss, translucency: mesh.translucency)
    }

    deinit {
        for release in release { release() }
        records.deallocate()
    }

    @inline(__always) subscript(object: Int32) -> SurfaceRecord { records[Int(object)] }

    /// Turns a mesh; its translation is the ray caster's affair.
    func turn(_ object: Int32, along movement: Movement) { mesh(object).pointee.turn(along: movement) }

    /// Gives a mesh's vertices new places and normals.
    func deform(_ object: Int32, _ deformation: Deformation) {
        let mesh = mesh(object).pointee
        mesh.positions.update(from: deformation.positions, count: deformation.positions.count)
        mesh.normals.update(from: deformation.normals, count: deformation.normals.count)
    }

    private func mesh(_ object: Int32) -> UnsafeMutablePointer<MeshRecord> {
        guard case .mesh(let mesh) = self[object] else { preconditionFailure("object \(object) is no mesh") }
        return mesh
    }

    private func keep<Element>(_ array: [Element]) -> UnsafeMutablePointer<Element> {
        precondition(!array.isEmpty, "a mesh has vertices and triangles")
        let copy = UnsafeMutablePointer<Element>.allocate(capacity: array.count)
        copy.initialize(from: array, count: array.count)
        release.append { copy.deallocate() }
        return copy
    }
}
