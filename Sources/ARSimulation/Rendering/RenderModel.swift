// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import Foundation

/// What there is to render: surfaces with their looks, and the light. Immutable, shared by all renderers of a scene.
struct RenderModel: Sendable {
    /// The surfaces; a surface's index is its object number in every picture of objects.
    var surfaces: [RenderSurface]
    /// The light.
    var illumination: Illumination
}

/// Something to see.
enum RenderSurface: Sendable {
    /// A textured rectangle, seen from both sides.
    case rectangle(TexturedRectangle)
    /// A mesh with smooth normals; one that moves is placed anew for each frame.
    case mesh(ShadedMesh, isMoving: Bool)

    /// What rays are cast against.
    var raycastMesh: RaycastMesh {
        switch self {
        case .rectangle(let rectangle): rectangle.raycastMesh
        case .mesh(let mesh, _): RaycastMesh(positions: mesh.positions, triangles: mesh.triangles)
        }
    }
}

extension Raycaster {
    /// Adds surfaces, whose object numbers are their indices in an empty raycaster, and gives the numbers of those
    /// that move.
    func add(_ surfaces: [RenderSurface]) -> [Int32] {
        var moving: [Int32] = []
        for surface in surfaces {
            switch surface {
            case .mesh(_, isMoving: true): moving.append(addMoving(surface.raycastMesh))
            case .mesh, .rectangle: _ = addStatic(surface.raycastMesh)
            }
        }
        commit()
        return moving
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

    fileprivate var raycastMesh: RaycastMesh {
        let half = size / 2
        let corners = [(-half.x, -half.y), (-half.x, half.y), (half.x, half.y), (half.x, -half.y)]
        let positions = corners.map { x, z in SIMD3<Float>(worldFromSurface * Point3(x, 0, z)) }
        return RaycastMesh(positions: positions, triangles: [SIMD3(0, 1, 2), SIMD3(0, 2, 3)])
    }
}

/// A triangle mesh with a normal and a colour at each vertex.
struct ShadedMesh: Sendable {
    /// The vertices in the mesh's own frame, in metres.
    var positions: [SIMD3<Float>]
    /// Unit normals, outwards.
    var normals: [SIMD3<Float>]
    /// The albedo, linear RGB, and how glossy the surface is, 0…1.
    var looks: [SIMD4<Float>]
    /// Three vertex indices a triangle.
    var triangles: [SIMD3<UInt32>]
    /// How far light reaches around to the side that faces away, 0…1: what makes skin look soft.
    var translucency: Float = 0
}

/// The light of a scene: from everywhere, and from a disc in the sky.
struct Illumination: Sendable {
    /// To the middle of the sun.
    let towardsSun: Vector3
    /// To points spread evenly over the sun.
    let sunSamples: [Vector3]
    /// Those of ``sunSamples`` at the sun's middle and nearest to its rim, all around it.
    let sunScouts: [Vector3]
    /// The others of ``sunSamples``.
    let sunOthers: [Vector3]
    /// To the sun's middle and to four points on its rim: where all five agree, so does the rest of the sun.
    let sunProbes: [Vector3]
    /// Irradiance from the sun on a surface that faces it, in albedo's units: 1 shows a white surface white.
    let sun: Float
    /// Irradiance from everywhere else.
    let ambient: Float
    /// How far away something may be and still throw a shadow, in metres.
    let shadowReach: Float
    /// The light where nothing is, linear RGB.
    let background: SIMD4<Float>

    /// The number of ``sunSamples``.
    static let sampleCount = 16

    init(_ light: Scene.Light) {
        let direction = light.direction.normalized() ?? Vector3(0, 1, 0)
        let across = direction.anyPerpendicular() ?? Vector3(1, 0, 0)
        let along = direction.cross(across)
        func point(radius: Double, angle: Double) -> Vector3 {
            let offset = tan(light.angularRadius) * radius * (cos(angle) * across + sin(angle) * along)
            return (direction + offset).normalized() ?? direction
        }
        towardsSun = direction
        // Vogel's spiral covers a disc evenly with any number of points.
        sunSamples = (0..<Self.sampleCount).map { index in
            point(
                radius: ((Double(index) + 0.5) / Double(Self.sampleCount)).squareRoot(),
                angle: Double(index) * .pi * (3 - 5.0.squareRoot()))
        }
        sunScouts = [sunSamples[0]] + sunSamples[11...]
        sunOthers = Array(sunSamples[1..<11])
        sunProbes = [direction] + (0..<4).map { point(radius: 1, angle: (Double($0) + 0.5) * .pi / 2) }
        sun = Float(light.sun)
        ambient = Float(light.ambient)
        shadowReach = Float(light.shadowReachMeters)
        background = SIMD4<Float>(ColorTransfer.linear(fromSRGB: light.background), 0)
    }
}

extension SIMD4 where Scalar == Float {
    /// Three doubles and a fourth number.
    init(_ v: Vector3, _ w: Float) { self.init(Float(v.x), Float(v.y), Float(v.z), w) }
}
