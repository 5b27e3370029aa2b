// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry

/// A surface before its texture is made: its shape, and what it is to look like.
struct SurfacePlan: Sendable {
    var shape: Shape
    var look: Look
    /// How far light reaches around to the side that faces away, 0…1.
    var translucency: Float = 0

    /// Where a surface is.
    enum Shape: Sendable {
        /// A rectangle that stays where it is; +Y is its normal.
        case rectangle(worldFromSurface: RigidTransform, size: Vector2)
        /// A mesh, in the frame that its placement asks for.
        case mesh(SurfaceMesh, placement: MeshPlacement)
    }

    /// What a surface looks like.
    enum Look: Sendable {
        /// A material, laid flat on a texture of that extent in metres; its pattern is that of the named surface.
        case material(String, extent: Vector2, pattern: String)
        /// A material as if the thing were cut from it: each place of the texture lies somewhere on the thing.
        case solid(String, extent: Vector2, pattern: String, place: @Sendable (Point2) -> SurfaceMesh.Vertex)
        /// A texture of that extent, painted from places in metres.
        case painted(extent: Vector2, texelMeters: Double, gloss: Double, albedo: Paint)
        /// A colour at each vertex, linear RGB, and how glossy it is there.
        case colors([SIMD4<Float>])
    }

    /// The mean albedo around a place of a texture, over a texel of that width and height, in metres.
    typealias Paint = @Sendable (_ place: Point2, _ texel: Vector2) -> Vector3
}
