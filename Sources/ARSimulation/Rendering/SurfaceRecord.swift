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
                position: position,
                normal: mesh.pointee.normal(at: hit, direction: direction, axes: mesh.pointee.axes(at: time)),
                translucency: mesh.pointee.translucency)
        }
    }
}

/// A rectangle's plane and its gloss.
struct RectangleRecord {
    let point: Point3
    let normal: Vector3
    let gloss: Float
    /// Along the sides, by half of their lengths: products with them are −1…1 from one side to the other.
    private let across: Vector3
    private let along: Vector3
    private let half: Vector2

    init(_ rectangle: TexturedRectangle) {
        let axes = rectangle.worldFromSurface.rotation.matrix
        half = rectangle.size / 2
        point = rectangle.worldFromSurface.translation
        normal = axes[1]
        across = axes[0] / half.x
        along = axes[2] / half.y
        gloss = rectangle.gloss
    }

    @inline(__always) func distance(origin: Point3, direction: Vector3) -> Double {
        normal.dot(point - origin) / normal.dot(direction)
    }

    /// One over the distance along a direction in the world's axes, as a linear function of it; zero for a camera in the
    /// plane, which does not see it.
    @inline(__always) func nearness(from camera: Point3) -> Vector3 {
        let height = normal.dot(point - camera)
        return abs(height) > 1e-9 ? normal / height : .zero
    }

    /// The normal to a camera's side.
    @inline(__always) func normal(towards camera: Point3) -> Vector3 {
        normal.dot(camera - point) < 0 ? -normal : normal
    }

    /// The rectangle as a row's camera sees it, from which its plane has that nearness.
    ///
    /// It is wider by what single precision errs, so that there is no gap between rectangles with a common side.
    func sight(from view: RowView, nearness: Vector3) -> RectangleSight {
        let way = view.origin - point
        let cameraFromWorld = view.axes.transpose
        let distance = way.length
        func function(_ axis: Vector3, half: Double) -> SIMD4<Float> {
            let wider = 1 + 0x1p-21 * (1 + distance / half)
            return SIMD4(cameraFromWorld * ((axis + axis.dot(way) * nearness) / wider), 0)
        }
        return RectangleSight(
            across: function(across, half: half.x), along: function(along, half: half.y),
            nearness: SIMD4(cameraFromWorld * nearness, 0))
    }
}

/// What is on a rectangle, and how much of the sun reaches it, as the façade takes it.
extension CRaycastCoat {
    fileprivate init(_ rectangle: TexturedRectangle, lightMap: LightMap) {
        let (view, size) = (rectangle.texture.view, rectangle.texture.size)
        let (cells, plain) = (SIMD2<Float>(rectangle.size / lightMap.cellMeters), view.plain ?? .zero)
        self.init(
            texture: view.texture, texels: (Float(size.width), Float(size.height)), cells: (cells.x, cells.y),
            light_map: lightMap.facade, plain: (plain.x, plain.y, plain.z, plain.w), is_plain: view.plain != nil,
            is_matt: rectangle.gloss == 0)
    }
}

/// The surfaces of a model by object number, as plain numbers at addresses that stay: an array behind a class would be
/// retained for every pixel.
///
/// Textures are not copied; they live as long as their model. Sendable although the compiler cannot see it: any number of
/// threads may read, and meshes are turned and bent between two frames, when none does.
final class SurfaceTable: @unchecked Sendable {
    private let records: UnsafeMutableBufferPointer<SurfaceRecord>
    /// By object number, valid for rectangles: side by side, so that those of surfaces that are seen together are in memory
    /// near to each other.
    let rectangles: UnsafeMutablePointer<RectangleRecord>
    /// What is on the rectangles, by object number.
    let coats: UnsafeMutablePointer<CRaycastCoat>
    private var release: [() -> Void] = []
    private var lightMaps: [LightMap] = []

    /// The surfaces of a model, of which the raycaster will have the triangles.
    init(_ model: RenderModel, sunDisc: SunDisc, raycaster: Raycaster) {
        let surfaces = model.surfaces
        records = .allocate(capacity: surfaces.count)
        rectangles = .allocate(capacity: surfaces.count)
        coats = .allocate(capacity: surfaces.count)
        coats.initialize(repeating: CRaycastCoat(), count: surfaces.count)
        for (object, surface) in surfaces.enumerated() {
            switch surface {
            case .rectangle(let rectangle):
                let map = LightMap(
                    rectangle, illumination: model.illumination, sunDisc: sunDisc, raycaster: raycaster)
                lightMaps.append(map)
                coats[object] = CRaycastCoat(rectangle, lightMap: map)
                (rectangles + object).initialize(to: RectangleRecord(rectangle))
                records.initializeElement(at: object, to: .rectangle(UnsafePointer(rectangles + object)))
            case .mesh(let mesh, _):
                records.initializeElement(
                    at: object, to: .mesh(keep([record(of: mesh, targets: MeshTargets(surface))])))
            }
        }
    }

    private func record(of mesh: ShadedMesh, targets: MeshTargets) -> MeshRecord {
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
            targets: targets, gloss: mesh.gloss, translucency: mesh.translucency)
    }

    deinit {
        for release in release { release() }
        records.deallocate()
        rectangles.deallocate()
        coats.deallocate()
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
