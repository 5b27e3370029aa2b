// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
import ARGeometry
import ARSensing
import ARTruth

/// A scene made ready to be seen: its surfaces with their textures, and what moves them.
struct SceneStage: Sendable {
    /// What there is to render; a hand is the last surface.
    let model: RenderModel
    /// The things of the scene by their names, in the order of their surfaces.
    let objects: [StagedObject]
    /// The planes that the session declares: the scene's, then those of its scanned rooms.
    let declaredPlanes: [DeclaredPlane]
    /// The finger, where there is one.
    let finger: WritingFinger?
    /// How the light changes.
    let light: LightCurve
    private let motions: [StagedMotion]
    private let cloths: [StagedCloth]

    init(_ scene: Scene, threads: Int) throws(SceneError) {
        let files = try SceneFiles(scene, positions: ScenePositions(file: "(scene \(scene.name))"))
        declaredPlanes = scene.declaredPlanes + files.declaredPlanes(of: scene)
        let planes = declaredPlanes
        finger = try scene.fingerTimeline().flatMap { WritingFinger(scene, timeline: $0, planes: planes) }
        var builder = StageBuilder()
        for quad in scene.allQuads { builder.add(quad) }
        for box in scene.boxes { builder.add(box) }
        for cylinder in scene.cylinders { builder.add(cylinder) }
        for sphere in scene.spheres { builder.add(sphere) }
        for (mesh, model) in zip(scene.meshes, files.models) {
            builder.add(mesh, model: model, isPattern: !scene.material(mesh.material).kind.isPicture)
        }
        for print in scene.allPrints { builder.add(print, gloss: scene.material(print.material).gloss) }
        for flag in scene.flags { builder.add(flag, seed: scene.seed) }
        for head in scene.heads {
            let face = try scene.texture(
                of: head.material, covering: HeadLook.pictureExtent, of: head.name, texelScale: 1, threads: threads)
            builder.add(head, face: face, seed: scene.seed)
        }
        for (scan, room) in zip(scene.scans, files.rooms) { builder.add(scan, room: room, seed: scene.seed) }
        if let finger, let description = scene.finger {
            builder.add(PointingHand(description, seed: scene.seed), finger: finger)
        }
        objects = builder.objects
        motions = builder.motions
        cloths = builder.cloths
        light = LightCurve(scene.light)
        model = RenderModel(
            surfaces: try StageTextures.surfaces(builder.surfaces, scene: scene, threads: threads),
            illumination: Illumination(scene.light))
    }

    /// Where the moving surfaces are, from one instant to another, in their order.
    func movements(from first: Double, to last: Double) -> [Movement] {
        motions.map { Movement(from: $0.worldFromObject(at: first), to: $0.worldFromObject(at: last)) }
    }

    /// How the deforming surfaces are bent, from one instant to another, in their order.
    func deformations(from first: Double, to last: Double) -> [Deformation] {
        cloths.map { $0.deformation(from: first, to: last) }
    }
}

// MARK: - Questions about what hides what

extension SceneStage {
    /// A raycaster of the same surfaces.
    func makeRaycaster() -> Raycaster {
        let raycaster = Raycaster()
        raycaster.add(model.surfaces, comparesRectangles: false)
        return raycaster
    }

    /// Places everything that moves in a raycaster of this stage, on its way through a shot.
    func place(_ shot: Shot, in raycaster: Raycaster) {
        for (object, movement) in zip(model.objects(.moving), shot.movements) {
            raycaster.place(object, along: movement)
        }
        for (object, deformation) in zip(model.objects(.deforming), shot.deformations) {
            raycaster.deform(object, deformation)
        }
        raycaster.commit()
    }
}
