// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARGeometry
import ARSensing
import ARTruth
import Foundation

/// A scene made ready to be seen: its surfaces with their textures, and the hand with its movements.
struct SceneStage: Sendable {
    /// What there is to render; a hand is the last surface.
    let model: RenderModel
    /// The finger, where there is one.
    let finger: WritingFinger?

    init(_ scene: Scene, directory: URL?, threads: Int) throws(SceneError) {
        var surfaces: [RenderSurface] = []
        for face in scene.quads + scene.boxes.flatMap(\.faces) {
            guard let material = scene.materials.first(where: { $0.name == face.material }) else {
                preconditionFailure("no material '\(face.material)'; validate the scene first")
            }
            let texture = try Self.texture(
                of: material, on: face, seed: scene.seed, directory: directory, threads: threads)
            surfaces.append(
                .rectangle(
                    TexturedRectangle(worldFromSurface: face.worldFromSurface, size: face.size, texture: texture)))
        }
        finger = scene.finger.flatMap { WritingFinger($0, planes: scene.declaredPlanes) }
        if let description = scene.finger {
            surfaces.append(.mesh(PointingHand(description, seed: scene.seed).mesh, isMoving: true))
        }
        model = RenderModel(surfaces: surfaces, illumination: Illumination(scene.light))
    }

    /// A raycaster of the same surfaces, for questions about what hides what.
    func makeRaycaster() -> Raycaster {
        let raycaster = Raycaster()
        for surface in model.surfaces {
            switch surface {
            case .mesh(_, isMoving: true): _ = raycaster.addMoving(surface.raycastMesh)
            default: _ = raycaster.addStatic(surface.raycastMesh)
            }
        }
        raycaster.commit()
        return raycaster
    }

    /// Moves the hand in a raycaster of this stage.
    func place(_ worldFromHand: RigidTransform, in raycaster: Raycaster) {
        raycaster.place(Int32(model.surfaces.count - 1), at: worldFromHand)
        raycaster.commit()
    }

    private static func texture(
        of material: Scene.Material, on face: Scene.Quad, seed: UInt64, directory: URL?, threads: Int
    ) throws(SceneError) -> MipTexture {
        let pattern = MaterialPattern(material, surface: face.name, seed: seed)
        let texel = material.kind == .plain ? max(face.size.x, face.size.y) : material.texelMeters
        return MipTexture(covering: face.size, texelMeters: texel, threads: threads) { place, texel in
            pattern.albedo(at: place, texel: texel)
        }
    }
}

/// A finger with its plane and its movements.
struct WritingFinger: Sendable {
    let timeline: FingerTimeline
    let worldFromPlane: RigidTransform
    private let planeFromHandRotation: Rotation

    /// The finger, or `nil` when its plane is not among those.
    init?(_ finger: Scene.Finger, planes: [DeclaredPlane]) {
        guard let plane = planes.first(where: { $0.name == finger.plane }) else { return nil }
        timeline = FingerTimeline(finger)
        worldFromPlane = plane.worldFromPlane
        planeFromHandRotation = Rotation(rotationVector: Vector3(0, finger.headingRadians, 0))
    }

    /// The hand's pose: its origin is the fingertip.
    func worldFromHand(at seconds: Double) -> RigidTransform {
        worldFromPlane
            * RigidTransform(rotation: planeFromHandRotation, translation: timeline.tipInPlane(at: seconds))
    }
}

extension Scene.CameraSettings {
    /// The camera model.
    public var model: Camera {
        .pinhole(
            PinholeCamera(
                PinholeIntrinsics(
                    fx: focalPixels.x, fy: focalPixels.y, cx: principalPointPixels.x, cy: principalPointPixels.y)))
    }
}
