// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// What there is to render: surfaces with their looks, and the light. Immutable, shared by all renderers of a scene.
struct RenderModel: Sendable {
    /// The surfaces; a surface's index is its object number in every picture of objects.
    var surfaces: [RenderSurface]
    /// The light.
    var illumination: Illumination

    /// The numbers of the surfaces that get their places in that way.
    func objects(_ placement: MeshPlacement) -> [Int32] {
        surfaces.indices.filter { surfaces[$0].placement == placement }.map(Int32.init)
    }
}

/// Something to see.
enum RenderSurface: Sendable {
    /// A textured rectangle, seen from both sides.
    case rectangle(TexturedRectangle)
    /// A mesh with smooth normals, seen from both sides.
    case mesh(ShadedMesh, placement: MeshPlacement)

    /// What rays are cast against.
    var raycastMesh: RaycastMesh {
        switch self {
        case .rectangle(let rectangle): rectangle.raycastMesh
        case .mesh(let mesh, _): RaycastMesh(positions: mesh.positions, triangles: mesh.triangles)
        }
    }

    /// How the surface gets its place.
    var placement: MeshPlacement {
        switch self {
        case .rectangle: .fixed
        case .mesh(_, let placement): placement
        }
    }
}

/// How a mesh gets its place.
enum MeshPlacement: Hashable, Sendable {
    /// Its vertices are given in the world, once.
    case fixed
    /// Its vertices are given in its own frame; each shot has a ``Movement`` for it.
    case moving
    /// Its vertices are given in the world; each shot has a ``Deformation`` for it.
    case deforming
}

extension Raycaster {
    /// Adds surfaces, whose object numbers are their indices in an empty raycaster.
    ///
    /// Where rectangles are compared, `CRAYCAST_MESHES` leaves them out, which takes a second tree over the fixed meshes.
    func add(_ surfaces: [RenderSurface], comparesRectangles: Bool) {
        for surface in surfaces {
            switch surface {
            case .rectangle where comparesRectangles: _ = addRectangle(surface.raycastMesh)
            case .rectangle, .mesh(_, placement: .fixed): _ = addStatic(surface.raycastMesh)
            case .mesh: _ = addMoving(surface.raycastMesh)
            }
        }
        commit()
    }
}

/// A rectangle whose texture stretches from its corner at −x, −z to that at +x, +z.
struct TexturedRectangle: Sendable {
    /// +Y is the normal; the origin is the centre.
    var worldFromSurface: RigidTransform
    /// The extent along x and z, in metres.
    var size: Vector2
    /// What is on it.
    var texture: MipTexture
    /// How glossy the surface is, 0…1: 0 is matt, 1 is like coated paper. See ``Illumination``.
    var gloss: Float = 0

    fileprivate var raycastMesh: RaycastMesh {
        let half = size / 2
        let corners = [(-half.x, -half.y), (-half.x, half.y), (half.x, half.y), (half.x, -half.y)]
        let positions = corners.map { x, z in SIMD3<Float>(worldFromSurface * Point3(x, 0, z)) }
        return RaycastMesh(positions: positions, triangles: [SIMD3(0, 1, 2), SIMD3(0, 2, 3)])
    }
}

/// A triangle mesh with a normal at each vertex.
struct ShadedMesh: Sendable {
    /// The vertices, in metres.
    var positions: [SIMD3<Float>]
    /// Unit normals, outwards.
    var normals: [SIMD3<Float>]
    /// What is on it.
    var coat: MeshCoat
    /// Three vertex indices a triangle.
    var triangles: [SIMD3<UInt32>]
    /// How glossy the surface is, 0…1; see ``TexturedRectangle/gloss``. Colours can add to it.
    var gloss: Float = 0
    /// How far light reaches around to the side that faces away, 0…1: what makes skin look soft.
    var translucency: Float = 0
}

/// What is on a mesh.
enum MeshCoat: Sendable {
    /// A colour at each vertex: the albedo, linear RGB, and how glossy the vertex is on top of the mesh's own gloss.
    case colors([SIMD4<Float>])
    /// A texture and each vertex's place on it: (0, 0) is the corner before the first texel, (1, 1) the one behind the
    /// last. Beyond them the texture's rim goes on.
    case texture(MipTexture, coordinates: [SIMD2<Float>])

    /// The number of vertices that it covers.
    var vertexCount: Int {
        switch self {
        case .colors(let colors): colors.count
        case .texture(_, let coordinates): coordinates.count
        }
    }
}
