// SPDX-FileCopyrightText: The arsim authors
// SPDX-License-Identifier: Apache-2.0

import ARFiles
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

    init(_ scene: Scene, threads: Int) throws(SceneError) {
        var surfaces: [RenderSurface] = []
        for quad in scene.quads {
            let texture = try scene.texture(of: quad.material, covering: quad.size, of: quad.name, threads: threads)
            surfaces.append(.rectangle(TexturedRectangle(quad, texture: texture)))
        }
        for box in scene.boxes {
            // Opposite faces are never seen together: they share a texture.
            var textures: [Vector2: MipTexture] = [:]
            for face in box.faces {
                if textures[face.size] == nil {
                    textures[face.size] = try scene.texture(
                        of: box.material, covering: face.size, of: face.name, threads: threads)
                }
                guard let texture = textures[face.size] else { continue }
                surfaces.append(.rectangle(TexturedRectangle(face, texture: texture)))
            }
        }
        finger = scene.finger.flatMap { WritingFinger($0, planes: scene.declaredPlanes) }
        if let description = scene.finger {
            surfaces.append(.mesh(PointingHand(description, seed: scene.seed).mesh, placement: .moving))
        }
        model = RenderModel(surfaces: surfaces, illumination: Illumination(scene.light))
    }

    /// A raycaster of the same surfaces, for questions about what hides what.
    func makeRaycaster() -> Raycaster {
        let raycaster = Raycaster()
        raycaster.add(model.surfaces)
        return raycaster
    }

    /// Moves the hand in a raycaster of this stage.
    func place(_ worldFromHand: RigidTransform, in raycaster: Raycaster) {
        raycaster.place(Int32(model.surfaces.count - 1), at: worldFromHand)
        raycaster.commit()
    }
}

extension TexturedRectangle {
    fileprivate init(_ quad: Scene.Quad, texture: MipTexture) {
        self.init(worldFromSurface: quad.worldFromSurface, size: quad.size, texture: texture)
    }
}

extension Scene {
    /// What a material looks like on one surface.
    fileprivate func texture(
        of name: String, covering size: Vector2, of surface: String, threads: Int
    ) throws(SceneError) -> MipTexture {
        guard let material = materials.first(where: { $0.name == name }) else {
            preconditionFailure("no material '\(name)'; validate the scene first")
        }
        guard !material.kind.isPicture else { return MipTexture(picture: try picture(of: material)) }
        guard material.kind != .plain else { return MipTexture(plain: ColorTransfer.linear(fromSRGB: material.color)) }
        let pattern = MaterialPattern(material, surface: surface, seed: seed)
        return MipTexture(
            covering: size, texelMeters: material.texelMeters, threads: threads, albedo: pattern.albedo)
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
        let intrinsics = PinholeIntrinsics(
            fx: focalPixels.x, fy: focalPixels.y, cx: principalPointPixels.x, cy: principalPointPixels.y)
        let d = distortion
        switch lens {
        case .pinhole: return .pinhole(PinholeCamera(intrinsics))
        case .radialTangential:
            return .radialTangential(
                RadialTangentialCamera(intrinsics, k1: d[0], k2: d[1], p1: d[2], p2: d[3], k3: d[4]))
        case .equidistant:
            return .equidistant(EquidistantCamera(intrinsics, k1: d[0], k2: d[1], k3: d[2], k4: d[3]))
        }
    }
}
