// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import CRaycast

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
    let lightMap: LightMapView
    /// From texels to the light map's cells.
    let cellsPerTexel: SIMD2<Float>

    init(_ rectangle: TexturedRectangle, lightMap: LightMap) {
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
        self.lightMap = lightMap.view
        cellsPerTexel = SIMD2<Float>(1 / (density * lightMap.cellMeters))
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
    let texture: MipView

    private let lightMap: LightMapView
    private let cellsPerTexel: SIMD2<Float>
    /// From a direction in the camera's axes to its parts along the normal and along the texels' columns and rows.
    private let facingAndTexelsFromCamera: FloatAxes
    private let height: Float
    private let texelAtCamera: SIMD2<Float>

    init(_ rectangle: RectangleRecord, from worldFromCamera: RigidTransform) {
        let fromCamera = rectangle.point - worldFromCamera.translation
        let height = rectangle.normal.dot(fromCamera)
        normal = height > 0 ? -rectangle.normal : rectangle.normal
        self.height = Float(height)
        texelAtCamera = SIMD2<Float>(
            rectangle.texelCenter - Vector2(rectangle.texelX.dot(fromCamera), rectangle.texelY.dot(fromCamera)))
        facingAndTexelsFromCamera = FloatAxes(
            Matrix3x3(rows: rectangle.normal, rectangle.texelX, rectangle.texelY) * worldFromCamera.rotation.matrix)
        texture = rectangle.texture
        gloss = rectangle.gloss
        lightMap = rectangle.lightMap
        cellsPerTexel = rectangle.cellsPerTexel
    }

    /// What a pixel covers.
    ///
    /// A texel's place is `texelAtCamera + height · (x, y) / facing`; its change across the pixel is the quotient's
    /// derivative.
    @inline(__always) func footprint(of view: PixelView) -> CRaycastFootprint {
        let view = view.mapped(by: facingAndTexelsFromCamera)
        let perFacing = 1 / view.direction.x
        let distance = height * perFacing
        let texels = SIMD2(view.direction.y, view.direction.z)
        let slope = texels * perFacing
        func change(_ across: SIMD4<Float>) -> SIMD2<Float> {
            (SIMD2(across.y, across.z) - slope * across.x) * distance
        }
        return CRaycastFootprint(
            place: texelAtCamera + texels * distance, acrossColumns: change(view.acrossColumns),
            acrossRows: change(view.acrossRows))
    }

    /// The part of the sun that reaches what a pixel covers past the fixed surfaces.
    @inline(__always) func sunVisibility(of footprint: CRaycastFootprint) -> Float {
        let (place, width) = footprint.scaled(by: cellsPerTexel)
        return lightMap.sunVisibility(at: place, width: width)
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
    private var lightMaps: [LightMap] = []

    /// The surfaces of a model, of which the raycaster will have the triangles.
    init(_ model: RenderModel, sunDisc: SunDisc, raycaster: Raycaster) {
        let surfaces = model.surfaces
        records = .allocate(capacity: surfaces.count)
        for (object, surface) in surfaces.enumerated() {
            switch surface {
            case .rectangle(let rectangle):
                let map = LightMap(
                    rectangle, illumination: model.illumination, sunDisc: sunDisc, raycaster: raycaster)
                lightMaps.append(map)
                records.initializeElement(
                    at: object, to: .rectangle(UnsafePointer(keep([RectangleRecord(rectangle, lightMap: map)]))))
            case .mesh(let mesh, _): records.initializeElement(at: object, to: .mesh(keep([record(of: mesh)])))
            }
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
        precondition(
            deformation.normals.count == deformation.positions.count,
            "\(deformation.positions.count) vertices with \(deformation.normals.count) normals")
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
