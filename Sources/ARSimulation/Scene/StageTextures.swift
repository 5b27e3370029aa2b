// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing

/// Makes the textures of a stage's surfaces.
///
/// All of them together have a bounded number of texels: where a scene asks for more, every pattern's texels grow by the
/// same factor. Surfaces with the same pattern share a texture.
struct StageTextures {
    /// The most texels that patterns may have, of the finest level.
    static let texelBudget = 40_000_000.0

    private let scene: Scene
    private let threads: Int
    private let texelScale: Double
    private var shared: [Key: MipTexture] = [:]

    private struct Key: Hashable {
        var material: String
        var extent: Vector2
        var pattern: String
    }

    /// The surfaces, ready to be rendered.
    static func surfaces(_ plans: [SurfacePlan], scene: Scene, threads: Int, texelBudget: Double = texelBudget)
        throws(SceneError) -> [RenderSurface]
    {
        var textures = StageTextures(plans, scene: scene, threads: threads, texelBudget: texelBudget)
        var surfaces: [RenderSurface] = []
        for plan in plans { surfaces.append(try textures.surface(plan)) }
        return surfaces
    }

    private init(_ plans: [SurfacePlan], scene: Scene, threads: Int, texelBudget: Double) {
        self.scene = scene
        self.threads = threads
        var counted: Set<Key> = []
        let total = plans.reduce(0.0) { sum, plan in
            switch plan.look {
            case .colors: return sum
            case .painted(let extent, let texelMeters, _, _):
                return sum + MipTexture.texelCount(covering: extent, texelMeters: texelMeters)
            case .material(let name, let extent, let pattern), .solid(let name, let extent, let pattern, _):
                let material = scene.material(name)
                let isNew = counted.insert(Key(material: name, extent: extent, pattern: pattern)).inserted
                guard !material.kind.isPicture, material.kind != .plain, isNew else { return sum }
                return sum + MipTexture.texelCount(covering: extent, texelMeters: material.texelMeters)
            }
        }
        texelScale = max(1, (total / texelBudget).squareRoot())
    }

    private mutating func surface(_ plan: SurfacePlan) throws(SceneError) -> RenderSurface {
        switch (plan.shape, try coat(of: plan)) {
        case (.rectangle(let worldFromSurface, let size), (let texture?, let gloss)):
            return .rectangle(
                TexturedRectangle(worldFromSurface: worldFromSurface, size: size, texture: texture, gloss: gloss))
        case (.mesh(let mesh, let placement), (let texture, let gloss)):
            var shaded = ShadedMesh(
                positions: mesh.positions.map { SIMD3<Float>($0) }, normals: mesh.normals.map { SIMD3<Float>($0) },
                coat: .colors([]), triangles: mesh.triangles, gloss: gloss, translucency: plan.translucency)
            if let texture {
                shaded.coat = .texture(texture, coordinates: mesh.textureCoordinates.map { SIMD2<Float>($0) })
            } else if case .colors(let colors) = plan.look {
                shaded.coat = .colors(colors)
            }
            return .mesh(shaded, placement: placement)
        case (.rectangle, (nil, _)): preconditionFailure("a rectangle has a texture")
        }
    }

    /// The texture of a surface, `nil` where its vertices have colours, and how glossy it is.
    private mutating func coat(of plan: SurfacePlan) throws(SceneError) -> (MipTexture?, Float) {
        switch plan.look {
        case .colors: return (nil, 0)
        case .painted(let extent, let texelMeters, let gloss, let albedo):
            let texture = MipTexture(
                covering: extent, texelMeters: texelMeters * texelScale, threads: threads, albedo: albedo)
            return (texture, Float(gloss))
        case .material(let name, let extent, let pattern):
            return (try material(name, extent: extent, pattern: pattern, place: nil), Float(scene.material(name).gloss))
        case .solid(let name, let extent, let pattern, let place):
            return (
                try material(name, extent: extent, pattern: pattern, place: place), Float(scene.material(name).gloss)
            )
        }
    }

    private mutating func material(
        _ name: String, extent: Vector2, pattern: String, place: (@Sendable (Point2) -> SurfaceMesh.Vertex)?
    ) throws(SceneError) -> MipTexture {
        let material = scene.material(name)
        let isPlain = material.kind == .plain
        let key = Key(
            material: name, extent: isPlain ? Vector2(1, 1) : extent, pattern: isPlain ? "" : pattern)
        if let texture = shared[key] { return texture }
        let texture: MipTexture
        if let place, !material.kind.isPicture, !isPlain {
            let solid = SolidPattern(MaterialPattern(material, surface: pattern, seed: scene.seed))
            texture = MipTexture(
                covering: extent, texelMeters: material.texelMeters * texelScale, threads: threads
            ) { texturePlace, texel in solid.albedo(at: place(texturePlace), texel: texel) }
        } else {
            texture = try scene.texture(
                of: name, covering: extent, of: pattern, texelScale: texelScale, threads: threads)
        }
        shared[key] = texture
        return texture
    }
}

extension Scene {
    /// The material of that name, which a validated scene has.
    func material(_ name: String) -> Material {
        guard let material = allMaterials.first(where: { $0.name == name }) else {
            preconditionFailure("no material '\(name)'; validate the scene first")
        }
        return material
    }

    /// What a material looks like on one surface; a pattern's texels are larger by a factor than the material says.
    func texture(
        of name: String, covering size: Vector2, of surface: String, texelScale: Double, threads: Int
    ) throws(SceneError) -> MipTexture {
        let material = material(name)
        guard !material.kind.isPicture else { return MipTexture(picture: try picture(of: material)) }
        guard material.kind != .plain else { return MipTexture(plain: ColorTransfer.linear(fromSRGB: material.color)) }
        let pattern = MaterialPattern(material, surface: surface, seed: seed)
        return MipTexture(
            covering: size, texelMeters: material.texelMeters * texelScale, threads: threads, albedo: pattern.albedo)
    }
}
